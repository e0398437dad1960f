// Stores records durably. `take` deletes and returns with exactly one winner, `put` is an upsert, absent is null.
import type {
  AuditEntry,
  AuditOutcome,
  AuthorizationCode,
  Connection,
  ConnectionKey,
  CredentialState,
  Flow,
  ImportRecord,
  ImportToolRecord,
  Jot,
  OAuthClient,
  PendingRevocation,
  ProviderClient,
  RefreshToken,
  User,
} from './records.ts';
import type { ActorLinks, ServiceActors, ServiceKeys } from './actors.ts';
import type { AuditPushes } from './audit-pushes.ts';
import type { AuditSegments } from './audit-segments.ts';
import type { CallDetailsStore } from './call-details.ts';
import type { Directory } from './directory.ts';
import type { EventForwards } from './event-forwards.ts';
import type { Events } from './events.ts';
import type { ExecutionKeys } from './execution-keys.ts';
import type { Groups } from './groups.ts';
import type { People } from './people.ts';
import type { Machines } from './machines.ts';
import type { OutboxStore } from './outbox.ts';
import type { AgentKeys, Approvals, Policies } from './policy.ts';
import type { OutsideReads } from './outside-reads.ts';
import type { Tasks } from './tasks.ts';
import type { SavedScripts, ScriptRuns } from './scripts.ts';
import type { Sets } from './sets.ts';
import type { TeamConnections } from './team.ts';
import type { Usage } from './usage.ts';

export type SignInProvider = 'hosted' | 'idp';
export type ApiKeyColumns = Pick<User, 'api_key_hash' | 'api_key_sha' | 'api_key_ciphertext'>;
export type NewUser = Pick<User, 'id' | 'email' | 'created_at'> &
  Partial<Pick<User, 'unverified_since' | 'invited_at'>>;

/** A person as an issuer knows them. A subject means nothing without its issuer. */
export interface Subject {
  provider: SignInProvider;
  issuer: string;
  subject: string;
}

/** The person of a key. */
export interface KeyHolder {
  id: string;
  /** Whether there are rules for the person or for everyone. */
  hasRules: boolean;
}

export interface Users {
  /**
   * Returns the row with this e-mail: the new row, with the subject if one is given, or the one that existed before. The
   * first person whose address is verified becomes the owner.
   */
  create(user: NewUser, subject?: Subject): Promise<User>;
  /** Creates the user only when there are no users. Exactly one of any number of parallel calls returns a user. */
  createFirst(user: NewUser): Promise<User | null>;
  byId(id: string): Promise<User | null>;
  byEmail(email: string): Promise<User | null>;
  /** Returns the row with this subject, from this issuer or without an issuer. */
  bySubject(subject: Subject): Promise<User | null>;
  /** Reads with one statement what every call by key needs. */
  byKeySha(sha: string): Promise<KeyHolder | null>;
  /** Lists users whose key is stored only as a bcrypt hash. */
  withLegacyKey(): Promise<{ id: string; api_key_hash: string }[]>;
  /**
   * Sets the subject and its issuer. Returns false when the user has another subject of this issuer, or an unverified
   * address. A subject of another issuer is replaced, and another user loses the same subject of another issuer.
   */
  linkSubject(id: string, subject: Subject): Promise<boolean>;
  /** Marks the e-mail address as verified. Returns false when there is no such user. */
  confirmEmail(id: string): Promise<boolean>;
  /**
   * Deletes the user `id` with its connections, imports, codes, tokens, jots, named keys, rules, grants and approvals, but
   * only while its address is unverified, and returns the row with the e-mail of `next`. An invitation, the role and that
   * the account is disabled stay. `tookOver` is true for exactly one caller.
   */
  takeOver(id: string, next: NewUser): Promise<{ user: User; tookOver: boolean }>;
  setKey(id: string, key: ApiKeyColumns): Promise<void>;
  /** Sets the key of a user without one. Returns false when the user has a key. */
  setFirstKey(id: string, key: ApiKeyColumns): Promise<boolean>;
  /** Fills in the SHA-256 of a legacy key, unless the key has changed since. */
  backfillKeySha(id: string, hash: string, sha: string): Promise<void>;
  /** Lists users with a sealed key, ordered by id. */
  pageOfSealedKeys(
    after: string | null,
    limit: number,
  ): Promise<{ id: string; api_key_ciphertext: string }[]>;
  /** Replaces the key's ciphertext only while it still is `seen`. */
  swapSealedKey(id: string, seen: string, next: string): Promise<boolean>;
}

