// Loads what the palette can go to, and finds in it what the person means.
import { useMemo } from 'preact/hooks';
import { type Agent, fetchAgents } from '../api/agents.ts';
import { fetchNamedKeys, type NamedKey } from '../api/agent-keys.ts';
import type { Approval } from '../api/approvals.ts';
import {
  type Connection,
  fetchConnections,
  fetchIntegrations,
  type Integration,
} from '../api/integrations.ts';
import { fetchJots, type Jot } from '../api/jots.ts';
import type { Tool } from '../api/tools.ts';
import { callerName } from '../parts/caller-name.ts';
import { formatAge } from '../parts/relative-time.tsx';
import { navigate } from '../router/location.ts';
import { findMatches, rankMatches } from '../state/find.ts';
import { useWaiting } from '../state/use-approvals.ts';
import { useIsAdministrator } from '../state/use-myself.ts';
import { useRankedTools } from '../state/use-ranked-tools.ts';
import { useResource } from '../state/use-resource.ts';
import { paletteTexts } from '../texts/palette.ts';
import type { Entry } from './entry.ts';
import { recentOf } from './recent.ts';
import { listPages } from './pages.ts';

const words = paletteTexts;
/** More of one kind would hide the other kinds. */
const MAX_OF_A_KIND = 5;
const MAX_TOOLS = 8;
/** The gateway's ranking goes deeper than the list, so that an exact name is not missed. */
const MAX_RANKED = 20;

export interface Found {
  entries: readonly Entry[];
  isSearching: boolean;
  hasFailed: boolean;
}

export function useEntries(query: string, actions: readonly Entry[]): Found {
  const isAdministrator = useIsAdministrator();
  const { data: integrations = [] } = useResource('integrations', fetchIntegrations);
  const { data: jots = [] } = useResource('jots', fetchJots);
  const { data: agents = [] } = useResource('agents', fetchAgents);
  const { data: keys = [] } = useResource('named keys', fetchNamedKeys);
  const { data: connections = [] } = useResource('connections', fetchConnections);
  const waiting = useWaiting().data ?? NOTHING;
  const tools = useRankedTools(query, MAX_RANKED);

  const entries = useMemo(() => {
    const kinds = [
      [...listPages(isAdministrator), ...actions],
      integrations.map(integrationEntry),
      jots.map(jotEntry),
      [...agents.map(agentEntry), ...keys.map(keyEntry)],
    ];
    const verbs = [
      ...waiting.map(approveEntry),
      ...integrations.flatMap((each) => connectEntries(each, connections)),
      ...[...agents.map(agentEntry), ...keys.map(keyEntry)].map(pauseEntry),
      ...(isAdministrator ? [INVITE] : []),
    ];
    if (query.trim() === '')
      return [...recentOf([...kinds.flat(), ...verbs]), ...waiting.map(approveEntry), ...(kinds[0] ?? [])];
    const marks = new Map(integrations.map(({ name, logo }) => [name, logo]));
    const ranked = exactFirst(tools.found, query).slice(0, MAX_TOOLS);
    const [own = [], services = [], published = [], callers = []] = kinds.map((kind) => best(kind, query));
    const acts = best(verbs, query);
    const isFirst = BEGINS_WITH_VERB.test(query.trim());
    return [
      ...(isFirst ? acts : []),
      ...own,
      ...services,
      ...ranked.map((tool) => toolEntry(tool, marks.get(tool.integration) ?? null)),
      ...published,
      ...callers,
      ...(isFirst ? [] : acts),
    ];
  }, [query, isAdministrator, actions, integrations, connections, waiting, jots, agents, keys, tools.found]);

  return { entries, isSearching: tools.isSearching, hasFailed: tools.hasFailed };
}

function best(kind: readonly Entry[], query: string): Entry[] {
  const found = findMatches(kind, query, ({ label, detail = '' }) => `${label} ${detail}`);
  return rankMatches(found, query, ({ label }) => label).slice(0, MAX_OF_A_KIND);
}

