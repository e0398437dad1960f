// Declares what is stored of callers that have read content from outside. Times are Unix seconds.

/** The last read of one caller. */
export interface OutsideRead {
  user_id: string;
  /** The id of the actor. */
  caller: string;
  /** The full name of the tool, or the method and the pattern of the path of a raw request. */
  tool: string;
  read_at: number;
  expires_at: number;
}

export interface OutsideReads {
  /** Keeps the latest read of the caller. Does nothing for a person who is gone. */
  note(read: OutsideRead): Promise<void>;
  last(userId: string, caller: string): Promise<OutsideRead | null>;
}
