// Declares how a connection ends at its provider, and what is the same for every way to end one. decision: 026
import type { Integration } from '../../kit/integration.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Connection } from '../../ports/records.ts';
import { instanceIn, readConfigOf } from './config.ts';
import { fillInstance } from './instance.ts';
import { wayOf } from './ways.ts';

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
  /**
   * Disconnects everything of actors whose access ended long before. `retry` ends their grants at the providers, for a
   * pseudonym.
   */
  endAll(userIds: readonly string[], pseudonym: string): Promise<void>;
  /** Gives what is still to be revoked of people who are being deleted to a pseudonym. */
  handOver(userIds: readonly string[], pseudonym: string): Promise<void>;
  /** Tries again a portion of what is due. Returns whether more may be due. */
  retry(): Promise<boolean>;
  /** The other connections of the person that have the same grant, by each connection. */
  siblings(rows: readonly Connection[]): Promise<ReadonlyMap<Connection, readonly Connection[]>>;
}

/** Names the page where the person removes the credential themselves. */
export function removeAt(integration: Integration, row: Connection): { removeAt?: string } {
  const { token, revoke } = integration;
  const isToken = wayOf(row, integration) === 'token';
  const page = isToken ? (token?.removeAt ?? token?.url) : revoke?.at;
  const instanceUrl = instanceIn(readConfigOf(row), integration);
  return page === undefined ? {} : { removeAt: fillInstance(page, instanceUrl) };
}

const SECOND_MS = 1000;

/**
 * Waits until the second in which the newest of the rows was stored is over. Approvals and curl sessions know an account by
 * that second, so an account that is connected after the deletion must have another one.
 */
export async function outliveSecond(
  clock: Pick<Clock, 'now' | 'sleep'>,
  rows: readonly Pick<Connection, 'created_at'>[],
): Promise<void> {
  const now = clock.now();
  if (rows.some(({ created_at }) => created_at === now)) await clock.sleep(SECOND_MS);
}
