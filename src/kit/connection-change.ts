// Declares the event that a person's stored connections change. Features that listen say so in their value. decision: 002
import type { Integration } from './integration.ts';

export interface ConnectionChange {
  /** Nothing is stored when a listener of `saving` throws. The agent that may be waiting is told after `saved`. */
  kind: 'saving' | 'saved' | 'disconnected';
  userId: string;
  integration: string;
  /** What was disconnected: one account, or all. Absent for a connection that is stored. */
  ended?: { integration: Integration; account: string | undefined };
}

export type ConnectionChanged = (change: ConnectionChange) => Promise<void>;

export const disconnection = (
  userId: string,
  integration: Integration,
  account?: string,
): ConnectionChange => ({
  kind: 'disconnected',
  userId,
  integration: integration.name,
  ended: { integration, account },
});
