// Stores the sets of people and of the team: chosen tools, and who has called them.

export interface SetRecord {
  id: string;
  /** A person, or `EVERYONE` for a set of the team. */
  owner: string;
  /** Unique for its owner. It never changes, because it is part of an address. */
  name: string;
  title: string;
  description: string;
  /** The full names of the tools, in the order of the list, as JSON. */
  tools: string;
  /** What it takes of imported servers beside their tools, as JSON. */
  servers: string;
  /** The id of a person. */
  created_by: string;
  created_at: number;
  updated_at: number;
  /** Another text after each change. */
  version: string;
}

/** When somebody last called at the address of a set. */
export interface SetUse {
  set_id: string;
  user_id: string;
  /** The id of the actor. */
  caller: string;
  caller_name: string | null;
  last_used_at: number;
  expires_at: number;
}

export interface Sets {
  /** The set that the person means with a name: their own before that of the team. */
  find(userId: string, name: string): Promise<SetRecord | null>;
  /** The set of this very owner. */
  get(owner: string, name: string): Promise<SetRecord | null>;
  /** The person's own sets and those of the team, ordered by name. */
  list(userId: string): Promise<SetRecord[]>;
  /**
   * `taken`: the owner or the team has the name. `full`: the owner has `most` sets. `gone`: who makes it is gone or
   * disabled. Parallel calls never get past a rule.
   */
  create(record: SetRecord, most: number): Promise<'created' | 'taken' | 'full' | 'gone'>;
  /** Replaces the set while it still has the version `seen`. Returns false otherwise. */
  update(seen: string, next: SetRecord): Promise<boolean>;
  /** Deletes the set and what is known of its use. Returns false when it was gone. */
  delete(id: string): Promise<boolean>;
  /** Does nothing when the set is gone. */
  noteUse(use: SetUse): Promise<void>;
  /** The callers of the person, the latest first. */
  uses(setId: string, userId: string, limit: number): Promise<SetUse[]>;
}
