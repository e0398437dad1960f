// Names the filters that are in use, and says how each is removed.
import type { Integration } from '../../api/integrations.ts';
import { displayNameOf } from '../../parts/display-name.ts';
import { streamTexts } from '../../texts/stream.ts';
import { texts } from '../../texts/texts.ts';
import { nameOfAgent } from './agents.ts';
import { type Choice, CUSTOM } from './choice.ts';

const words = texts.activity;
const { chip } = streamTexts;

export interface FilterChip {
  label: string;
  /** The changes of the address that remove it. */
  removal: Readonly<Record<string, string>>;
}

interface Known {
  agents: readonly { value: string; label: string }[];
  integrations: readonly Integration[] | undefined;
  people: ReadonlyMap<string, string>;
}

export function chipsOf(choice: Choice, { agents, integrations, people }: Known): FilterChip[] {
  const { ofAll, person, range, integration, tool, client, account, success, outcome, like } = choice;
  const isOfOne = ofAll && person !== '';
  const agent = agents.find(({ value }) => value === client)?.label ?? nameOfAgent({ actor: client }, ofAll);
  const chips: (FilterChip | false)[] = [
    ofAll && !isOfOne && { label: streamTexts.everybody, removal: { of: '' } },
    isOfOne && { label: people.get(person) ?? words.somebodyGone, removal: { person: '' } },
    choice.isGrouped && { label: streamTexts.grouped, removal: { view: '' } },
    range !== '' && { label: timeName(choice), removal: { range: '', from: '', to: '' } },
    integration !== '' && { label: displayNameOf(integration, integrations), removal: { integration: '' } },
    tool !== '' && { label: tool, removal: { tool: '' } },
    client !== '' && { label: chip(words.agent, agent), removal: { client: '' } },
    account !== '' && { label: chip(words.account, account), removal: { account: '' } },
    (outcome !== '' || success !== '') && {
      label: outcomeName(outcome, success),
      removal: { outcome: '', success: '' },
    },
    like !== '' && { label: streamTexts.sameError, removal: { like: '' } },
  ];
  return chips.filter((each) => each !== false);
}

const OUTCOMES: Readonly<Record<string, string>> = {
  ok: words.succeeded,
  error: words.failed,
  blocked: words.blocked,
  asked: words.asked,
  approved: words.approved,
  denied: words.denied,
  expired: words.expired,
  unknown: words.unknown,
};

function outcomeName(outcome: string, success: string): string {
  if (outcome !== '') return OUTCOMES[outcome] ?? outcome;
  return success === 'true' ? words.succeeded : words.notSucceeded;
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function timeName({ range, from, to }: Choice): string {
  const names: Readonly<Record<string, string>> = words.ranges;
  if (range !== CUSTOM) return names[range] ?? range;
  const [start, end] = [momentOf(from), momentOf(to)];
  if (start === null && end === null) return words.customRange;
  if (end === null) return `${words.from} ${whole(start)}`;
  if (start === null) return `${words.to} ${whole(end)}`;
  const isOneDay = day.format(start) === day.format(end);
  return `${whole(start)} – ${isOneDay ? clock.format(end) : whole(end)}`;
}

const whole = (moment: Date | null): string =>
  moment === null ? '' : `${day.format(moment)}, ${clock.format(moment)}`;

function momentOf(seconds: string): Date | null {
  const moment = new Date(Number(seconds) * 1000);
  return seconds === '' || Number.isNaN(moment.getTime()) ? null : moment;
}
