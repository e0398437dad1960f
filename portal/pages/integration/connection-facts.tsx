// Says whose account is connected, how the connection does, why, and since when.
import { hasWay, isBuiltIn, isKnown, isUntested, type WithState } from '../../connect/state.ts';
import { daysUntil } from '../../parts/days-until.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { texts } from '../../texts/texts.ts';
import { ConnectionScopes } from './connection-scopes.tsx';

const words = texts.connection;

interface Props {
  integration: WithState;
  /** Unix seconds. */
  lastCallAt: number | undefined;
}

export function ConnectionFacts({ integration, lastCallAt }: Props) {
  const { account, status = 'unverified', cause, connectedAt, way = 'oauth2' } = integration;
  // What the person may use of the team is said below.
  if (!isKnown(integration) && integration.team !== undefined) return null;
  if (!isKnown(integration)) return <p class="muted">{explainNone(integration)}</p>;
  // "Added" would say the same as "Connected".
  const since = status === 'unverified' && connectedAt !== undefined ? undefined : integration.since;
  const times = [
    { word: words.connected, at: connectedAt },
    { word: words.since[status], at: since },
    { word: words.checked, at: integration.checkedAt },
    { word: words.lastCall, at: lastCallAt },
  ];
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
          {isUntested(integration) ? words.tested.unverified(integration.displayName) : cause}
        </p>
      )}
      <p class="muted connection-times">
        {times.map(
          ({ word, at }) =>
            word !== '' &&
            at !== undefined && (
              <span key={word}>
                {word} <RelativeTime at={at} />
              </span>
            ),
        )}
      </p>
      <ConnectionScopes integration={integration} />
    </>
  );
}

function explain(integration: WithState): string {
  const { displayName, status = 'unverified', health, expiresAt = 0, way = 'oauth2' } = integration;
  if (status === 'reconnect') return words.meanings.reconnect(displayName, words.credential[way]);
  if (health === 'expiring' && status !== 'unreachable')
    return words.meanings.expiring(displayName, daysUntil(expiresAt));
  // The cause says that nobody has tested it.
  return words.meanings[isUntested(integration) ? 'ok' : status](displayName);
}

function explainNone(integration: WithState): string {
  const { authType, displayName } = integration;
  if (isBuiltIn(integration)) return words.builtIn;
  if (authType === 'none') return words.open(displayName);
  return hasWay(integration) ? words.notConnected(displayName) : words.waiting(displayName);
}
