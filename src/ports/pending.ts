// Stores the connections that an agent has asked for and a person has not finished yet.
export type PendingStatus = 'PENDING' | 'CONNECTED' | 'EXPIRED';

export interface PendingConnection {
  connection_id: string;
  user_id: string;
  integration: string;
  status: PendingStatus;
  /** Unix seconds. A PENDING record that is read at this time or later is EXPIRED. */
  expires_at: number;
}

/** How many records of a user are kept for each one that may be PENDING, so that an evicted one still answers EXPIRED. */
export const RECORDS_PER_PLACE = 10;

export interface PendingConnections {
  /**
   * Stores a record. The next read of any process sees it. A user has at most `most` PENDING records: the oldest of the
   * others are EXPIRED. Puts at the same time may leave a few more, until the next put. A user's records beyond the
   * newest `most * RECORDS_PER_PLACE` are deleted. Without `most` nothing is bounded. Returns the ids of those that have
   * become EXPIRED for this one.
   */
  put(record: Omit<PendingConnection, 'status'>, most?: number): Promise<string[]>;
  get(connectionId: string): Promise<PendingConnection | null>;
  /** Counts the PENDING records of the user that were put with a bound. */
  count(userId: string): Promise<number>;
  /** Marks the newest PENDING record of the user and integration as CONNECTED. Returns false when there is none. */
  connect(userId: string, integration: string): Promise<boolean>;
  /** Marks a PENDING record as EXPIRED. It stays expired. */
  expire(connectionId: string): Promise<void>;
  /** Deletes every record of the user. */
  forget(userId: string): Promise<void>;
  /** Deletes a portion of the records that expired more than an hour ago. Returns whether more may be left. */
  sweep(): Promise<boolean>;
  close(): Promise<void>;
}