/** Puts the tools first whose name has exactly the words of the query, then those whose name has all of them. */
function exactFirst(tools: readonly Tool[], query: string): Tool[] {
  const wanted = query
    .toLowerCase()
    .split(/[\s_]+/)
    .filter(Boolean);
  const score = ({ name }: Tool): number => {
    const own = new Set(name.toLowerCase().split('_'));
    if (!wanted.every((word) => own.has(word))) return 0;
    return own.size === new Set(wanted).size ? 2 : 1;
  };
  return tools.toSorted((one, other) => score(other) - score(one));
}

/** A name alone goes to the thing, and a verb before it acts. */
const BEGINS_WITH_VERB = /^(connect|disconnect|approve|pause|edit|invite)/i;
const NOTHING: readonly Approval[] = [];
const INVITE: Entry = {
  id: 'verb invite',
  group: 'verbs',
  label: words.verbs.invite,
  icon: 'people',
  run: () => navigate('/people'),
};

function approveEntry({ id, tool, caller, createdAt }: Approval): Entry {
  return {
    id: `verb approve ${id}`,
    group: 'verbs',
    label: words.verbs.approve(tool),
    // Several calls of one tool may wait.
    detail: `${callerName(caller)}, ${formatAge(createdAt)}`,
    icon: 'approvals',
    run: () => navigate(`/approvals/${encodeURIComponent(id)}`),
  };
}

/** What there is to connect or to end. A service that needs no sign-in has neither. */
function connectEntries(
  { name, displayName, authType, configured, takesToken, logo }: Integration,
  connections: readonly Connection[],
): Entry[] {
  const path = `/integrations/${encodeURIComponent(name)}`;
  const isConnected = connections.some((each) => each.name === name && each.connected);
  if (authType === 'none' || (!isConnected && !configured && takesToken !== true)) return [];
  const verb = isConnected ? 'disconnect' : 'connect';
  return [
    {
      id: `verb ${verb} ${name}`,
      group: 'verbs',
      label: words.verbs[verb](displayName),
      mark: logo,
      run: () => navigate(isConnected ? `${path}?show=settings&do=disconnect` : `${path}?connect=new`),
    },
  ];
}

const pauseEntry = (entry: Entry): Entry => ({
  ...entry,
  id: `verb ${entry.id}`,
  group: 'verbs',
  label: words.verbs.pause(entry.label),
});

function integrationEntry({ name, displayName, logo }: Integration): Entry {
  return {
    id: `integration ${name}`,
    group: 'integrations',
    label: displayName,
    mark: logo,
    run: () => navigate(`/integrations/${encodeURIComponent(name)}`),
  };
}

function toolEntry({ name, description }: Tool, mark: string | null): Entry {
  return {
    id: `tool ${name}`,
    group: 'tools',
    label: name,
    detail: description,
    mark,
    run: () => navigate(`/tools?tool=${encodeURIComponent(name)}`),
  };
}

function jotEntry({ name, url }: Jot): Entry {
  return {
    id: `jot ${name}`,
    group: 'jots',
    icon: 'jots',
    label: name,
    run: () => window.open(url, '_blank', 'noopener'),
  };
}

function agentEntry({ client_id, client_name }: Agent): Entry {
  return {
    id: `agent ${client_id}`,
    group: 'agents',
    icon: 'agents',
    label: client_name ?? client_id,
    detail: words.agent.client,
    run: () => navigate(`/agents?q=${encodeURIComponent(client_name ?? client_id)}`),
  };
}

function keyEntry({ id, name }: NamedKey): Entry {
  return {
    id: `key ${id}`,
    group: 'agents',
    icon: 'lock',
    label: name,
    detail: words.agent.key,
    run: () => navigate(`/agents?q=${encodeURIComponent(name)}`),
  };
}
