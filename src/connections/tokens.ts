// A credential that is good to use now. OAuth tokens are refreshed when they are needed, one refresh at a time
// for a connection, over all processes. design: C1
import type { Deps } from '../deps.ts';
import type { Integration } from '../integration.ts';
import { createGlance } from '../glance.ts';
import { TOKEN_LEAD_SECONDS } from '../limits.ts';
import { createLru, type Lru } from '../lru.ts';
import type { OAuth2Block } from '../manifest.ts';
import type { Connection } from '../ports/records.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { instanceIn, readConfigOf } from './config.ts';
import { refreshTokens, type Tokens } from './oauth-client.ts';
import { findProvider } from './provider.ts';

export type Usable =
  | { kind: 'usable'; connection: Connection; secret: string }
  | { kind: 'not-connected' }
  /** Only the person can mend it. */
  | { kind: 'reconnect'; message: string }
  /** It may work another time. */
  | { kind: 'later'; message: string };

export interface TokenSource {
  /** `refused` is a token that the provider has just turned down: it is refreshed whatever its time. */
  usable(userId: string, integration: Integration, refused?: string): Promise<Usable>;
}

// Longer than a refresh can take, shorter than anybody should have to wait for a holder that was killed.
export const LEASE_SECONDS = 20;
/** Whoever writes the tokens of a connection anew holds it meanwhile. */
export const refreshLease = (userId: string, integration: string): string =>
  `refresh ${userId} ${integration}`;
const WAIT_MS = 30_000;
const LOOK_AGAIN_MS = 150;
const KEEP_ATTEMPTS = 20;
const KEEP_PAUSE_MS = 500;
// Sealed and opened texts together: a cookie session may be 4 MiB.
const OPENED_CHARACTERS = 4 * 1024 * 1024;
const OPENED_SECONDS = 60;

/** Sealed texts never repeat, so one that was opened a moment ago need not be opened again for each call. */
export type SecretMemory = Lru<{ sealed: string; secret: string; until: number }>;

export const createSecretMemory = (): SecretMemory => createLru(OPENED_CHARACTERS);

type Needs = Pick<
  Deps,
  'store' | 'clock' | 'random' | 'config' | 'egress' | 'log' | 'openedSecrets' | 'vault'
>;

/** Not so near its end that it has to be refreshed first. */
export function isFresh({ expires_at }: Pick<Connection, 'expires_at'>, now: number): boolean {
  return expires_at === null || expires_at - now > TOKEN_LEAD_SECONDS;
}

