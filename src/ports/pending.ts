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

export interface PendingConnections {
  /** Stores a record. The next read of any process sees it. */
  put(record: Omit<PendingConnection, 'status'>): Promise<void>;
  get(connectionId: string): Promise<PendingConnection | null>;
  /** Marks the newest PENDING record of the user and integration as CONNECTED. Returns false when there is none. */
  connect(userId: string, integration: string): Promise<boolean>;
  /** Marks a PENDING record as EXPIRED. It stays expired. */
  expire(connectionId: string): Promise<void>;
  /** Deletes a portion of the records that expired more than an hour ago. Returns whether more may be left. */
  sweep(): Promise<boolean>;
  close(): Promise<void>;
}
