// Declares what is stored of rules, named keys, grants and approvals. Times are Unix seconds.
import type { AccountOwner } from './records.ts';

/** A key that a person has made for one agent. Only its SHA-256 is stored. */
export interface AgentKey {
  id: string;
  user_id: string;
  name: string;
  key_sha: string;
  /** What the key may do at most, as JSON. */
  limits: string;
  /** Null never expires. */
  expires_at: number | null;
  created_at: number;
  last_used_at: number | null;
  /** When the person paused it; null while it works. */
  paused_at: number | null;
}

/** The rules of a person or of everyone. */
export interface RulesRecord {
  /** The person's id, or empty for everyone. */
  owner: string;
  /** A JSON list. */
  rules: string;
  /** Changes with every write. */
  revision: string;
  updated_at: number;
}

/** What a person lets an OAuth client do. A client without a row may do everything. */
export interface AgentGrant {
  user_id: string;
  client_id: string;
  /** What the client may do at most, as JSON. */
  limits: string;
  /** Null never expires. */
  expires_at: number | null;
  /** Changes with every write of the limits. */
  revision: string;
  updated_at: number;
  last_used_at: number | null;
  /** When the person paused the client; null while it works. */
  paused_at: number | null;
}

/** The limits of a grant that allows everything. */
export const NO_LIMITS = '{}';

/** A grant that nobody has limited. It says the same as no row: the revision, too, is that of a missing row. */
export const UNLIMITED = { limits: NO_LIMITS, expires_at: null, revision: '-' } as const;

export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'denied'
  | 'expired'
  | 'running'
  | 'done'
  | 'failed'
  | 'unknown';

/** One call that a person was asked about. */
export interface ApprovalRecord {
  id: string;
  user_id: string;
  /** The digest while the question is open or its answer holds, else the id: there is one open question for a call. */
  slot: string;
  /** Names the call: tool, definition, account, arguments, caller and the revision of the rules. */
  digest: string;
  state: ApprovalState;
  /** What a yes covers: one call, or any number of the same calls until `expires_at`. Null before. */
  covers: 'once' | 'hour' | null;
  /** The id of the actor, and its name if it has one. */
  caller: string;
  caller_name: string | null;
  integration: string;
  /** The full name of a tool, or the method and path of a raw request. */
  tool: string;
  access: 'read' | 'write' | 'destroy';
  /** The label of the account; null when it is not known. */
  account: string | null;
  /** `team` for the account of everyone; null for one of the person's own. */
  owner: AccountOwner | null;
  /** What the person is shown, sealed. Null once nobody can decide any more and nothing has run. */
  sealed: string | null;
  /** Why the person was asked, where more than the call decided that. */
  because: string | null;
  /** Why the person said no. */
  reason: string | null;
  /** Names the run that has the approval; null until a call has begun. */
  run: string | null;
  /** The run is lost when this time has passed. Null while nothing runs. */
  running_until: number | null;
  created_at: number;
  /** When the question, a yes or a no ends. */
  expires_at: number;
  decided_at: number | null;
  /** When the run began and when it ended. */
  ran_at: number | null;
  ended_at: number | null;
}

/** Keys for single agents. */
export interface AgentKeys {
  /** Returns false when the person has `most` keys. Parallel calls never get past it. */
  add(key: AgentKey, most: number): Promise<boolean>;
  /** Lists the person's keys, the newest first. */
  list(userId: string): Promise<AgentKey[]>;
  /** Lists the keys of people with a destination that expire in between, ordered by id. */
  expiring(after: number, until: number, page: { after: string | null; limit: number }): Promise<AgentKey[]>;
  /** Returns null also when the person is gone or disabled. */
  bySha(sha: string): Promise<AgentKey | null>;
  /** The same by the id. */
  get(id: string): Promise<AgentKey | null>;
  /** Deletes the person's key, and ends its approvals that have not run. Returns false when there is none. */
  delete(userId: string, id: string): Promise<boolean>;
  /**
   * Changes the person's key, and ends its approvals that have not run. Returns the changed key, or null when there is none.
   */
  update(
    userId: string,
    id: string,
    change: Pick<AgentKey, 'name' | 'limits' | 'expires_at'>,
  ): Promise<AgentKey | null>;
  /** Pauses the key, or lets it work again with null. Returns null when there is none. */
  pause(userId: string, id: string, at: number | null): Promise<AgentKey | null>;
  /** Notes a use, unless a later one is noted. */
  noteUse(id: string, now: number): Promise<void>;
}

