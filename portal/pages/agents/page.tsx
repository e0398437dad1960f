// Lists the clients that signed in as this person, and revokes them.
import { useState } from 'preact/hooks';
import { fetchAgents, revokeAgent } from '../../api/agents.ts';
import type { Agent } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import type { RemovedRow } from '../../parts/rows.tsx';
import { SearchableRows } from '../../parts/searchable-rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { usePollOfList } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { hasWords, useSearch } from '../../state/use-search.ts';
import { texts } from '../../texts/texts.ts';
import { AgentRow, nameOf } from './agent-row.tsx';

const words = texts.agents;

export function AgentsPage() {
  const agents = useResource('agents', fetchAgents);
  usePollOfList(agents);
  const [revoked, setRevoked] = useState<RemovedRow>();
  const [query, search] = useSearch();
  const found = agents.data
    ?.filter((agent) => hasWords(`${nameOf(agent)} ${agent.client_id}`, query))
    .toSorted(newestFirst);

  async function revoke(agent: Agent, at: number): Promise<void> {
    await revokeAgent(agent.client_id);
    agents.change((all) => all.filter(({ client_id }) => client_id !== agent.client_id));
    setRevoked({ words: words.revoked(nameOf(agent)), takesFocus: true, at });
  }

  return (
    <Page title={words.title} lead={words.lead}>
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
        <SearchableRows
          words={words}
          query={query}
          onQuery={(wanted) => {
            search(wanted);
            setRevoked(undefined);
          }}
          all={agents.data?.length ?? 0}
          removed={revoked}
        >
          {found.map((agent, at) => (
            <AgentRow key={agent.client_id} agent={agent} onRevoke={() => revoke(agent, at)} />
          ))}
        </SearchableRows>
      )}
    </Page>
  );
}

function newestFirst(one: Agent, other: Agent): number {
  return other.connected_since - one.connected_since;
}