export interface Connections {
  get(userId: string, integration: string, account: string): Promise<Connection | null>;
  /** Lists the accounts of one integration, the oldest first. */
  of(userId: string, integration: string): Promise<Connection[]>;
  /** Lists all, ordered by integration, the oldest account first. */
  list(userId: string): Promise<Connection[]>;
  /** Lists all of these people, in no order. */
  ofPeople(userIds: readonly string[]): Promise<Connection[]>;
  /**
   * Stores the credential of an account. A put without a config keeps the old config. A second put keeps created_at, the
   * label and what the account is the default for.
   */
  put(connection: Connection): Promise<void>;
  /**
   * Stores another account. `taken`: the integration has this account or its label. `full`: the integration has `most`
   * accounts. `gone`: there is no such person. Parallel calls never get past a rule.
   */
  add(connection: Connection, most: number): Promise<'added' | 'taken' | 'full' | 'gone'>;
  /**
   * Sets the label. `taken`: another account of the integration has it. `gone`: there is no such account, or no such
   * person. Parallel calls never set one label twice.
   */
  rename(key: ConnectionKey, label: string): Promise<'renamed' | 'taken' | 'gone'>;
  /**
   * Makes the account the default for calls that read or for calls that change something, or, with `on: false`, makes it
   * no default. Another account stops being it in the same step. Returns false when the account is gone.
   */
  setDefault(key: ConnectionKey, use: 'reads' | 'writes', on: boolean): Promise<boolean>;
  /**
   * Does the same for the team connection, in the rows of the person's own accounts. Returns false when the person has no
   * account of their own, where nothing needs to be chosen.
   */
  setTeamDefault(
    of: Pick<ConnectionKey, 'user_id' | 'integration'>,
    use: 'reads' | 'writes',
    on: boolean,
  ): Promise<boolean>;
  /** Writes `next` only while the row still holds the credentials of `seen`. Returns false otherwise. */
  swap(seen: Connection, next: Connection): Promise<boolean>;
  /** Writes only the state of the credential, only while the row still holds the credentials of `seen`. Returns false otherwise. */
  mark(seen: Connection, state: CredentialState): Promise<boolean>;
  /** Lists the connections of these integrations that were last checked at `before` or earlier, the oldest first. */
  due(integrations: readonly string[], before: number, limit: number): Promise<Connection[]>;
  delete(userId: string, integration: string, account: string): Promise<boolean>;
  /** Lists the connections of all users, ordered by key. */
  page(after: ConnectionKey | null, limit: number): Promise<Connection[]>;
}

/** Grants that are to end at their providers. Their credentials are out of reach of every call. */
export interface PendingRevocations {
  /**
   * Deletes the connection and stores the revocation in one step, but only while the row still holds the credentials of
   * `seen`. Returns false otherwise.
   */
  begin(seen: Connection, revocation: PendingRevocation): Promise<boolean>;
  list(userId: string, integration: string): Promise<PendingRevocation[]>;
  /** Lists those whose time has come, the oldest first. */
  due(now: number, limit: number): Promise<PendingRevocation[]>;
  /** Takes the turn for the attempt after `seen.attempts`. Exactly one of any number of parallel calls returns true. */
  take(seen: PendingRevocation, dueAt: number): Promise<boolean>;
  delete(id: string): Promise<void>;
  /** Deletes all connections of these people and stores the revocations in one step. */
  beginAll(userIds: readonly string[], revocations: readonly PendingRevocation[]): Promise<void>;
  /** Lists all of these people. */
  ofUsers(userIds: readonly string[]): Promise<PendingRevocation[]>;
  /** Gives a revocation to another user id, with a credential that is sealed for it. */
  handOver(id: string, next: Pick<PendingRevocation, 'user_id' | 'credential'>): Promise<void>;
}

