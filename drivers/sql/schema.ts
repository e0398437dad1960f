// The row types: the records of the ports as a database stores them.
import type { Generated } from 'kysely';
import type { ActorLink, ServiceKey } from '../../src/ports/actors.ts';
import type { AuditSegment } from '../../src/ports/audit-segments.ts';
import type { StoredCallDetails } from '../../src/ports/call-details.ts';
import type { DirectoryGroup, DirectoryMember, DirectoryPerson } from '../../src/ports/directory.ts';
import type { EventForward } from '../../src/ports/event-forwards.ts';
import type { EventPoller, EventStream, EventSubscription, StoredEvent } from '../../src/ports/events.ts';
import type { ExecutionKey } from '../../src/ports/execution-keys.ts';
import type { MachineClient, TrustedIssuer, TrustedRule } from '../../src/ports/machines.ts';
import type { PendingConnection } from '../../src/ports/pending.ts';
import type { DeliveryRecord, DestinationRecord, NoticeSettings, OutboxKey } from '../../src/ports/outbox.ts';
import type { OutsideRead } from '../../src/ports/outside-reads.ts';
import type { TaskRecord } from '../../src/ports/tasks.ts';
import type { AuditPush } from '../../src/ports/audit-pushes.ts';
import type { ScriptCallRecord, ScriptRecord, ScriptRunRecord } from '../../src/ports/scripts.ts';
import type { SetRecord, SetUse } from '../../src/ports/sets.ts';
import type { TeamRule } from '../../src/ports/team.ts';
import type { AgentGrant, AgentKey, ApprovalRecord, RulesRecord } from '../../src/ports/policy.ts';
import type {
  AuditEntry,
  AuthorizationCode,
  Connection,
  Flow,
  ImportRecord,
  ImportToolRecord,
  Jot,
  OAuthClient,
  PendingRevocation,
  ProviderClient,
  RefreshToken,
  User,
} from '../../src/ports/records.ts';
import type { UsageCount } from '../../src/ports/usage.ts';
import type { DurationColumn } from './usage-columns.ts';

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

/** Null in a row that 0.1 has written: it did not record whether somebody had chosen. */
export interface StoredJot extends Omit<Stored<Jot>, 'cors_chosen'> {
  cors_chosen: number | null;
}

/** The bytes of a user's deleted and replaced files that the sweep has removed by this time. */
export interface JotLeftover {
  user_id: string;
  expires_at: number;
  bytes: number;
}

/** The views of a jot in one day. The time when it was made tells it from a later jot of the same name. */
export interface JotViewsRow {
  jot: string;
  made_at: number;
  expires_at: number;
  views: number;
}

/** What the store keeps beside a tool: the write that stored it, and when the tool of an unfinished write expires. */
export interface ImportToolWrite {
  id: string;
  write_id: string;
  /** Null once the write has finished. Until then nobody reads the tool. */
  expires_at: number | null;
}

/** What the store keeps beside a flow, to bound the flows of a person. Version 0.2 writes none of it. */
export interface FlowPlace {
  kind: string | null;
  /** Rises with each flow of the person and kind. */
  place: number | null;
  connection_id: string | null;
}

/** The version of the owner's last written import. */
export interface ImportRevision {
  owner: string;
  revision: string;
}

/** A part of a page of an import. */
export interface ImportPageRow {
  id: string;
  import_id: string;
  digest: string;
  part: number;
  text: string;
}

/** The one row about the database itself. */
export interface GatewayRow {
  id: 'gateway';
  /** The newest program version that has set up the schema. */
  program: string;
  /** The oldest program version that may use the schema. */
  oldest_program: string;
  /** The names of the finished backfills, as JSON. */
  backfills: string;
  /** A known text, sealed. */
  key_check: string | null;
  /** The data keys, wrapped by keys elsewhere, as JSON. */
  data_keys: string | null;
}

/** The credentials that a person got before a time are over. Kept until the last of them would have expired. */
export interface EndingRow {
  /** The SHA-256 of the person's id: nothing else of a deleted person stays. */
  person: string;
  before: number;
  expires_at: number;
}

