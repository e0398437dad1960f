// Renders an agent: its name, what it may do, its sign-in, last use and expiry.
import { useState } from 'preact/hooks';
import type { Agent, Limits } from '../../api/agents.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { LastUse } from '../../parts/last-use.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { plainName } from '../../parts/plain-name.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Row } from '../../parts/row.tsx';
import { keysTexts } from '../../texts/keys.ts';
import { texts } from '../../texts/texts.ts';
import { AgentLimits } from './agent-limits.tsx';
import { ceilingOf, withCeiling } from './describe-limits.ts';
import { LimitFacts } from './limit-facts.tsx';
import '../../styles/keys.css';

const words = texts.agents;
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

export function nameOf({ client_name = '' }: Agent): string {
  const shown = plainName(client_name);
  return shown === '' ? words.unnamed : shown;
}

interface Props {
  agent: Agent;
  nameOfIntegration: (integration: string) => string;
  /** The outcome of the last change of this agent. */
  outcome: Outcome | undefined;
  onLimit: (limits: Limits) => Promise<void>;
  onDisconnect: () => Promise<void>;
}

export function AgentRow({ agent, nameOfIntegration, outcome, onLimit, onDisconnect }: Props) {
  const { limits, last_used_at: lastUse } = agent;
  const [changing, setChanging] = useState(false);
  const name = nameOf(agent);
  const end = new Date(agent.expires_at * 1000);
  return (
    <Row
      name={name}
      heading="h2"
      id={agent.client_id}
      facts={
        <>
          <span>
            {words.since} <RelativeTime at={agent.connected_since} />
          </span>
          <LastUse words={keysTexts} at={lastUse} />
          <span>
            {words.expires} <time dateTime={end.toISOString()}>{date.format(end)}</time> {words.ifUnused}
          </span>
          {agent.scopes.length > 0 && (
            <span>
              {words.scopes} <code>{agent.scopes.join(' ')}</code>
            </span>
          )}
        </>
      }
      after={<OutcomeLine outcome={outcome} />}
      actions={
        <>
          <div class="row">
            <button
              type="button"
              class="button"
              aria-label={words.changeOf(name)}
              onClick={() => setChanging(true)}
            >
              {words.change}
            </button>
            <ConfirmButton
              label={words.disconnect}
              named={words.disconnectOf(name)}
              title={words.disconnectTitle(name)}
              onConfirm={onDisconnect}
            >
              <p>{words.disconnectEffect(name)}</p>
              <p>{words.disconnectLate}</p>
            </ConfirmButton>
          </div>
          {changing && (
            <AgentLimits
              name={name}
              limits={limits}
              scopes={agent.scopes}
              onSave={onLimit}
              onClose={() => setChanging(false)}
            />
          )}
        </>
      }
    >
      <LimitFacts limits={withCeiling(limits, ceilingOf(agent.scopes))} nameOf={nameOfIntegration} />
    </Row>
  );
}
