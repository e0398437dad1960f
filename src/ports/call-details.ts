// Declares how the arguments and results of calls are stored for a day. Times are Unix seconds. decision: 040

export interface CallDetailsRecord {
  /** The `details` of the audit row. */
  id: string;
  created_at: number;
  expires_at: number;
  /** The arguments and the result, redacted and sealed. */
  sealed: string;
}

export type StoredCallDetails = CallDetailsRecord & { user_id: string };

export interface CallDetailsStore {
  /**
   * Stores the details of a person's calls, and deletes the oldest beyond `most`. Stores nothing when the person does not
   * want them kept, or is gone. Calls at the same time may leave a few more until the next one.
   */
  keep(
    userId: string,
    records: readonly CallDetailsRecord[],
    most: { calls: number; characters: number },
  ): Promise<void>;
  /** Returns null also for what has expired. */
  get(userId: string, id: string, now: number): Promise<CallDetailsRecord | null>;
  /** Leaves out what has expired and what belongs to somebody else. In any order. */
  list(userId: string, ids: readonly string[], now: number): Promise<CallDetailsRecord[]>;
  /**
   * Notes whether details are kept, and deletes those that are there when they are not. Nothing is stored afterwards, also not
   * by a call at the same time. Returns false when the person is gone.
   */
  choose(userId: string, keeps: boolean): Promise<boolean>;
  /** Lists those of all people, ordered by id. */
  page(after: string | null, limit: number): Promise<StoredCallDetails[]>;
  /** Replaces the sealed text only while it still is `seen`. Returns false otherwise. */
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
}