/** What the audit log keeps beside an entry, for its segments. */
export interface AuditProof {
  /** Random: hides what is personal in its commitment. Null in rows of 0.1, and once the person is gone. */
  salt: string | null;
  /** Stands for what was personal, once the person is gone. */
  commitment: string | null;
  /** Names the rows of an erasure, signed. Null in every other row. */
  erasure: string | null;
}

/** Somebody who may use a team connection that is not for everyone. */
export interface TeamPerson {
  integration: string;
  user_id: string;
}

/** A group whose people may use a team connection that is not for everyone. */
export interface TeamGroup {
  integration: string;
  name: string;
}

/** A group of a person, as the provider said at the last sign-in. An empty name says that the provider has spoken. */
export interface PersonGroup {
  user_id: string;
  source: string;
  name: string;
}

/** A task waits for an approval. */
export interface TaskApproval {
  approval_id: string;
  task_id: string;
  user_id: string;
  expires_at: number;
}

/** How far the audit rows are counted. */
export interface UsageState {
  id: 'usage';
  /** The id of the last counted row. */
  counted: number;
  /** The last step that has added counts. */
  turn: string;
}

export interface Database {
  users: Stored<User>;
  endings: EndingRow;
  connections: Stored<Connection>;
  team_connections: Stored<TeamRule>;
  team_people: TeamPerson;
  team_groups: TeamGroup;
  person_groups: PersonGroup;
  directory_people: DirectoryPerson;
  directory_groups: DirectoryGroup;
  directory_members: DirectoryMember;
  flows: Stored<Flow> & FlowPlace;
  pending_revocations: Stored<PendingRevocation>;
  leases: Lease;
  provider_clients: Stored<ProviderClient>;
  imports: Stored<ImportRecord>;
  import_tools: Stored<ImportToolRecord> & ImportToolWrite;
  import_revisions: ImportRevision;
  import_pages: ImportPageRow;
  agent_keys: Stored<AgentKey>;
  policies: Stored<RulesRecord>;
  agent_grants: Stored<AgentGrant>;
  approvals: Stored<ApprovalRecord>;
  machine_clients: Stored<MachineClient>;
  trusted_issuers: Stored<TrustedIssuer>;
  trusted_rules: Stored<TrustedRule>;
  audit_pushes: Stored<AuditPush>;
  outside_reads: OutsideRead & { id: string };
  tasks: Stored<TaskRecord> & { characters: number };
  task_approvals: TaskApproval;
  sets: SetRecord;
  set_uses: SetUse;
  service_keys: ServiceKey;
  actor_links: ActorLink;
  destinations: Stored<DestinationRecord>;
  deliveries: Stored<DeliveryRecord> & { characters: number };
  notice_settings: Stored<NoticeSettings>;
  outbox_keys: OutboxKey;
  scripts: Stored<ScriptRecord>;
  script_runs: Stored<ScriptRunRecord> & { characters: number };
  script_calls: Stored<ScriptCallRecord>;
  oauth_clients: Stored<OAuthClient> & Unused;
  oauth_client_uses: OAuthClientUse;
  oauth_codes: Stored<AuthorizationCode>;
  refresh_tokens: Stored<RefreshToken> & Rotations;
  jots: StoredJot;
  jot_leftovers: JotLeftover;
  jot_views: JotViewsRow;
  audit: Stored<AuditEntry> & Partial<AuditProof> & { id: Generated<number> };
  audit_segments: AuditSegment;
  call_details: StoredCallDetails & { characters: number };
  execution_keys: Stored<ExecutionKey> & { characters: number };
  event_subscriptions: EventSubscription;
  event_pollers: EventPoller;
  event_forwards: EventForward;
  event_streams: EventStream & { user_id: string; written: number };
  events: StoredEvent;
  usage_counts: Omit<UsageCount, 'durations'> & Record<DurationColumn, Generated<number>>;
  usage_state: UsageState;
  pending_connections: Stored<PendingConnection> & { seq: Generated<number> };
  gateway: GatewayRow;
}

export type Table = keyof Database;
