// Declares how scripts and their runs are stored. Times are Unix seconds. decision: 059

/** One version of a script that somebody has saved. */
export interface ScriptRecord {
  id: string;
  /** The person's id, or empty for the team. */
  owner: string;
  name: string;
  /** Counts the versions of the name from 1. */
  version: number;
  description: string;
  code: string;
  /** The JSON Schema of its arguments, as JSON. Null for a script without any. */
  args: string | null;
  /** Names the description, the code and the arguments. */
  digest: string;
  /** Whether its author wants the team to have this version, and whether an administrator has read it. */
  shared: 'pending' | 'reviewed' | null;
  /** The author. */
  created_by: string;
  /** The administrator who has read a script of the team; null for one of a person. */
  reviewed_by: string | null;
  created_at: number;
}

/** How many scripts an owner may have, and how many versions of each are kept. */
export interface MostScripts {
  scripts: number;
  versions: number;
}

export interface SavedScripts {
  /**
   * Stores the next version of a name and forgets the oldest versions. Returns null when the owner has `most.scripts` others, or is
   * gone.
   */
  save(script: Omit<ScriptRecord, 'version'>, most: MostScripts): Promise<ScriptRecord | null>;
  /** Lists the newest version of each script of the owner, by name. */
  list(owner: string): Promise<ScriptRecord[]>;
  /** Lists the versions that are kept, the newest first. */
  versions(owner: string, name: string): Promise<ScriptRecord[]>;
  /** Lists what waits for an administrator, the oldest first. */
  pending(limit: number): Promise<ScriptRecord[]>;
  /** Replaces the state while it still is `seen`. Returns false otherwise. */
  share(seen: Pick<ScriptRecord, 'id' | 'shared'>, next: ScriptRecord['shared']): Promise<boolean>;
  /** Deletes all versions. Returns false when there are none. */
  delete(owner: string, name: string): Promise<boolean>;
}

export type ScriptRunState = 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';

export interface ScriptRunRecord {
  id: string;
  user_id: string;
  /** The id of the actor. */
  caller: string;
  /** Names the script, its input and its caller: the same call goes on with the run that waits. */
  slot: string;
  /** The saved script and its version; null for code that was sent. */
  script: string | null;
  script_version: number | null;
  state: ScriptRunState;
  /** Changes whenever another process takes the run. */
  version: string;
  /** The process that holds the run is lost when this time has passed. Null while no process holds it. */
  running_until: number | null;
  /** How many calls the ledger has. */
  calls: number;
  created_at: number;
  updated_at: number;
  expires_at: number;
  /** The code, the input and how the run ended, sealed. */
  sealed: string;
}

/** What came of one call of a run. */
export interface ScriptCallRecord {
  run_id: string;
  /** Counts the calls of the script from 0, in the order in which it made them. */
  position: number;
  /** Counts the answers from 0, in the order in which the script got them. Null for a call that waits for a person. */
  place: number | null;
  user_id: string;
  expires_at: number;
  /** The tool, the digest of its arguments and the answer, sealed. */
  sealed: string;
}

/** How many runs of a person are kept, and how large they may be together. */
export interface MostRuns {
  runs: number;
  characters: number;
}

type Held = Pick<ScriptRunRecord, 'id' | 'version'>;

export interface ScriptRuns {
  /** Stores a run, and deletes the oldest of the person beyond `most` that no process holds. Returns false when the person is gone. */
  add(run: ScriptRunRecord, most: MostRuns): Promise<boolean>;
  get(userId: string, id: string): Promise<ScriptRunRecord | null>;
  /** Lists the person's runs, the newest first. */
  list(userId: string, limit: number): Promise<ScriptRunRecord[]>;
  /** Returns the newest run of the slot that has not ended. */
  open(userId: string, slot: string, now: number): Promise<ScriptRunRecord | null>;
  /**
   * Takes a run that has not ended, while it still has the version of `seen`. Exactly one of any number of parallel calls with the same
   * `seen` returns true.
   */
  claim(
    seen: Held,
    next: Pick<ScriptRunRecord, 'version' | 'running_until' | 'updated_at'>,
  ): Promise<boolean>;
  /** Keeps a claimed run until a later time, while it has this version. */
  keep(held: Held, until: number): Promise<void>;
  /** Adds a call to the ledger, or replaces one that waited, while the run has this version. Returns false otherwise. */
  append(held: Held, call: ScriptCallRecord, now: number): Promise<boolean>;
  /** Gives a claimed run back, while it has this version. */
  release(
    held: Held,
    next: Pick<ScriptRunRecord, 'version' | 'state' | 'updated_at' | 'sealed'>,
  ): Promise<boolean>;
  /** Lists the calls of a run of the person in the order in which the script made them. */
  calls(userId: string, runId: string): Promise<ScriptCallRecord[]>;
  /** What the runs of a person take. */
  used(userId: string): Promise<MostRuns>;
  /** Lists those of all people, ordered by id. */
  page(after: string | null, limit: number): Promise<ScriptRunRecord[]>;
  /** Replaces the sealed text only while it still is `seen`. Returns false otherwise. */
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
  /** The same for calls, ordered by run and position. */
  pageCalls(
    after: Pick<ScriptCallRecord, 'run_id' | 'position'> | null,
    limit: number,
  ): Promise<ScriptCallRecord[]>;
  swapSealedCall(
    call: Pick<ScriptCallRecord, 'run_id' | 'position'>,
    seen: string,
    next: string,
  ): Promise<boolean>;
}
