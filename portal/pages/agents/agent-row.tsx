// Renders an agent: its name, scopes, sign-in time and expiry.
import type { Agent } from '../../api/types.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.agents;
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

// The client chooses its name. Control characters could reverse or hide text.
export function nameOf({ client_name = '' }: Agent): string {
  const shown = client_name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim();
  return shown === '' ? words.unnamed : shown;
}

export function AgentRow({ agent, onRevoke }: { agent: Agent; onRevoke: () => Promise<void> }) {
  const name = nameOf(agent);
  const end = new Date(agent.expires_at * 1000);
  return (
    <li class="agent">
      <div class="agent-words">
        <h2>{name}</h2>
        <p class="agent-id">{agent.client_id}</p>
        <p class="muted agent-facts">
          <span>
            {words.since} <RelativeTime at={agent.connected_since} />
          </span>
          <span>
            {words.expires} <time dateTime={end.toISOString()}>{date.format(end)}</time> {words.ifUnused}
          </span>
          {agent.scopes.length > 0 && (
            <span>
              {words.scopes} <code>{agent.scopes.join(' ')}</code>
            </span>
          )}
        </p>
      </div>
      <ConfirmButton
        label={words.revoke}
        named={words.revokeOf(name)}
        title={words.revokeTitle(name)}
        confirmLabel={words.revoke}
        onConfirm={onRevoke}
      >
        <p>{words.revokeEffect(name)}</p>
        <p>{words.revokeLate}</p>
      </ConfirmButton>
    </li>
  );
}