export function createTokenSource(deps: Needs): TokenSource {
  const { store, clock, random, config, egress, log, openedSecrets, vault } = deps;
  const inFlight = new Map<string, Promise<Usable>>();
  // Calls of one turn of the event loop share a look at their connection.
  const rows = createGlance(clock, (key) => {
    const [userId = '', integration = ''] = key.split(' ');
    return store.connections.get(userId, integration);
  });

  function isValid({ expires_at }: Connection): boolean {
    return expires_at === null || expires_at > clock.now();
  }

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

  /** What there is without asking the provider; null when it has to be asked. */
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

  /** Only the holder of the lease comes here; another may all the same, when this process was frozen for long. */
  async function refresh(seen: Connection, integration: Integration, block: OAuth2Block): Promise<Usable> {
    const found = findProvider(integration, block, instanceIn(readConfigOf(seen), integration), config);
    const refreshToken = await vault.open(seen, 'refresh_token');
    if (refreshToken === null) return unreadable(integration);
    const answer = found.ok
      ? await refreshTokens(egress, found.provider, refreshToken)
      : { kind: 'later' as const, message: found.message };
    switch (answer.kind) {
      case 'tokens':
        return keep(seen, integration, answer.tokens);
      case 'later':
        log.write('warn', 'token refresh failed', { integration: integration.name, reason: answer.message });
        return isValid(seen) ? opened(seen, integration) : answer;
      case 'reconnect': {
        // Somebody may have refreshed or reconnected meanwhile: then there is a newer token to use.
        const now = clock.now();
        const withdrawn = await store.connections.swap(seen, {
          ...seen,
          refresh_token: null,
          // What is left of the access token is worth nothing: the grant it came from is gone.
          expires_at: Math.min(seen.expires_at ?? now, now),
          updated_at: now,
        });
        if (!withdrawn) return afterAnother(seen, integration);
        log.write('warn', 'token refresh refused', { integration: integration.name, reason: answer.message });
        return { kind: 'reconnect', message: `${answer.message}. Reconnect ${integration.displayName}.` };
      }
    }
  }

  // The provider has burned the old pair already: what it gave has to be kept, however the store does for a while.
  async function swapSurely(seen: Connection, next: Connection): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await store.connections.swap(seen, next);
      } catch (error) {
        if (!(error instanceof Unavailable) || attempt === KEEP_ATTEMPTS) throw error;
        await clock.sleep(KEEP_PAUSE_MS);
      }
    }
  }

  async function keep(seen: Connection, integration: Integration, tokens: Tokens): Promise<Usable> {
    const now = clock.now();
    const next: Connection = {
      ...seen,
      access_token: await vault.seal(tokens.accessToken, seen, 'access_token'),
      // A provider that returns no new refresh token means the old one to stay.
      refresh_token:
        tokens.refreshToken === null
          ? seen.refresh_token
          : await vault.seal(tokens.refreshToken, seen, 'refresh_token'),
      expires_at: tokens.expiresIn === null ? null : now + tokens.expiresIn,
      scopes: tokens.scope ?? seen.scopes,
      updated_at: now,
    };
    if (await swapSurely(seen, next)) return { kind: 'usable', connection: next, secret: tokens.accessToken };
    return afterAnother(seen, integration);
  }

  /** The row has changed or gone since it was seen; whatever stands there now is newer. */
  async function afterAnother(seen: Connection, integration: Integration): Promise<Usable> {
    const current = await store.connections.get(seen.user_id, seen.integration);
    return (
      (await asStored(current, integration)) ?? {
        kind: 'later',
        message: `${integration.displayName} is being reconnected. Try again.`,
      }
    );
  }

  async function inTurn(
    userId: string,
    integration: Integration,
    block: OAuth2Block,
    refused?: string,
  ): Promise<Usable> {
    const lease = refreshLease(userId, integration.name);
    const holder = random.uuid();
    const deadline = clock.millis() + WAIT_MS;
    while (clock.millis() < deadline) {
      const now = clock.now();
      if (await store.leases.acquire(lease, holder, now, now + LEASE_SECONDS)) {
        try {
          // Whoever held it before may have done the work.
          const current = await store.connections.get(userId, integration.name);
          const stored = await asStored(current, integration, refused);
          return (
            stored ??
            (current === null ? { kind: 'not-connected' } : await refresh(current, integration, block))
          );
        } finally {
          // A lease that cannot be given back runs out by itself.
          await store.leases.release(lease, holder).catch(() => {});
        }
      }
      await clock.sleep(LOOK_AGAIN_MS);
      const stored = await asStored(
        await store.connections.get(userId, integration.name),
        integration,
        refused,
      );
      if (stored !== null) return stored;
    }
    return {
      kind: 'later',
      message: `The token of ${integration.displayName} could not be refreshed in time. Try again.`,
    };
  }

  return {
    async usable(userId, integration, refused) {
      const key = `${userId} ${integration.name}`;
      const row = await (refused === undefined
        ? rows.at(key)
        : store.connections.get(userId, integration.name));
      const stored = await asStored(row, integration, refused);
      if (stored !== null || integration.auth.type !== 'oauth2') return stored ?? { kind: 'not-connected' };
      const running = inFlight.get(key);
      if (running !== undefined) return running;
      const work = inTurn(userId, integration, integration.auth, refused).finally(() => inFlight.delete(key));
      inFlight.set(key, work);
      return work;
    },
  };
}

// design: A6
function unreadable({ displayName }: Integration): Usable {
  return {
    kind: 'reconnect',
    message: `The stored credential of ${displayName} can no longer be opened. Reconnect it.`,
  };
}

function gone({ displayName }: Integration): Usable {
  return { kind: 'reconnect', message: `${displayName} no longer accepts the stored token. Reconnect it.` };
}
