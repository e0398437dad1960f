// Loads what the palette can go to, and finds in it what the person means.
import { useMemo } from 'preact/hooks';
import { type Agent, fetchAgents } from '../api/agents.ts';
import { fetchNamedKeys, type NamedKey } from '../api/agent-keys.ts';
import { fetchIntegrations, type Integration } from '../api/integrations.ts';
import { fetchJots, type Jot } from '../api/jots.ts';
import type { Tool } from '../api/tools.ts';
import { navigate } from '../router/location.ts';
import { findMatches, rankMatches } from '../state/find.ts';
import { useIsAdministrator } from '../state/use-myself.ts';
import { useRankedTools } from '../state/use-ranked-tools.ts';
import { useResource } from '../state/use-resource.ts';
import { paletteTexts } from '../texts/palette.ts';
import type { Entry } from './entry.ts';
import { listPages } from './pages.ts';

const words = paletteTexts;
/** More of one kind would hide the other kinds. */
const MAX_OF_A_KIND = 5;
const MAX_TOOLS = 8;

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
  const tools = useRankedTools(query, MAX_TOOLS);

  const entries = useMemo(() => {
    const kinds = [
      [...listPages(isAdministrator), ...actions],
      integrations.map(integrationEntry),
      jots.map(jotEntry),
      [...agents.map(agentEntry), ...keys.map(keyEntry)],
    ];
    if (query.trim() === '') return kinds[0] ?? [];
    const [own = [], services = [], published = [], callers = []] = kinds.map((kind) => best(kind, query));
    return [...own, ...services, ...tools.found.map(toolEntry), ...published, ...callers];
  }, [query, isAdministrator, actions, integrations, jots, agents, keys, tools.found]);

  return { entries, isSearching: tools.isSearching, hasFailed: tools.hasFailed };
}

function best(kind: readonly Entry[], query: string): Entry[] {
  const found = findMatches(kind, query, ({ label, detail = '' }) => `${label} ${detail}`);
  return rankMatches(found, query, ({ label }) => label).slice(0, MAX_OF_A_KIND);
}

function integrationEntry({ name, displayName }: Integration): Entry {
  return {
    id: `integration ${name}`,
    group: 'integrations',
    label: displayName,
    run: () => navigate(`/integrations/${encodeURIComponent(name)}`),
  };
}

function toolEntry({ name, description }: Tool): Entry {
  return {
    id: `tool ${name}`,
    group: 'tools',
    label: name,
    detail: description,
    run: () => navigate(`/tools?tool=${encodeURIComponent(name)}`),
  };
}

function jotEntry({ name, url }: Jot): Entry {
  return {
    id: `jot ${name}`,
    group: 'jots',
    label: name,
    run: () => window.open(url, '_blank', 'noopener'),
  };
}

function agentEntry({ client_id, client_name }: Agent): Entry {
  return {
    id: `agent ${client_id}`,
    group: 'agents',
    label: client_name ?? client_id,
    detail: words.agent.client,
    run: () => navigate(`/agents?q=${encodeURIComponent(client_name ?? client_id)}`),
  };
}

function keyEntry({ id, name }: NamedKey): Entry {
  return {
    id: `key ${id}`,
    group: 'agents',
    label: name,
    detail: words.agent.key,
    run: () => navigate(`/agents?show=keys&q=${encodeURIComponent(name)}`),
  };
}
