// Declares how a connection ends at its provider. decision: 101
import type { Integration } from '../kit/integration.ts';
import type { Connection } from '../ports/records.ts';

export interface Disconnected {
  /**
   * `done`: the provider has ended the grant. `pending`: the gateway goes on trying. `not-offered`: only the person can
   * end it, at `removeAt`.
   */
  revoked: 'done' | 'not-offered' | 'pending';
  removeAt?: string;
}

export interface Disconnects {
  /**
   * Puts the credential out of reach of every call, then ends the grant at the provider. Without an account it does so
   * for each.
   */
  revoke(userId: string, integration: Integration, account?: string): Promise<Disconnected>;
  /** Tries again what is due. */
  retry(): Promise<void>;
  /** The other connections of the person that have the same grant, by each connection. */
  siblings(rows: readonly Connection[]): Promise<ReadonlyMap<Connection, readonly Connection[]>>;
}
