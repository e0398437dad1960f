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
  /** Puts the credential out of reach of every call, then ends the grant at the provider. */
  revoke(userId: string, integration: Integration): Promise<Disconnected>;
  /** Tries again what is due. */
  retry(): Promise<void>;
  /** The other integrations of the person whose connections have the same grant, by the name of each connection. */
  siblings(rows: readonly Connection[]): Promise<ReadonlyMap<string, readonly string[]>>;
}
