// Lists the MCP clients that people have let in, and removes them for everybody.
import { useState } from 'preact/hooks';
import { fetchRegisteredAgents, type RegisteredAgent, removeRegisteredAgent } from '../../api/gateway.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { plainName } from '../../parts/plain-name.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { type RemovedRow, Rows } from '../../parts/rows.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useResource } from '../../state/use-resource.ts';
import { gatewayTexts as words } from '../../texts/gateway.ts';

const nameOf = ({ name }: RegisteredAgent) => plainName(name ?? '') || words.unnamed;

export function AgentRows() {
  const agents = useResource('registered agents', () => fetchRegisteredAgents());
  const [removed, setRemoved] = useState<RemovedRow>();
  const { agents: all = [], nextCursor } = agents.data ?? {};

  async function remove(agent: RegisteredAgent, at: number): Promise<void> {
    await removeRegisteredAgent(agent.id);
    agents.change((now) => ({ ...now, agents: now.agents.filter(({ id }) => id !== agent.id) }));
    setRemoved({ words: words.agentRemoved(nameOf(agent)), takesFocus: true, at });
  }

  async function more(cursor: string): Promise<void> {
    const next = await fetchRegisteredAgents(cursor);
    agents.change((now) =>
      now.nextCursor === cursor ? { ...next, agents: [...now.agents, ...next.agents] } : now,
    );
  }

  return (
    <section class="section" aria-labelledby="agents">
      <h2 id="agents" class="section-title">
        {words.agents}
      </h2>
      <p class="section-note">{words.agentsLead}</p>
      <NotLoaded of={[agents]} />
      {agents.data === undefined && agents.error === undefined && <Skeleton rows={2} />}
      {agents.data !== undefined && all.length === 0 && removed === undefined && (
        <p class="muted">{words.noAgents}</p>
      )}
      <Rows label={words.agents} removed={removed}>
        {all.map((agent, at) => (
          <AgentRow key={agent.id} agent={agent} onRemove={() => remove(agent, at)} />
        ))}
      </Rows>
      {nextCursor !== undefined && (
        <div class="more">
          <ActionButton label={words.more} onAct={() => more(nextCursor)} />
        </div>
      )}
    </section>
  );
}

function AgentRow({ agent, onRemove }: { agent: RegisteredAgent; onRemove: () => Promise<void> }) {
  const { id, people, createdAt, lastUsedAt } = agent;
  const name = nameOf(agent);
  return (
    <Row
      name={name}
      heading="h3"
      id={id}
      facts={
        <>
          <span>{words.people(people)}</span>
          <span>
            {words.registered} <RelativeTime at={createdAt} />
          </span>
          <LastUse words={words} at={lastUsedAt} />
        </>
      }
      actions={
        <ConfirmButton
          label={words.removeAgent}
          named={words.removeAgentOf(name)}
          title={words.removeAgentTitle(name)}
          onConfirm={onRemove}
        >
          <p>{words.removeAgentEffect(people)}</p>
          <p>{words.removeAgentLate}</p>
        </ConfirmButton>
      }
    />
  );
}
