// A credential that is good to use now. OAuth tokens are refreshed when they are needed, one refresh at a time
// for a connection, over all processes. design: C1
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../vault.ts';
import type { Integration } from '../../kit/integration.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import type { Connection } from '../../ports/records.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import { instanceIn, readConfigOf } from '../config.ts';
import { refreshTokens, type Tokens } from './oauth-client.ts';
import { findProvider } from './provider.ts';
import { createStoredSecrets, unreadable, type Usable, type SecretMemory } from '../open-credential.ts';

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

type Needs = Pick<Ports, 'store' | 'clock' | 'random' | 'config' | 'log'> & {
  egress: Egress;
  openedSecrets: SecretMemory;
  vault: Vault;
};

export function createTokenSource(deps: Needs): TokenSource {
  const { store, clock, random, config, egress, log, vault } = deps;
  const { opened, asStored } = createStoredSecrets(deps);
  const inFlight = new Map<string, Promise<Usable>>();
  // Calls of one turn of the event loop share a look at their connection.
  const rows = createSharePerTick(clock, (key) => {
    const [userId = '', integration = ''] = key.split(' ');
    return store.connections.get(userId, integration);
  });

  function isValid({ expires_at }: Connection): boolean {
    return expires_at === null || expires_at > clock.now();
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
        ? rows.read(key)
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