/** Elects the one process that may do a thing at a time. Any process may take an expired lease. */
export interface Leases {
  /** Returns true for exactly one caller while nobody holds the lease. */
  acquire(name: string, holder: string, now: number, until: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}

/** Bounds the flows of a person that are of one kind. */
export interface FlowBound {
  kind: 'sign-in' | 'connect' | 'confirm' | 'upload' | 'deploy';
  /** How many of them are kept. The oldest are deleted first. */
  most: number;
  /** The pending connection that the flow ends with. */
  connectionId?: string | undefined;
}

export interface Flows {
  /** Without a bound the flow counts nowhere. */
  put(flow: Flow, bound?: FlowBound): Promise<void>;
  take(state: string): Promise<Flow | null>;
  /** Deletes the flows of the user that belong to these pending connections. */
  drop(userId: string, connectionIds: readonly string[]): Promise<void>;
}

/** The OAuth clients of integrations that administrators have set. */
export interface ProviderClients {
  get(integration: string): Promise<ProviderClient | null>;
  /** Lists those of integrations, ordered by integration. There are never more than integrations. */
  list(): Promise<ProviderClient[]>;
  /** Lists all, also those of imports (`import:<id>`), ordered by key. */
  page(after: string | null, limit: number): Promise<ProviderClient[]>;
  put(client: ProviderClient): Promise<void>;
  /** Replaces the sealed text only while it still is `seen`. Returns false otherwise. */
  swapSealed(integration: string, seen: string, next: string): Promise<boolean>;
  delete(integration: string): Promise<boolean>;
}

/** A client that somebody has let in, as administrators see it. */
export interface ClientSummary extends Pick<OAuthClient, 'client_id' | 'client_name' | 'created_at'> {
  /** How many people it holds a live token of. */
  people: number;
  /** When it last called for any of them, to the minute. */
  last_used_at: number | null;
}

export interface OAuthClients {
  put(client: OAuthClient): Promise<void>;
  /** Stores a client that nobody has used yet. `turn` increases with every registration of a process. */
  register(client: OAuthClient, turn: number): Promise<void>;
  /** Notes that a person has let the client in. */
  use(clientId: string, now: number): Promise<void>;
  /** Deletes all never-used clients but the `keep` that were registered last. */
  trim(keep: number): Promise<void>;
  get(clientId: string): Promise<OAuthClient | null>;
  /** Lists the clients that somebody has let in, ordered by id. */
  page(after: string | null, limit: number, now: number): Promise<ClientSummary[]>;
  /** Deletes the client's codes and tokens too. Its grants stay, as they limit its access tokens that are out. */
  delete(clientId: string): Promise<void>;
  /**
   * Deletes a portion of the clients that were last used before `idle`, and of those that were registered before
   * `unused` and never used. A live token or code counts as used now. The grants of clients that are gone follow. Returns
   * whether more may be left.
   */
  purge(before: { idle: number; unused: number }, now: number): Promise<boolean>;
}

/** A family that has no token yet. It ends at `expires_at` unless its first token is stored before. */
export type BegunFamily = Pick<RefreshToken, 'family' | 'created_at' | 'expires_at'>;

export interface AuthorizationCodes {
  put(code: AuthorizationCode): Promise<void>;
  /** Begins the family of the code's refresh tokens in the same step, so that it can be revoked from then on. */
  take(code: string, begun: BegunFamily): Promise<AuthorizationCode | null>;
}

export interface Rotation {
  presented: string;
  next: string;
  /** The family that the presented token names itself. */
  family: string;
  client_id: string;
  now: number;
  expires_at: number;
}

export type Rotated =
  /** `hasUser` tells whether the user still exists and is not disabled. */
  | { outcome: 'rotated'; token: RefreshToken; hasUser: boolean }
  /** The token was live, but of another client or expired. It is used up now. */
  | { outcome: 'burned' }
  | { outcome: 'reused'; family: string; rotated_at: number }
  | { outcome: 'unknown' };

export interface RefreshTokens {
  /** Stores the first token of a begun family. Does nothing when the family has been revoked meanwhile. */
  start(token: Pick<RefreshToken, 'family' | 'token_hash' | 'expires_at'>): Promise<void>;
  /**
   * Exactly one of any number of parallel calls returns `rotated`. A token that is not the live one of its family is
   * `reused`; then `rotated_at` is when it was replaced, or the earliest time that it may have been.
   */
  rotate(rotation: Rotation): Promise<Rotated>;
  list(userId: string, now: number): Promise<RefreshToken[]>;
  revokeFamily(family: string): Promise<void>;
  /**
   * Deletes the user's tokens and codes of one client, and ends its grant and the approvals that have not run. A grant
   * with limits stays as one that is over and has none. Returns the number of deleted tokens.
   */
  revokeClient(userId: string, clientId: string, now: number): Promise<number>;
}

/** What a write leaves behind for the sweep: this many bytes, at most until then. */
export interface Leftover {
  bytes: number;
  until: number;
}

export interface Jots {
  get(name: string): Promise<Jot | null>;
  /** Lists the user's jots, ordered by name. */
  list(userId: string): Promise<Jot[]>;
  /**
   * Inserts the row when `seen` is null, or replaces the row whose version is `seen`. Returns false when that fails. Of any
   * number of parallel calls with the same `seen` exactly one answers true. A second put keeps created_at and the views.
   * The owner's leftover is recorded in the same write.
   */
  put(jot: Jot, seen: string | null, leftover?: Leftover): Promise<boolean>;
  /** Deletes the owner's jot, and records the leftover in the same write. Returns false when there is none. */
  delete(name: string, userId: string, leftover?: Leftover): Promise<boolean>;
  /** Returns how many bytes the leftovers of the user take. */
  leftoverBytes(userId: string, now: number): Promise<number>;
  /** Adds views to the jot, unless it was deleted. A jot of the same name that was made later does not get them. */
  addViews(views: JotViews): Promise<void>;
  /** Returns the views of the user's jots that are not over yet, by the names of the jots. */
  recentViews(userId: string, now: number): Promise<Map<string, number>>;
}

/** The views of one jot in one day. */
export interface JotViews extends Pick<Jot, 'name' | 'created_at'> {
  views: number;
  /** When they are no longer recent. */
  until: number;
}

export interface AuditQuery {
  /** Null reads the rows of everybody. */
  user_id: string | null;
  /** Returns only rows older than this id. Absent starts at the newest. */
  before?: number | undefined;
  /** Returns no rows older than this id. */
  from?: number | undefined;
  integration?: string | undefined;
  tool?: string | undefined;
  success?: boolean | undefined;
  /** The id of an actor. */
  actor?: string | undefined;
  outcome?: AuditOutcome | undefined;
  access?: NonNullable<AuditEntry['access']> | undefined;
  account?: string | undefined;
  /** Unix seconds, both included. */
  since?: number | undefined;
  until?: number | undefined;
  /** Each is in the tool, the integration, the account, the name of the client or the error, in any case. */
  words?: readonly string[] | undefined;
  /** Returns only rows that ended as this one did. */
  like?: AuditLikeness | undefined;
  limit: number;
}

/** What is the same in calls that ended alike. */
export type AuditLikeness = Pick<AuditEntry, 'integration' | 'tool' | 'outcome' | 'error'>;

/** Failed calls that ended alike. */
export interface AuditFailures extends AuditLikeness {
  calls: number;
  /** The id of the newest of them. */
  id: number;
  /** The times of the oldest and the newest, in Unix seconds. */
  first: number;
  last: number;
}

/** `at` is the time when its span begins. A span without calls has none. */
export interface AuditBucket {
  at: number;
  calls: number;
  failed: number;
}

export interface AuditLog {
  /** Appends all rows or none. They are durable when it resolves. */
  append(entries: readonly AuditEntry[]): Promise<void>;
  list(query: AuditQuery): Promise<(AuditEntry & { id: number })[]>;
  get(id: number): Promise<(AuditEntry & { id: number }) | null>;
  /** Groups the failed rows that the query chooses. The group with the newest row comes first. */
  failures(query: AuditQuery): Promise<AuditFailures[]>;
  /** Counts the rows that the query chooses in each span of so many seconds. `ahead` moves where spans begin. */
  histogram(
    query: Omit<AuditQuery, 'limit'>,
    spans: { seconds: number; ahead: number },
  ): Promise<AuditBucket[]>;
  /**
   * Returns the row `rows` further down. Of the filters it knows only `success: false`. Null when there are fewer rows.
   */
  down(
    rows: number,
    query: Pick<AuditQuery, 'user_id' | 'before' | 'success'>,
  ): Promise<{ id: number; created_at: number } | null>;
  /**
   * Returns the ids between which the rows of a time are, as `before` and `from` take them; null when there are none. A
   * row that was stored after more than a thousand rows with a later time may be outside.
   */
  span(time: Pick<AuditQuery, 'since' | 'until'>): Promise<Pick<AuditQuery, 'before' | 'from'> | null>;
}

/** One text of the whole gateway, which several processes may write. */
export interface SwappedText {
  read(): Promise<string | null>;
  /** Writes `next` only while `seen` is stored. Returns false otherwise. */
  swap(seen: string | null, next: string): Promise<boolean>;
}

/** The owner of the imports that everyone has, and of team connections. */
export const EVERYONE = '';

/**
 * Integrations that people add at run time. `updated_at` or `checked_at` of a record that is written is the time of the
 * write: tools of a write that has not finished an hour later are swept.
 */
export interface ImportSize {
  import_id: string;
  tools: number;
  characters: number;
}

export interface Imports {
  /**
   * Reads texts that change with every write to the imports of the person or of everyone, and to their saved scripts, with one
   * statement. Null while nobody of them has ever had any.
   */
  revision(
    userId: string,
  ): Promise<{ everyone: string | null; own: string | null; scripts: string | null } | null>;
  /** Lists the imports of an owner, ordered by name. */
  list(owner: string): Promise<ImportRecord[]>;
  get(owner: string, name: string): Promise<ImportRecord | null>;
  /** Lists the tools of these imports, ordered by import and position. */
  tools(importIds: readonly string[]): Promise<ImportToolRecord[]>;
  /** How much each import of an owner takes: its tools, and the characters of all their definitions. */
  sizes(owner: string): Promise<ImportSize[]>;
  /**
   * Stores a new import with its tools. `taken`: the owner has the name, or everyone has it, or, for everyone, any person
   * has it. `full`: the owner has `most` imports. The import appears at once and whole, or not at all. Parallel calls
   * never get past either rule.
   */
  create(
    record: ImportRecord,
    tools: readonly ImportToolRecord[],
    most: number,
  ): Promise<'created' | 'taken' | 'full'>;
  /**
   * Replaces the record while it still has the version and the settings of `seen`, and with it these tools; tools named in
   * `removed` go. Other tools stay, and so do the owner, the name and `created_at`. Returns false, and changes nothing,
   * when somebody has written the import meanwhile, sealed its settings again, or deleted it.
   */
  update(
    seen: Pick<ImportRecord, 'version' | 'settings'>,
    next: ImportRecord,
    changes: { tools?: readonly ImportToolRecord[]; removed?: readonly string[] },
  ): Promise<boolean>;
  /**
   * Deletes the import, its tools and the connections of that name: those of its owner, or everybody's when it is for
   * everyone. Pending revocations stay. Returns false when it was gone.
   */
  delete(record: Pick<ImportRecord, 'id' | 'owner' | 'name'>): Promise<boolean>;
  /** Lists the imports that were last checked at `before` or earlier, or never, the oldest first. */
  due(before: number, limit: number): Promise<ImportRecord[]>;
  /** Sets the time of the last check. The version stays, because what people use is the same. */
  markChecked(id: string, now: number): Promise<void>;
  /** Lists the imports of all owners, ordered by id. */
  page(after: string | null, limit: number): Promise<ImportRecord[]>;
  /** Replaces the sealed settings only while they still are `seen`, without a new version. Returns false otherwise. */
  swapSettings(id: string, seen: string, next: string): Promise<boolean>;
}

/** The pages with which imported tools show themselves, by the digest of their HTML. */
export interface ImportPages {
  /** Stores pages of an import. One that is stored already stays, and a deleted import gets none. */
  store(importId: string, pages: readonly { digest: string; html: string }[]): Promise<void>;
  read(importId: string, digest: string): Promise<string | null>;
  /** Deletes the pages of the import that have none of these digests. */
  keepOnly(importId: string, digests: readonly string[]): Promise<void>;
  /** Counts the characters of the pages of all imports of an owner but this one. */
  size(owner: string, importId: string): Promise<number>;
  /** Deletes the pages of imports that are gone. */
  sweep(): Promise<void>;
}

export interface Store {
  users: Users;
  people: People;
  connections: Connections;
  team: TeamConnections;
  groups: Groups;
  directory: Directory;
  flows: Flows;
  leases: Leases;
  providerClients: ProviderClients;
  clients: OAuthClients;
  codes: AuthorizationCodes;
  refreshTokens: RefreshTokens;
  jots: Jots;
  audit: AuditLog;
  auditSegments: AuditSegments;
  auditPushes: AuditPushes;
  callDetails: CallDetailsStore;
  executionKeys: ExecutionKeys;
  events: Events;
  eventForwards: EventForwards;
  usage: Usage;
  /** A known text that is stored sealed, so that a start under another key is noticed. */
  keyCheck: SwappedText;
  /** The data keys, each wrapped by a key elsewhere, as JSON. decision: 072 */
  dataKeys: SwappedText;
  revocations: PendingRevocations;
  imports: Imports;
  importPages: ImportPages;
  agentKeys: AgentKeys;
  machines: Machines;
  policies: Policies;
  approvals: Approvals;
  outsideReads: OutsideReads;
  tasks: Tasks;
  sets: Sets;
  serviceKeys: ServiceKeys;
  serviceActors: ServiceActors;
  actorLinks: ActorLinks;
  outbox: OutboxStore;
  scripts: SavedScripts;
  scriptRuns: ScriptRuns;
  /** Deletes a portion of the expired flows, leases, codes and tokens. Returns whether more may be left. */
  sweep(now: number): Promise<boolean>;
  /** Fills in a portion of what older versions did not write. Returns whether this process should go on. */
  backfill(now: number): Promise<boolean>;
  close(): Promise<void>;
}
