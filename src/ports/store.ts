// What lasts. `take` deletes and returns with exactly one winner, `put` is an upsert, absent is null.
import type {
  AuditEntry,
  AuthorizationCode,
  Connection,
  Flow,
  Jot,
  OAuthClient,
  RefreshToken,
  User,
} from './records.ts';

export type SignInProvider = 'hosted' | 'idp';
export type ApiKeyColumns = Pick<User, 'api_key_hash' | 'api_key_sha' | 'api_key_ciphertext'>;
export type NewUser = Pick<User, 'id' | 'email' | 'created_at'> &
  Partial<Pick<User, 'hosted_sub' | 'idp_sub'>>;

export interface Users {
  /** The row with this e-mail afterwards: the new one, or the one that was there first. */
  create(user: NewUser): Promise<User>;
  byId(id: string): Promise<User | null>;
  byEmail(email: string): Promise<User | null>;
  bySubject(provider: SignInProvider, subject: string): Promise<User | null>;
  byKeySha(sha: string): Promise<User | null>;
  /** Users whose key is known only by its bcrypt hash. */
  withLegacyKey(): Promise<{ id: string; api_key_hash: string }[]>;
  /** Sets the subject where none stands; false when another one does. */
  linkSubject(id: string, provider: SignInProvider, subject: string): Promise<boolean>;
  setKey(id: string, key: ApiKeyColumns): Promise<void>;
  /** Sets the key where none stands; false when one does. */
  setFirstKey(id: string, key: ApiKeyColumns): Promise<boolean>;
  /** Fills in the SHA-256 of a legacy key, unless the key has changed since. */
  backfillKeySha(id: string, hash: string, sha: string): Promise<void>;
  /** Users with a sealed key, in the order of their ids. */
  pageOfSealedKeys(
    after: string | null,
    limit: number,
  ): Promise<{ id: string; api_key_ciphertext: string }[]>;
  /** Writes the key's new ciphertext only while the old one stands. */
  swapSealedKey(id: string, seen: string, next: string): Promise<boolean>;
}

export interface Connections {
  get(userId: string, integration: string): Promise<Connection | null>;
  list(userId: string): Promise<Connection[]>;
  /** A put with no config keeps the old one; created_at is that of the first put. */
  put(connection: Connection): Promise<void>;
  /** Writes `next` over the row only while it still holds the credentials of `seen`; false when it does not. */
  swap(seen: Connection, next: Connection): Promise<boolean>;
  delete(userId: string, integration: string): Promise<boolean>;
  /** Of all users, in the order of their keys. */
  page(after: Pick<Connection, 'user_id' | 'integration'> | null, limit: number): Promise<Connection[]>;
}

/** Who may do a thing that only one process should do at a time. A lease that has run out is anybody's. */
export interface Leases {
  /** True for exactly one of those that ask while nobody holds it. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}

export interface Flows {
  put(flow: Flow): Promise<void>;
  take(state: string): Promise<Flow | null>;
}

export interface OAuthClients {
  put(client: OAuthClient): Promise<void>;
  get(clientId: string): Promise<OAuthClient | null>;
  /** Deletes its codes and tokens with it. */
  delete(clientId: string): Promise<void>;
  /** Deletes clients made before then, and with no live token or code since. Live ones count as used now. */
  purge(before: number, now: number): Promise<void>;
}

export interface AuthorizationCodes {
  put(code: AuthorizationCode): Promise<void>;
  take(code: string): Promise<AuthorizationCode | null>;
}

export interface Rotation {
  presented: string;
  next: string;
  /** Of the presented token, as it tells it itself. */
  family: string;
  client_id: string;
  now: number;
  expires_at: number;
}

export type Rotated =
  /** `hasUser`: whether the person is still there. */
  | { outcome: 'rotated'; token: RefreshToken; hasUser: boolean }
  /** The token was live, but another client's or past its time: it is burned. */
  | { outcome: 'burned' }
  | { outcome: 'reused'; family: string; rotated_at: number }
  | { outcome: 'unknown' };

export interface RefreshTokens {
  put(token: RefreshToken): Promise<void>;
  /**
   * Of any number at once exactly one answers `rotated`. A token that is not the live one of its family
   * is `reused`: `rotated_at` is when another took its place, or the earliest that it may have been.
   */
  rotate(rotation: Rotation): Promise<Rotated>;
  list(userId: string, now: number): Promise<RefreshToken[]>;
  revokeFamily(family: string): Promise<void>;
  /** Deletes the user's tokens and codes of one client; the number of tokens deleted. */
  revokeClient(userId: string, clientId: string): Promise<number>;
}

export interface Jots {
  get(name: string): Promise<Jot | null>;
  /** By name. */
  list(userId: string): Promise<Jot[]>;
  /**
   * Writes the row where none stands (`seen` is null), or over the one whose version is `seen`; false when that is not
   * so. Of any number at once with the same `seen` exactly one answers true; created_at is that of the first put.
   */
  put(jot: Jot, seen: string | null): Promise<boolean>;
  /** Only the owner's; false when there is none. */
  delete(name: string, userId: string): Promise<boolean>;
}

export interface AuditQuery {
  user_id: string;
  /** Rows older than this id; absent for the newest. */
  before?: number | undefined;
  /** No rows older than that one. */
  from?: number | undefined;
  integration?: string | undefined;
  tool?: string | undefined;
  success?: boolean | undefined;
  limit: number;
}

export interface AuditLog {
  /** All rows or none, durable when it resolves. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  list(query: AuditQuery): Promise<(AuditEntry & { id: number })[]>;
  /** The id of the row that is so many rows down, whatever is in them; null where there are fewer. */
  down(rows: number, query: Pick<AuditQuery, 'user_id' | 'before'>): Promise<number | null>;
}

export interface Store {
  users: Users;
  connections: Connections;
  flows: Flows;
  leases: Leases;
  clients: OAuthClients;
  codes: AuthorizationCodes;
  refreshTokens: RefreshTokens;
  jots: Jots;
  audit: AuditLog;
  /** Deletes flows, leases, codes and tokens that have expired. */
  sweep(now: number): Promise<void>;
  close(): Promise<void>;
}
