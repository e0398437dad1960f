// Notices what needs the person in what is counted: services that agents ask for, what fails, and keys near their end.
import type { NamedKey } from '../../api/agent-keys.ts';
import type { Agent } from '../../api/agents.ts';
import type { AgentsUsage } from '../../api/usage.ts';
import { plainName } from '../../parts/plain-name.ts';
import { toolWords } from '../../parts/tool-words.ts';
import { overviewTexts as words } from '../../texts/overview.ts';

const DAY_SECONDS = 86_400;
const SOON = 7 * DAY_SECONDS;
const LONG = 30 * DAY_SECONDS;
const MOST = 12;

export interface Noticed {
  /** Names what is noticed, so that the person can ignore it. */
  id: string;
  text: string;
  /** The cause, in words. */
  why?: string;
  href: string;
  action: string;
  /** The integration whose mark stands beside the text. Absent for an agent. */
  integration?: string;
}

interface Known {
  usage: AgentsUsage | undefined;
  keys: readonly NamedKey[];
  agents: readonly Agent[];
  nameOf: (integration: string) => string;
  /** Unix seconds. */
  now: number;
}

export function notice({ usage, keys, agents, nameOf, now }: Known): Noticed[] {
  return [
    ...noticeProblems(usage?.problems ?? [], nameOf),
    ...keys.flatMap((key) => noticeKey(key, now)),
    ...agents
      .filter(({ connected_since }) => now - connected_since < DAY_SECONDS)
      .map(({ client_id, client_name = '' }) => ({
        id: `new client:${client_id}`,
        text: words.newAgent(plainName(client_name) || words.callers.client),
        href: `/agents/${encodeURIComponent(`client:${client_id}`)}`,
        action: words.look,
      })),
  ].slice(0, MOST);
}

function noticeProblems(problems: AgentsUsage['problems'], nameOf: Known['nameOf']): Noticed[] {
  const ofIntegration = (cause: 'not-connected' | 'rate-limit') => {
    const own = problems.filter((each) => each.cause === cause);
    return [...Map.groupBy(own, ({ integration }) => integration)].map(([integration, found]) => ({
      integration,
      calls: found.reduce((sum, { calls }) => sum + calls, 0),
    }));
  };
  return [
    ...ofIntegration('not-connected').map(({ integration, calls }) => ({
      id: `not-connected ${integration}`,
      integration,
      text: words.askedFor(nameOf(integration), calls),
      href: `/integrations/${encodeURIComponent(integration)}`,
      action: words.connect,
    })),
    ...ofIntegration('rate-limit').map(({ integration, calls }) => ({
      id: `rate-limit ${integration}`,
      integration,
      text: words.limited(nameOf(integration), calls),
      href: callsOf({ integration, outcome: 'error' }),
      action: words.see,
    })),
    ...problems
      .filter(({ cause }) => cause !== 'not-connected' && cause !== 'rate-limit')
      .map(({ integration, tool, cause, calls }) => ({
        id: `${cause} ${integration} ${tool}`,
        integration,
        text: words.fails(toolWords(tool, integration), nameOf(integration), calls),
        why: words.causeNames[cause],
        href: callsOf({ integration, tool, outcome: 'error' }),
        action: words.see,
      })),
  ];
}

const callsOf = (filter: Record<string, string>): string =>
  `/activity?${new URLSearchParams(filter).toString()}`;

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

function noticeKey({ id, name, createdAt, lastUsedAt, expiresAt }: NamedKey, now: number): Noticed[] {
  const href = `/agents/${encodeURIComponent(`key:${id}`)}`;
  if (expiresAt !== undefined && expiresAt > now && expiresAt - now < SOON)
    return [
      {
        id: `expires ${id} ${expiresAt}`,
        text: words.keyExpires(name, day.format(expiresAt * 1000)),
        href,
        action: words.extend,
      },
    ];
  if (now - (lastUsedAt ?? createdAt) > LONG)
    return [{ id: `unused ${id}`, text: words.keyUnused(name), href, action: words.look }];
  if (lastUsedAt !== null && now - createdAt < DAY_SECONDS)
    return [{ id: `new key:${id}`, text: words.newAgent(name), href, action: words.look }];
  return [];
}
