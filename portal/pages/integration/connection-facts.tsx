// Says whose account is connected, how the connection does, why, and since when.
import { hasWay, isBuiltIn, isKnown, type WithState } from '../../connect/state.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.connection;

export function ConnectionFacts({ integration }: { integration: WithState }) {
  const { account, status = 'unverified', cause, since, checkedAt, way = 'oauth2' } = integration;
  if (!isKnown(integration)) return <p class="muted">{explainNone(integration)}</p>;
  const began = words.since[status];
  return (
    <>
      {account !== undefined && (
        <p class="connection-account">
          {words.signedInAs} <strong>{account.label}</strong>
          {words.by[way]}
        </p>
      )}
      <p class="muted">{explain(integration)}</p>
      {cause !== undefined && status !== 'ok' && (
        <p class={status === 'reconnect' ? 'connection-cause connection-refused' : 'connection-cause'}>
          {cause}
        </p>
      )}
      <p class="muted connection-times">
        {began !== '' && since !== undefined && (
          <span>
            {began} <RelativeTime at={since} />
          </span>
        )}
        {checkedAt !== undefined && (
          <span>
            {words.checked} <RelativeTime at={checkedAt} />
          </span>
        )}
      </p>
    </>
  );
}

function explain({ displayName, status = 'unverified', health, way = 'oauth2' }: WithState): string {
  if (status === 'reconnect') return words.meanings.reconnect(displayName, words.credential[way]);
  if (health === 'expiring' && status !== 'unreachable') return words.meanings.expiring(displayName);
  return words.meanings[status](displayName);
}

function explainNone(integration: WithState): string {
  const { authType, displayName } = integration;
  if (isBuiltIn(integration)) return words.builtIn;
  if (authType === 'none') return words.open(displayName);
  return hasWay(integration) ? words.notConnected(displayName) : words.waiting(displayName);
}
