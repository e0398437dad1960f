// Makes a stored credential ready for a call. An OAuth token is refreshed when needed, by one process at a time. decision: 024
import type { Egress } from '../../egress/door.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from '../model/vault.ts';
import { type Integration, integrationLabel } from '../../kit/integration.ts';
import type { Notify } from '../../kit/notice.ts';
import { andThen } from '../../memory/and-then.ts';
import { createLru } from '../../memory/lru.ts';
import { createSharePerTick } from '../../memory/share-per-tick.ts';
import { withLease } from '../../memory/with-lease.ts';
import type { OAuth2Block } from '../../kit/manifest.ts';
import { type Connection, type ConnectionKey, FIRST_ACCOUNT } from '../../ports/records.ts';
import type { Span } from '../../ports/telemetry.ts';
import { nameOf } from '../model/accounts.ts';
import { Unavailable } from '../../ports/unavailable.ts';
import { readConfigOf } from '../model/config.ts';
import { askAsClient } from './client-tokens.ts';
import { refreshTokens, type TokenAnswer, type Tokens } from './oauth-client.ts';
import { type DynamicProviders, findProvider } from './provider.ts';
import { markState } from '../model/mark-state.ts';
import { stateAfter } from '../model/state.ts';
import type { RegisteredClients } from './registered-clients.ts';
import { exchangeOf } from '../model/ways.ts';
import { canRenew, type Credential, parseCredential } from '../model/credential.ts';
import {
  createCredentialOpener,
  type CredentialCache,
  describeUnreadable,
  type Readiness,
  type ReadyConnection,
} from '../model/open-credential.ts';

/** A refresh is recorded below the span of the call that begins it. */
export interface TokenSource {
  prepare(key: ConnectionKey, integration: Integration, span?: Span): Promise<Readiness>;
  /** Like `prepare`, with a row that was just read. */
  prepareRow(connection: Connection, integration: Integration, span?: Span): Readiness | Promise<Readiness>;
  /**
   * A newer credential in place of the one that the upstream answered with 401. `dead`: there is none, and none will come,
   * or 401s have brought too many within the last minute;
   * `same`: the credential could not be renewed now.
   */
  renew(
    key: ConnectionKey,
    integration: Integration,
    refused: Credential,
    span?: Span,
  ): Promise<ReadyConnection | { kind: 'same' | 'dead' }>;
}

// Longer than the provider may take, and short enough to wait for when the holder of the lease was killed.
export const LEASE_SECONDS = 20;
/** The name of the lease that a process holds while it writes the tokens of a connection. */
export const refreshLease = (key: ConnectionKey): string => `refresh ${nameOf(key)}`;
// A place that answers 401 to every token must not make the gateway rotate them with each call.
const RENEW_WINDOW_SECONDS = 60;
const MAX_RENEWALS = 5;
const MAX_COUNTED = 10_000;
const MAX_WAIT_MS = 30_000;
const POLL_MS = 150;
const MAX_STORE_ATTEMPTS = 20;
const STORE_PAUSE_MS = 500;

/** Asks for another token with what the connection keeps for it: a refresh token, or the secret of a client. */
type AskAgain = (seen: Connection, kept: string, span: Span | undefined) => Promise<TokenAnswer>;

type Needs = Pick<Ports, 'store' | 'clock' | 'random' | 'config' | 'log'> & {
  dynamicProviders: DynamicProviders;
  egress: Egress;
  notify: Notify;
  openedCredentials: CredentialCache;
  registeredClients: RegisteredClients;
  vault: Vault;
};