/** Everything that decides about one caller, read with one statement. */
export interface PolicyRows {
  everyone: Pick<RulesRecord, 'rules' | 'revision'> | null;
  own: Pick<RulesRecord, 'rules' | 'revision'> | null;
  /** The grant of the OAuth client; null without one. */
  grant: Pick<AgentGrant, 'limits' | 'expires_at' | 'revision'> | null;
}

/** What agents may do: rules, and the limits of OAuth clients. `EVERYONE` owns the rules for all. */
export interface Policies {
  read(userId: string, clientId: string | null): Promise<PolicyRows>;
  /** Stores the rules, and ends in the same step the approvals of their people that have not run. */
  putRules(record: RulesRecord): Promise<void>;
  /** Lists the grants of the person. */
  grants(userId: string): Promise<AgentGrant[]>;
  /**
   * Stores the limits of a grant, and ends in the same step the approvals of this client that have not run. A second put
   * keeps when it was used and whether it is paused.
   */
  putGrant(grant: AgentGrant): Promise<void>;
  /** Notes a use of the client, unless a later one is noted. A client without a row gets one without limits. */
  noteUse(grant: AgentGrant): Promise<void>;
  /** Stores `paused_at`. A client without a row gets one without limits. */
  pause(grant: AgentGrant): Promise<void>;
  /** Lists the clients that their people have paused. */
  paused(): Promise<Pick<AgentGrant, 'user_id' | 'client_id'>[]>;
}

export interface ApprovalQuery {
  user_id: string;
  states?: readonly ApprovalState[] | undefined;
  limit: number;
}

/** The columns that change after the question is stored. */
export type ApprovalChange = Partial<
  Pick<
    ApprovalRecord,
    | 'slot'
    | 'state'
    | 'covers'
    | 'sealed'
    | 'reason'
    | 'run'
    | 'running_until'
    | 'expires_at'
    | 'decided_at'
    | 'ran_at'
    | 'ended_at'
  >
>;

/** How many questions may wait. `sealed` is in bytes, as they are stored. */
export interface MostQuestions {
  ofCaller: number;
  ofPerson: number;
  sealedOfPerson: number;
}

/**
 * Calls that people are asked about. Where something else ends those that have not run, they become `expired`, free their
 * slot and have no arguments any more. `due` lists them until they have an `ended_at`.
 */
export interface Approvals {
  /**
   * Stores a question. `taken`: its slot is in use. `full`: too many of the caller's questions wait. `person-full`: those
   * of the person are too many or too large together, also counting those that are over and not ended yet. Exactly one of
   * any number of parallel calls with the same slot returns `asked`.
   */
  ask(approval: ApprovalRecord, most: MostQuestions): Promise<'asked' | 'taken' | 'full' | 'person-full'>;
  /** Counts the questions of a person as `ask` does. */
  waiting(userId: string): Promise<{ count: number; sealed: number }>;
  bySlot(userId: string, slot: string): Promise<ApprovalRecord | null>;
  get(userId: string, id: string): Promise<ApprovalRecord | null>;
  /** Returns the person's last finished approval of the same call, if it is kept. */
  lastEnded(userId: string, digest: string): Promise<ApprovalRecord | null>;
  /** Lists the person's approvals, the newest first. */
  list(query: ApprovalQuery): Promise<ApprovalRecord[]>;
  /**
   * Changes the row only while it has the state, the run and the expiry of `seen`. Exactly one of any number of parallel
   * calls with the same `seen` returns true, if they all change one of the three.
   */
  move(
    seen: Pick<ApprovalRecord, 'id' | 'state' | 'run' | 'expires_at'>,
    change: ApprovalChange,
  ): Promise<boolean>;
  /** Keeps the run alive until a later time, while it has the approval. */
  keepRunning(id: string, run: string, until: number): Promise<void>;
  /** Lists a portion of the approvals that have not ended and whose time is over, of all people or of one. */
  due(now: number, limit: number, userId?: string): Promise<ApprovalRecord[]>;
  /** Writes the new label of an account into the approvals that have not ended. */
  renameAccount(
    of: Pick<ApprovalRecord, 'user_id' | 'integration'>,
    former: string,
    label: string,
  ): Promise<void>;
  /** Ends the approvals of a person and integration that have not run. */
  end(userId: string, integration: string): Promise<void>;
  /** Deletes a portion of the approvals that have ended and were made at `before` or earlier. Returns whether more may be left. */
  purge(before: number): Promise<boolean>;
}
