// Declares how people are administered: their roles, and how their access ends. Times are Unix seconds.
import type { User } from './records.ts';

export const ROLES = ['owner', 'administrator', 'member'] as const;

export type Role = (typeof ROLES)[number];

/** What an administrator sees of a person. */
export interface PersonSummary extends Pick<
  User,
  | 'id'
  | 'email'
  | 'is_admin'
  | 'is_owner'
  | 'created_at'
  | 'disabled_at'
  | 'invited_at'
  | 'signed_in_at'
  | 'deleted_at'
  | 'unverified_since'
> {
  has_key: boolean;
  /** The stored connections, each account counted. */
  connections: number;
  /** The OAuth clients that hold a token of the person. */
  agents: number;
  /** The named keys. */
  keys: number;
  /** When the person's last call ended. */
  called_at: number | null;
}

/** The credentials that a person got at `before` or earlier are over. */
export interface Ending {
  /** The SHA-256 of the person's id. */
  person: string;
  before: number;
}

export interface NewEnding extends Ending {
  /** When the last of those credentials would have expired by itself. */
  expires_at: number;
}

/** `last-owner`: the gateway would be left without an owner who can sign in. */
export type Changed = 'done' | 'gone' | 'last-owner';

export interface Deleting {
  id: string;
  email: string;
  deleted_at: number;
}

export interface DeletingActor extends Pick<Deleting, 'id' | 'deleted_at'> {
  /** Its service key. The row that stands for a key has its own id here. */
  service_key_id: string;
}

/** Parallel calls never leave a gateway that has an owner without one. */
export interface People {
  /** Lists those whose e-mail address contains the text, ordered by e-mail address. */
  page(query: { contains?: string; after?: string; limit: number }, now: number): Promise<PersonSummary[]>;
  get(id: string, now: number): Promise<PersonSummary | null>;
  /** Whether somebody is an owner, or an administrator. */
  hasAdministrator(): Promise<boolean>;
  /** Lets an e-mail address in. Returns the row with this address: the new one, or the one that existed, marked as invited. */
  invite(person: Pick<User, 'id' | 'email' | 'created_at'>): Promise<User>;
  setRole(id: string, role: Role): Promise<Changed>;
  /**
   * Ends the person's keys, codes, tokens and open approvals and stores the ending, all in one step, and keeps the person
   * out until `enable`. It may be repeated.
   */
  disable(id: string, ending: NewEnding): Promise<Changed>;
  /** Returns false when the person is gone, or is being deleted. */
  enable(id: string): Promise<boolean>;
  /** Does the same as `disable`, but the person may sign in again. */
  signOut(id: string, ending: NewEnding): Promise<Changed>;
  /** Returns false when the person is gone or disabled. */
  noteSignIn(id: string, now: number): Promise<boolean>;
  /** Notes since when the groups of the idp refuse the person. Null says that they let the person in. */
  noteOutside(id: string, since: number | null): Promise<void>;
  /** Does the same as `disable` for good: the person cannot be enabled any more, and is listed by `deleting`. */
  beginDeletion(id: string, ending: NewEnding): Promise<Changed>;
  /** Lists a portion of the people whose deletion has begun, the oldest first. */
  deleting(): Promise<Deleting[]>;
  /** Lists a portion of the actors, and of the rows of service keys, whose deletion began at `until` or earlier. */
  actorsToErase(until: number, portion: { limit: number; skipped: number }): Promise<DeletingActor[]>;
  /** Gives a portion of the audit rows of people to a pseudonym, without what is personal. Returns whether more are left. */
  pseudonymize(ids: readonly string[], pseudonym: string): Promise<boolean>;
  /** Deletes everything else that is stored of people or actors whose deletion has begun, in one step. */
  erase(ids: readonly string[], pseudonym: string): Promise<void>;
  /** Lists the endings that still matter. There are as many as people who lost their access within a day. */
  endings(now: number): Promise<Ending[]>;
}
