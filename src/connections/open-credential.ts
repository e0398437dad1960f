// What is stored of a connection, to be used now: opened, and good as it is. design: C1
import type { Ports } from '../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Integration } from '../kit/integration.ts';
import { TOKEN_LEAD_SECONDS } from '../config/limits.ts';
import { createLru, type Lru } from '../memory/lru.ts';
import type { Connection } from '../ports/records.ts';

export type Usable =
  | { kind: 'usable'; connection: Connection; secret: string }
  | { kind: 'not-connected' }
  /** Only the person can mend it. */
  | { kind: 'reconnect'; message: string }
  /** It may work another time. */
  | { kind: 'later'; message: string };

// Sealed and opened texts together: a cookie session may be 4 MiB.
const OPENED_CHARACTERS = 4 * 1024 * 1024;
const OPENED_SECONDS = 60;

/** Sealed texts never repeat, so one that was opened a moment ago need not be opened again for each call. */
export type SecretMemory = Lru<{ sealed: string; secret: string; until: number }>;

export const createSecretMemory = (): SecretMemory => createLru(OPENED_CHARACTERS);

/** Not so near its end that it has to be refreshed first. */
export function isFresh({ expires_at }: Pick<Connection, 'expires_at'>, now: number): boolean {
  return expires_at === null || expires_at - now > TOKEN_LEAD_SECONDS;
}

interface StoredSecrets {
  opened: (connection: Connection, integration: Integration) => Promise<Usable>;
  /** What there is without asking the provider; null when it has to be asked. `refused` is as in `TokenSource`. */
  asStored: (
    connection: Connection | null,
    integration: Integration,
    refused?: string,
  ) => Promise<Usable | null>;
}

export function createStoredSecrets({
  clock,
  openedSecrets,
  vault,
}: Pick<Ports, 'clock'> & { openedSecrets: SecretMemory; vault: Vault }): StoredSecrets {
  async function opened(connection: Connection, integration: Integration): Promise<Usable> {
    const column = integration.auth.type === 'cookie' ? 'cookies' : 'access_token';
    const sealed = connection[column];
    if (sealed === null) return unreadable(integration);
    const place = `${connection.user_id} ${connection.integration}`;
    const known = openedSecrets.get(place);
    if (known !== undefined && known.sealed === sealed && known.until > clock.now())
      return { kind: 'usable', connection, secret: known.secret };
    const secret = await vault.open(connection, column);
    if (secret === null) return unreadable(integration);
    const until = clock.now() + OPENED_SECONDS;
    openedSecrets.set(place, { sealed, secret, until }, sealed.length + secret.length);
    return { kind: 'usable', connection, secret };
  }

  async function asStored(
    connection: Connection | null,
    integration: Integration,
    refused?: string,
  ): Promise<Usable | null> {
    if (connection === null || (connection.access_token === null && connection.cookies === null))
      return { kind: 'not-connected' };
    if (integration.auth.type !== 'oauth2') return opened(connection, integration);
    const canRefresh = connection.refresh_token !== null;
    if (!isFresh(connection, clock.now()))
      return canRefresh ? null : { kind: 'reconnect', message: 'Token expired and no refresh_token stored' };
    const usable = await opened(connection, integration);
    if (usable.kind !== 'usable' || usable.secret !== refused) return usable;
    return canRefresh ? null : gone(integration);
  }

  return { opened, asStored };
}

// design: A6
export function unreadable({ displayName }: Integration): Usable {
  return {
    kind: 'reconnect',
    message: `The stored credential of ${displayName} can no longer be opened. Reconnect it.`,
  };
}

function gone({ displayName }: Integration): Usable {
  return { kind: 'reconnect', message: `${displayName} no longer accepts the stored token. Reconnect it.` };
}
