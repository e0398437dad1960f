// The clients that signed in as this person, and the way to put one out.
import { useState } from 'preact/hooks';
import { fetchAgents, revokeAgent } from '../../api/agents.ts';
import type { Agent } from '../../api/types.ts';
import { Empty } from '../../parts/empty.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Happened, Said } from '../../parts/said.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { Link } from '../../router/link.tsx';
import { Page } from '../../shell/page.tsx';
import { usePoll } from '../../state/use-poll.ts';
import { useResource } from '../../state/use-resource.ts';
import { texts } from '../../texts.ts';
import { AgentRow, nameOf } from './agent-row.tsx';

const words = texts.agents;
const EVERY_MS = 4000;

export function AgentsPage() {
  const agents = useResource('agents', fetchAgents);
  usePoll(agents.data?.length === 0, EVERY_MS, agents.reload);
  const [said, setSaid] = useState<Happened>();

  async function revoke(agent: Agent): Promise<void> {
    await revokeAgent(agent.client_id);
    agents.change((all) => all.filter(({ client_id }) => client_id !== agent.client_id));
    setSaid({ words: words.revoked(nameOf(agent)), takesFocus: true });
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
      {agents.data !== undefined && agents.data.length > 0 && (
        <ul class="rows" aria-label={words.title}>
          {agents.data.map((agent) => (
            <AgentRow key={agent.client_id} agent={agent} onRevoke={() => revoke(agent)} />
          ))}
        </ul>
      )}
      <Said happened={said} />
    </Page>
  );
}
