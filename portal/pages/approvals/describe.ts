// Says what a call would do, and what became of it.
import type { Approval, ApprovalState } from '../../api/approvals.ts';
import type { LampColour } from '../../parts/lamp.tsx';
import { toolWords } from '../../parts/tool-words.ts';
import { approvalsTexts } from '../../texts/approvals.ts';

const words = approvalsTexts;

export type DecidedState = Exclude<ApprovalState, 'pending'>;

export const DECIDED_STATES: readonly DecidedState[] = [
  'approved',
  'running',
  'done',
  'failed',
  'unknown',
  'denied',
  'expired',
];

export interface Sentence {
  /** "Delete order", or "Delete in GitHub:" before a raw request */
  act: string;
  /** What the call is about, such as an id, or the method and path of a raw request. Empty where nothing tells it. */
  what: string;
  /** "in Acme Shop". Empty after a raw request. */
  where: string;
  whole: string;
}

export function sentenceOf(approval: Approval, displayName: string): Sentence {
  const { access, integration, tool, subject } = approval;
  const raw = rawRequestIn(approval);
  if (raw !== null) {
    const act = `${words.act[access](displayName)}:`;
    return { act, what: raw, where: '', whole: `${act} ${raw}` };
  }
  const said = toolWords(tool, integration);
  // A tool may call itself what it likes. What it can do is the gateway's own judgement, so that comes first.
  const act = saysItself(said, access) ? said : words.named(words.verb[access], said.toLowerCase());
  const what = subject ?? '';
  const where = words.where(displayName);
  return { act, what, where, whole: words.sentence(act, what, where) };
}

const VERBS: Record<Approval['access'], RegExp> = {
  read: /^(get|list|read|search|find|show|fetch|query|download|view)\b/i,
  write:
    /^(create|update|add|send|set|edit|change|upload|write|post|put|move|rename|publish|deploy|comment|reply|assign|invite|merge|close|open|start|run)\b/i,
  destroy: /^(delete|remove|purge|destroy|erase|drop|trash|wipe|revoke)\b/i,
};

const saysItself = (said: string, access: Approval['access']): boolean => VERBS[access].test(said);

/** The method and path of a raw request, whether it came through curl or through a tool. */
function rawRequestIn({ integration, tool, args }: Approval): string | null {
  if (tool.includes(' ')) return tool;
  if (tool !== `${integration}_request`) return null;
  const { method, path } = args ?? {};
  return typeof method === 'string' && typeof path === 'string' ? `${method} ${path}` : null;
}

/** What a person understands by the state. A denial that is over is stored as expired. */
export function stateOf({ state, decidedAt, covers }: Approval): ApprovalState {
  return state === 'expired' && decidedAt !== null && covers === null ? 'denied' : state;
}

const COLOURS: Record<DecidedState, LampColour> = {
  approved: 'green',
  running: 'amber',
  done: 'green',
  failed: 'red',
  unknown: 'amber',
  denied: 'off',
  expired: 'off',
};

export const colourOf = (state: DecidedState): LampColour => COLOURS[state];

/** `until` follows the words of an approval that still counts. */
export function happenedTo(approval: Approval, displayName: string): { text: string; until: number | null } {
  const { covers, expiresAt } = approval;
  const { happened } = words;
  const plain = (text: string) => ({ text, until: null });
  const state = stateOf(approval);
  switch (state) {
    case 'approved':
      return { text: covers === 'hour' ? happened.hour : happened.approved, until: expiresAt };
    case 'unknown':
      return plain(happened.unknown(displayName));
    case 'expired':
      return plain(expiredText(approval));
    default:
      return plain(happened[state]);
  }
}

function expiredText({ covers, endedAt, expiresAt }: Approval): string {
  const { happened } = words;
  const isEarly = endedAt !== null && endedAt < expiresAt;
  if (isEarly) return covers === null ? happened.ended : happened.endedYes;
  if (covers === null) return endedAt === expiresAt ? happened.endedUnanswered : happened.expired;
  return covers === 'hour' ? happened.expiredHour : happened.expiredYes;
}
