// Lists the clients that signed in as this person, limits them and disconnects them.
import { useState } from 'preact/hooks';
import { type Agent, limitAgent, type Limits, revokeAgent } from '../../api/agents.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useListSearch } from '../../parts/use-list-search.ts';
import { Link } from '../../router/link.tsx';
import { findMatches } from '../../state/find.ts';
import { usePollOfList } from '../../state/use-poll.ts';
import type { Resource } from '../../state/use-resource.ts';
import { texts } from '../../texts/texts.ts';
import { AgentRow, nameOf } from './agent-row.tsx';
import { useNameOf } from './use-name-of.ts';

const words = texts.agents;

export function Applications({ agents }: { agents: Resource<Agent[]> }) {
  usePollOfList(agents);
  const nameOfIntegration = useNameOf();
  const [changed, setChanged] = useState<string>();
  const search = useListSearch();
  const { query, setRemoved } = search;
  const found =
    agents.data &&
    findMatches(agents.data, query, (agent) => `${nameOf(agent)} ${agent.client_id}`).toSorted(newestFirst);

  async function limit({ client_id }: Agent, limits: Limits): Promise<void> {
    setChanged(undefined);
    const now = await limitAgent(client_id, limits);
    agents.change((all) => all.map((each) => (each.client_id === client_id ? now : each)));
    setChanged(client_id);
  }

  async function disconnect(agent: Agent, at: number): Promise<void> {
    await revokeAgent(agent.client_id);
    agents.change((all) => all.filter(({ client_id }) => client_id !== agent.client_id));
    setRemoved({ words: words.disconnected(nameOf(agent)), takesFocus: true, at });
  }

  return (
    <>
      <NotLoaded of={[agents]} />
      {agents.data === undefined && agents.error === undefined && <Skeleton rows={3} />}
      {agents.data?.length === 0 && (
        <Empty title={words.noneTitle} lead={words.noneLead}>
          <Link href="/clients" class="button">
            {words.noneAction}
          </Link>
        </Empty>
      )}
      {found && (
        <SearchableRows words={words} search={search} all={agents.data?.length ?? 0}>
          {found.map((agent, at) => (
            <AgentRow
              key={agent.client_id}
              agent={agent}
              nameOfIntegration={nameOfIntegration}
              outcome={
                changed === agent.client_id
                  ? { words: words.changed(nameOf(agent)), takesFocus: true }
                  : undefined
              }
              onLimit={(limits) => limit(agent, limits)}
              onDisconnect={() => disconnect(agent, at)}
            />
          ))}
        </SearchableRows>
      )}
    </>
  );
}

function newestFirst(one: Agent, other: Agent): number {
  return other.connected_since - one.connected_since;
}
