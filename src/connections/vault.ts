// Seals credentials into the store and opens them again. decision: 049
import type { Ports } from '../ports/ports.ts';
import type { Seal } from '../crypto/seal.ts';
import { describe, HttpError } from '../http/errors.ts';
import type { Connection, Standing } from '../ports/records.ts';
import type { Way } from './ways.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { ConnectionConfig } from './config.ts';
import { NO_STANDING } from './standing.ts';

export type SealedColumn = 'access_token' | 'refresh_token' | 'cookies';
/** The access_token of a cookie connection. reference: Connections */
export const COOKIE_SENTINEL = 'cookie-auth';

export interface NewConnection {
  /** Absent when the credential is a cookie session. */
  accessToken?: string;
  refreshToken?: string | null;
  expiresAt?: number | null;
  scopes?: string | null;
  cookies?: string | null;
  /** When absent, the config of the stored connection stays. */
  config?: ConnectionConfig;
  /** When absent, the way is that of the integration. */
  way?: Way | null;
  /** What is known of the credential. Nothing when absent. */
  standing?: Standing;
}

type Listener = (userId: string, integration: string) => Promise<void>;

export interface Vault {
  /** Stores a connection and notifies the agent that may be waiting for it. */
  save(userId: string, integration: string, connection: NewConnection): Promise<void>;
  /** Like `save`, but throws 409 when the stored row is not `seen` any more. Null is no row. */
  replace(
    seen: Connection | null,
    userId: string,
    integration: string,
    connection: NewConnection,
  ): Promise<void>;
  /** The listener runs before a connection is stored. Nothing is stored when it throws. */
  onSaving(listener: Listener): void;
  /** The listener runs after a connection was stored, and before the agent that may be waiting is told. */
  onSaved(listener: Listener): void;
  /** Null when the column is empty or no key opens it. */
  open(connection: Connection, column: SealedColumn): Promise<string | null>;
  seal(
    text: string | null,
    connection: Pick<Connection, 'user_id' | 'integration'>,
    column: SealedColumn,
  ): Promise<string | null>;
}

export function createVault({
  store,
  seal,
  clock,
  log,
  pending,
}: Pick<Ports, 'store' | 'clock' | 'log' | 'pending'> & { seal: Seal }): Vault {
  const sealInto: Vault['seal'] = async (text, { user_id, integration }, column) =>
    text === null ? null : seal.seal(text, [user_id, integration, column]);

  const beforeSaving: Listener[] = [];
  const afterSaving: Listener[] = [];

  async function put(row: Connection): Promise<void> {
    const { user_id: userId, integration } = row;
    for (const listener of beforeSaving) await listener(userId, integration);
    await store.connections.put(row);
    for (const listener of afterSaving) await listener(userId, integration);
    await notifyAgent(userId, integration);
  }

  // A failure here must not fail the request: the connection is stored, and its code or state cannot be used again.
  async function notifyAgent(userId: string, integration: string): Promise<void> {
    try {
      await pending.connect(userId, integration);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      log.write('error', 'the agent was not notified of a connection', { integration, ...describe(error) });
    }
  }

  async function sealRow(
    user_id: string,
    integration: string,
    {
      accessToken,
      refreshToken = null,
      expiresAt = null,
      scopes = null,
      cookies = null,
      config,
      way = null,
      standing = NO_STANDING,
    }: NewConnection,
  ): Promise<Connection> {
    const place = { user_id, integration };
    const now = clock.now();
    return {
      ...place,
      access_token:
        accessToken === undefined ? COOKIE_SENTINEL : await sealInto(accessToken, place, 'access_token'),
      refresh_token: await sealInto(refreshToken, place, 'refresh_token'),
      expires_at: expiresAt,
      scopes,
      cookies: await sealInto(cookies, place, 'cookies'),
      config: config === undefined ? null : JSON.stringify(config),
      created_at: now,
      updated_at: now,
      way,
      ...standing,
    };
  }

  return {
    seal: sealInto,
    onSaving: (listener) => void beforeSaving.push(listener),
    onSaved: (listener) => void afterSaving.push(listener),

    save: async (userId, integration, connection) => put(await sealRow(userId, integration, connection)),

    async replace(seen, userId, integration, connection) {
      const row = await sealRow(userId, integration, connection);
      // The store has no conditional put. What is left is the moment between this read and the write.
      const current = await store.connections.get(userId, integration);
      if (!holdsSame(seen, current))
        throw new HttpError(409, { error: 'The connection was changed meanwhile. Try again.' });
      await put(row);
    },

    open(connection, column) {
      const sealed = connection[column];
      if (sealed === null) return Promise.resolve(null);
      return seal.open(sealed, [connection.user_id, connection.integration, column]);
    },
  };
}

/** Sealed texts never repeat, so a row that still holds these has not been stored again. */
function holdsSame(seen: Connection | null, current: Connection | null): boolean {
  return (
    seen?.access_token === current?.access_token &&
    seen?.refresh_token === current?.refresh_token &&
    seen?.cookies === current?.cookies
  );
}
