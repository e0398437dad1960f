// Declares how the keys of executions are stored, so that a call with a key runs once. Times are Unix seconds. decision: 053

/**
 * `asking`: a person may have to approve the call first, and nothing can have been sent. `running`: it has begun. `done`:
 * its answer is kept. `unknown`: it may have taken effect.
 */
export type ExecutionKeyState = 'asking' | 'running' | 'done' | 'unknown';

/** One row for each person, caller, tool and key. */
export interface ExecutionKey {
  /** Stands for all four. The key itself is not stored. */
  id: string;
  user_id: string;
  /** The id of the actor. */
  caller: string;
  integration: string;
  /** The full name. */
  tool: string;
  /** Stands for the arguments and the account. */
  digest: string;
  state: ExecutionKeyState;
  /** Names the run that has the key. */
  run: string;
  /** The run is lost when this time has passed. Null while nothing runs. */
  running_until: number | null;
  created_at: number;
  expires_at: number;
  /** What the call answered, sealed. Null where that is not kept. */
  sealed: string | null;
}

export interface ExecutionKeys {
  /**
   * Stores the row of a call that begins, in the place of one with this id that is over. `full`: the person has `most` rows;
   * parallel calls may store a few more. `free`: the row that was in the way has just been given back. Returns the row that is
   * there otherwise, and null when the person is gone. Exactly one of any number of parallel calls with the same id returns
   * `claimed`.
   */
  claim(row: ExecutionKey, most: number): Promise<'claimed' | 'free' | 'full' | ExecutionKey | null>;
  /**
   * Changes the row only while it has the run and the state of `seen`, and returns whether it did. Of any number of parallel
   * calls with the same `seen` that change one of the two, exactly one returns true.
   */
  move(
    seen: Pick<ExecutionKey, 'id' | 'run' | 'state'>,
    change: Pick<ExecutionKey, 'run' | 'state' | 'running_until'> & Partial<Pick<ExecutionKey, 'sealed'>>,
  ): Promise<boolean>;
  /** Drops the person's oldest answers beyond this many characters. Their rows stay. */
  trim(userId: string, characters: number): Promise<void>;
  /** Keeps the run alive until a later time, while it has the key. */
  keepRunning(id: string, run: string, until: number): Promise<void>;
  /** Deletes the row of a call that did not run. */
  release(id: string, run: string): Promise<void>;
  /** Lists those of a person that are not over, ordered by id. */
  list(userId: string, now: number, after: string | null, limit: number): Promise<ExecutionKey[]>;
  /** Lists the rows with an answer of all people, ordered by id. */
  page(after: string | null, limit: number): Promise<ExecutionKey[]>;
  /** Replaces the sealed text only while it still is `seen`. Returns false otherwise. */
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
}
