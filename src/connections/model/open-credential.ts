// Opens the credential of a stored connection and says whether a call can use it as it is. decision: 024
import type { Ports } from '../../ports/ports.ts';
import type { Vault } from './vault.ts';
import type { Integration } from '../../kit/integration.ts';
import { TOKEN_LEAD_SECONDS } from './limits.ts';
import { andThen } from '../../memory/and-then.ts';
import { createLru, type Lru } from '../../memory/lru.ts';
import type { Connection } from '../../ports/records.ts';
import { nameOf } from './accounts.ts';
import { belongsTo } from './config.ts';
import { type Credential, parseCredential, unreadableMessage } from './credential.ts';
import { exchangeOf, wayOf } from './ways.ts';

/** A connection whose credential a call can use now. */
export interface ReadyConnection {
  kind: 'ready';
  connection: Connection;
  credential: Credential;
}

export type Readiness =
  | ReadyConnection
  | { kind: 'not-connected' }
  /** Only the person can fix the connection. */
  | { kind: 'reconnect'; message: string }
  /** A later call may succeed. */
  | { kind: 'later'; message: string };

// Bounds sealed texts and parsed credentials together. One cookie session may take 4 MiB.
const MAX_CACHED_CHARACTERS = 4 * 1024 * 1024;
const CACHED_SECONDS = 60;

/**
 * Credentials that were opened and parsed a moment ago. A sealed text never repeats, so the same sealed text means the
 * same credential.
 */
export type CredentialCache = Lru<{ sealed: string; credential: Credential; until: number }>;

export const createCredentialCache = (): CredentialCache => createLru(MAX_CACHED_CHARACTERS);

/** Whether the token lives long enough to be used without a refresh. */
export function isFresh({ expires_at }: Pick<Connection, 'expires_at'>, now: number): boolean {
  return expires_at === null || expires_at - now > TOKEN_LEAD_SECONDS;
}

export interface CredentialOpener {
  open: (connection: Connection, integration: Integration) => Readiness | Promise<Readiness>;
  /**
   * Like `open`, but null when the token has to be refreshed first. `refused` is a token that the upstream answered with
   * 401.
   */
  openFresh: (
    connection: Connection | null,
    integration: Integration,
    refused?: string,
  ) => Readiness | null | Promise<Readiness | null>;
}

type Needs = Pick<Ports, 'clock'> & { openedCredentials: CredentialCache; vault: Vault };

export function createCredentialOpener({ clock, openedCredentials, vault }: Needs): CredentialOpener {
  function open(connection: Connection, integration: Integration): Readiness | Promise<Readiness> {
    const column = integration.auth.type === 'cookie' ? 'cookies' : 'access_token';
    const sealed = connection[column];
    if (sealed === null) return describeUnreadable(integration);
    const place = nameOf(connection);
    const known = openedCredentials.get(place);
    if (known !== undefined && known.sealed === sealed && known.until > clock.now())
      return { kind: 'ready', connection, credential: known.credential };
    return vault.open(connection, column).then((text) => {
      if (text === null) return describeUnreadable(integration);
      const credential = parseCredential(integration, text, wayOf(connection, integration));
      const until = clock.now() + CACHED_SECONDS;
      openedCredentials.set(place, { sealed, credential, until }, sealed.length + credential.weight);
      return { kind: 'ready', connection, credential };
    });
  }

  function openFresh(
    connection: Connection | null,
    integration: Integration,
    refused?: string,
  ): Readiness | null | Promise<Readiness | null> {
    if (connection === null || (connection.access_token === null && connection.cookies === null))
      return { kind: 'not-connected' };
    if (!belongsTo(connection, integration)) return { kind: 'not-connected' };
    // A token that the person made is never refreshed.
    if (wayOf(connection, integration) !== 'oauth2' && exchangeOf(integration) === undefined)
      return open(connection, integration);
    const canRefresh = connection.refresh_token !== null;
    if (!isFresh(connection, clock.now())) return canRefresh ? null : describeExpired(integration);
    return andThen(open(connection, integration), (readiness) => {
      if (refused === undefined || !holdsToken(readiness, refused)) return readiness;
      return canRefresh ? null : describeRefused(integration);
    });
  }

  return { open, openFresh };
}

function holdsToken(readiness: Readiness, token: string): boolean {
  return (
    readiness.kind === 'ready' &&
    readiness.credential.kind === 'token' &&
    readiness.credential.token === token
  );
}

export function describeUnreadable({ displayName }: Integration): Readiness {
  return { kind: 'reconnect', message: unreadableMessage(displayName) };
}

/** The client of a person is forgotten when the provider refuses it. */
const describeExpired = (integration: Integration): Readiness =>
  exchangeOf(integration) === undefined
    ? { kind: 'reconnect', message: 'Token expired and no refresh_token stored' }
    : {
        kind: 'reconnect',
        message: `${integration.displayName} did not accept the client ID and secret. Enter them again.`,
      };

function describeRefused({ displayName }: Integration): Readiness {
  return {
    kind: 'reconnect',
    message: `${displayName} no longer accepts the stored token. Reconnect it.`,
  };
}
