// Gathers everything that can call the person's tools, whatever its technique: keys, clients and the personal key.
import { fetchNamedKeys, type NamedKey } from '../../api/agent-keys.ts';
import { type Agent, fetchAgents, type Limits } from '../../api/agents.ts';
import { fetchMachineClients } from '../../api/machines.ts';
import { type AgentsUsage, fetchAgentsUsage } from '../../api/usage.ts';
import { plainName } from '../../parts/plain-name.ts';
import { useHasKey } from '../../state/use-has-key.ts';
import { useIsAdministrator } from '../../state/use-myself.ts';
import { usePollOf, usePollOfList } from '../../state/use-poll.ts';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { agentPagesTexts as words } from '../../texts/agent-pages.ts';
import { texts } from '../../texts/texts.ts';
import { ceilingOf, isOver, withCeiling } from './describe-limits.ts';

export type Technique = keyof typeof words.techniques;

export interface Caller {
  /** The actor of its calls, which is also its place in the portal. */
  actor: string;
  technique: Technique;
  name: string;
  /** What it may do at most, with what its scope leaves. */
  limits: Limits;
  addedAt: number;
  usedAt: number | null | undefined;
  isPaused: boolean;
  key?: NamedKey;
  client?: Agent;
}

export interface Callers {
  keys: Resource<NamedKey[]>;
  agents: Resource<Agent[]>;
  hasKey: Resource<boolean>;
  usage: Resource<AgentsUsage>;
  /** The newest first; undefined until keys and clients are known. */
  all: Caller[] | undefined;
}

export const PERSONAL = 'key';

export function useCallers(): Callers {
  const keys = useResource('named keys', fetchNamedKeys);
  const agents = useResource('agents', fetchAgents);
  const usage = useResource('agents usage', fetchAgentsUsage);
  const hasKey = useHasKey();
  const machineKeys = useMachineKeys();
  usePollOf(keys);
  usePollOfList(agents);
  usePollOf(usage);
  const isKnown = keys.data !== undefined && agents.data !== undefined;
  const all = isKnown
    ? [
        ...(keys.data ?? []).map((key) => callerOfKey(key, machineKeys.has(key.id))),
        ...(agents.data ?? []).map(callerOfClient),
      ].toSorted((one, other) => other.addedAt - one.addedAt)
    : undefined;
  const personal = hasKey.data === true ? [PERSONAL_KEY] : [];
  return { keys, agents, hasKey, usage, all: all && [...all, ...personal] };
}

const PERSONAL_KEY: Caller = {
  actor: PERSONAL,
  technique: 'personal',
  name: words.personal,
  limits: {},
  addedAt: 0,
  usedAt: undefined,
  isPaused: false,
};

/** The keys that machines act with. Only administrators know the machines. */
function useMachineKeys(): ReadonlySet<string> {
  const isAdministrator = useIsAdministrator();
  const machines = useResource(
    isAdministrator ? 'machine clients' : 'no machine clients',
    isAdministrator ? fetchMachineClients : () => Promise.resolve([]),
  );
  return new Set((machines.data ?? []).map(({ key }) => key.id));
}

function callerOfKey(key: NamedKey, isMachine: boolean): Caller {
  const { id, name, createdAt, lastUsedAt, pausedAt } = key;
  return {
    actor: `key:${id}`,
    technique: isMachine ? 'machine' : 'key',
    name,
    limits: key,
    addedAt: createdAt,
    usedAt: lastUsedAt,
    isPaused: pausedAt !== undefined,
    key,
  };
}

function callerOfClient(client: Agent): Caller {
  const { client_id, client_name = '', connected_since, last_used_at, limits, paused_at, scopes } = client;
  const shown = plainName(client_name);
  return {
    actor: `client:${client_id}`,
    technique: 'client',
    name: shown === '' ? texts.agents.unnamed : shown,
    limits: withCeiling(limits, ceilingOf(scopes)),
    addedAt: connected_since,
    usedAt: last_used_at,
    isPaused: paused_at !== undefined,
    client,
  };
}

export const pathOf = ({ actor }: Pick<Caller, 'actor'>): string => `/agents/${encodeURIComponent(actor)}`;

/** What keeps it from calling now. */
export function stopOf({ isPaused, limits }: Caller): 'paused' | 'expired' | undefined {
  if (isPaused) return 'paused';
  return isOver(limits) ? 'expired' : undefined;
}
