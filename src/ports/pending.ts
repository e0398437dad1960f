// Connections that an agent has asked for and a person has not finished yet.
export type PendingStatus = 'PENDING' | 'CONNECTED' | 'EXPIRED';

export interface PendingConnection {
  connection_id: string;
  user_id: string;
  integration: string;
  status: PendingStatus;
  /** Unix seconds; a PENDING record read at or after it is EXPIRED. */
  expires_at: number;
}

export interface PendingConnections {
  /** Visible to the next read from any process. */
  put(record: Omit<PendingConnection, 'status'>): Promise<void>;
  get(connectionId: string): Promise<PendingConnection | null>;
  /** Marks the newest PENDING record of (user, integration) CONNECTED; false when there is none. */
  connect(userId: string, integration: string): Promise<boolean>;
  /** A PENDING record becomes EXPIRED and cannot be revived. */
  expire(connectionId: string): Promise<void>;
  /** Forgets records whose expiry lies an hour back. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}