export function createTokenSource(deps: Needs): TokenSource {
  const { store, clock, dynamicProviders, egress, log, vault } = deps;
  const { open, openFresh } = createCredentialOpener(deps);
  const inFlight = new Map<string, Promise<Readiness>>();
  /** Counts the renewals after a 401 for each connection. */
  const renewals = createLru<{ count: number; until: number }>(MAX_COUNTED);
  // Calls of one turn of the event loop share a read of their connection.
  const rows = createSharePerTick(clock, (name) => {
    const [userId = '', integration = '', account = FIRST_ACCOUNT] = name.split(' ');
    return store.connections.get(userId, integration, account);
  });
  const read = ({ user_id, integration, account }: ConnectionKey) =>
    store.connections.get(user_id, integration, account);

  function isValid({ expires_at }: Connection): boolean {
    return expires_at === null || expires_at > clock.now();
  }

  /** Runs under the lease. Another process may still refresh at the same time when this one was suspended for long. */
  async function refresh(
    seen: Connection,
    integration: Integration,
    ask: AskAgain,
    parent: Span | undefined,
  ): Promise<Readiness> {
    const refreshToken = await vault.open(seen, 'refresh_token');
    if (refreshToken === null) return describeUnreadable(integration);
    const attributes = { 'gateway.integration': integrationLabel(integration) };
    const span = parent?.start({ name: 'refresh_token', kind: 'internal', attributes });
    const answer = await ask(seen, refreshToken, span);
    span?.end(answer.kind === 'tokens' ? {} : { error: answer.kind });
    switch (answer.kind) {
      case 'tokens':
        return storeTokens(seen, integration, answer.tokens);
      case 'later':
        log.write('warn', 'token refresh failed', { integration: integration.name, reason: answer.message });
        return isValid(seen) ? open(seen, integration) : answer;
      case 'reconnect': {
        // When another process has refreshed or the person has reconnected meanwhile, the newer token is used.
        const now = clock.now();
        const withdrawn: Connection = {
          ...seen,
          refresh_token: null,
          // The access token ends too: its grant is gone.
          expires_at: Math.min(seen.expires_at ?? now, now),
          updated_at: now,
        };
        if (!(await store.connections.swap(seen, withdrawn))) return openCurrent(seen, integration);
        log.write('warn', 'token refresh refused', { integration: integration.name, reason: answer.message });
        const state = stateAfter(seen, { kind: 'refused', reason: answer.message }, now);
        await markState(deps, withdrawn, { ...state, checked_at: seen.checked_at });
        return { kind: 'reconnect', message: `${answer.message}. Reconnect ${integration.displayName}.` };
      }
    }
  }

  const egressBelow = (span: Span | undefined) => (span === undefined ? egress : egress.bind({ span }));

  /** How a connection gets another token; null where it has a credential that never changes. */
  function askAgain(integration: Integration): AskAgain | null {
    const { auth } = integration;
    if (auth.type === 'oauth2')
      return (seen, refreshToken, span) => askForTokens(seen, integration, auth, refreshToken, span);
    const exchange = exchangeOf(integration);
    return exchange === undefined
      ? null
      : (seen, secret, span) =>
          askAsClient(egressBelow(span), integration, exchange, readConfigOf(seen), secret);
  }

  async function askForTokens(
    seen: Connection,
    integration: Integration,
    block: OAuth2Block,
    refreshToken: string,
    span: Span | undefined,
  ): Promise<TokenAnswer> {
    const found = await findProvider(integration, block, readConfigOf(seen), deps);
    if (!found.ok) return { kind: 'later', message: found.message };
    const answer = await refreshTokens(egressBelow(span), found.provider, refreshToken);
    if (answer.kind !== 'later' || answer.isClientForgotten !== true) return answer;
    // A refresh token belongs to its client, so the grant has ended with the client. RFC 6749 §6
    await dynamicProviders.forget(integration, found.provider);
    return { kind: 'reconnect', message: answer.message };
  }

  // The provider no longer accepts the old pair, so the new one is stored even when the store is down for a while.
  async function swapPersistently(seen: Connection, next: Connection): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await store.connections.swap(seen, next);
      } catch (error) {
        if (!(error instanceof Unavailable) || attempt === MAX_STORE_ATTEMPTS) throw error;
        await clock.sleep(STORE_PAUSE_MS);
      }
    }
  }

  async function storeTokens(seen: Connection, integration: Integration, tokens: Tokens): Promise<Readiness> {
    const now = clock.now();
    const next: Connection = {
      ...seen,
      access_token: await vault.seal(tokens.accessToken, seen, 'access_token'),
      // A provider that returns no new refresh token still accepts the old one.
      refresh_token:
        tokens.refreshToken === null
          ? seen.refresh_token
          : await vault.seal(tokens.refreshToken, seen, 'refresh_token'),
      expires_at: tokens.expiresIn === null ? null : now + tokens.expiresIn,
      scopes: tokens.scope ?? seen.scopes,
      updated_at: now,
    };
    if (await swapPersistently(seen, next)) {
      const credential = parseCredential(integration, tokens.accessToken, 'oauth2');
      return { kind: 'ready', connection: next, credential };
    }
    return openCurrent(seen, integration);
  }

  /** Uses what is stored now, because the row has changed or gone since it was read. */
  async function openCurrent(seen: Connection, integration: Integration): Promise<Readiness> {
    return (
      (await openFresh(await read(seen), integration)) ?? {
        kind: 'later',
        message: `${integration.displayName} is being reconnected. Try again.`,
      }
    );
  }

  async function refreshInTurn(
    key: ConnectionKey,
    integration: Integration,
    ask: AskAgain,
    refused: string | undefined,
    span: Span | undefined,
  ): Promise<Readiness> {
    const lease = refreshLease(key);
    const deadline = clock.millis() + MAX_WAIT_MS;
    while (clock.millis() < deadline) {
      const held = await withLease(deps, lease, LEASE_SECONDS, async (): Promise<Readiness> => {
        // The previous holder of the lease may have refreshed the token already.
        const current = await read(key);
        const stored = await openFresh(current, integration, refused);
        if (stored !== null) return stored;
        return current === null ? { kind: 'not-connected' } : refresh(current, integration, ask, span);
      });
      if (held !== null) return held.value;
      await clock.sleep(POLL_MS);
      const stored = await openFresh(await read(key), integration, refused);
      if (stored !== null) return stored;
    }
    return {
      kind: 'later',
      message: `The token of ${integration.displayName} could not be refreshed in time. Try again.`,
    };
  }

  function prepare(
    key: ConnectionKey,
    integration: Integration,
    row: Connection | null,
    span: Span | undefined,
    refused?: string,
  ): Readiness | Promise<Readiness> {
    return andThen(openFresh(row, integration, refused), (stored): Readiness | Promise<Readiness> => {
      if (stored !== null) return stored;
      const ask = askAgain(integration);
      if (ask === null) return { kind: 'not-connected' };
      const name = nameOf(key);
      const running = inFlight.get(name);
      if (running !== undefined) return running;
      const work = refreshInTurn(key, integration, ask, refused, span).finally(() => inFlight.delete(name));
      inFlight.set(name, work);
      return work;
    });
  }

  return {
    prepare: async (key, integration, span) => prepare(key, integration, await rows.read(nameOf(key)), span),

    prepareRow: (connection, integration, span) => prepare(connection, integration, connection, span),

    async renew(key, integration, refused, span) {
      if (!canRenew(refused)) return { kind: 'dead' };
      const name = nameOf(key);
      const row = await read(key);
      const now = clock.now();
      const counted = renewals.get(name);
      const lately = counted !== undefined && counted.until > now ? counted : null;
      if (lately !== null && lately.count >= MAX_RENEWALS) return { kind: 'dead' };
      const newer = await prepare(key, integration, row, span, refused.token);
      if (newer.kind === 'reconnect') return { kind: 'dead' };
      // The person may have entered a token of their own meanwhile.
      const isNewer =
        newer.kind === 'ready' &&
        (newer.credential.kind !== 'token' || newer.credential.token !== refused.token);
      if (!isNewer) return { kind: 'same' };
      renewals.set(
        name,
        { count: (lately?.count ?? 0) + 1, until: lately?.until ?? now + RENEW_WINDOW_SECONDS },
        1,
      );
      return newer;
    },
  };
}
