// The row types: the records of the ports as a database stores them.
import type { Generated } from 'kysely';
import type { PendingConnection } from '../../src/ports/pending.ts';
import type {
  AuditEntry,
  AuthorizationCode,
  Connection,
  Flow,
  Jot,
  OAuthClient,
  RefreshToken,
  User,
} from '../../src/ports/records.ts';

export type Dialect = 'sqlite' | 'postgres';

/** A stored record: booleans as 0 and 1, lists as JSON text. */
export type Stored<R> = {
  [K in keyof R]: R[K] extends boolean ? number : R[K] extends readonly string[] ? string : R[K];
};

/** What a token's row keeps of the tokens that it replaced. */
export interface Rotations {
  previous_hash: string | null;
  rotated_at: number | null;
  /** The token before the previous one, and when it was replaced. */
  earlier_hash: string | null;
  previous_rotated_at: number | null;
}

export interface Lease {
  name: string;
  holder: string;
  expires_at: number;
}

export interface OAuthClientUse {
  client_id: string;
  last_used_at: number;
}

/** When a client was registered, in an order that is finer than seconds; null once somebody has used the client. */
export interface Unused {
  unused_since: number | null;
}

/** The bytes of a user's deleted and replaced files that the sweep has removed by this time. */
export interface JotLeftover {
  user_id: string;
  expires_at: number;
  bytes: number;
}

export interface Database {
  users: Stored<User>;
  connections: Stored<Connection>;
  flows: Stored<Flow>;
  leases: Lease;
  oauth_clients: Stored<OAuthClient> & Unused;
  oauth_client_uses: OAuthClientUse;
  oauth_codes: Stored<AuthorizationCode>;
  refresh_tokens: Stored<RefreshToken> & Rotations;
  jots: Stored<Jot>;
  jot_leftovers: JotLeftover;
  audit: Stored<AuditEntry> & { id: Generated<number> };
  pending_connections: Stored<PendingConnection> & { seq: Generated<number> };
}

export type Table = keyof Database;
