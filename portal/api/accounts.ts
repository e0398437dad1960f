// Changes and ends single accounts of an integration. reference: Several accounts
import type { AccountChange, AccountState } from '../../src/connections/operations.ts';
import { request } from './client.ts';
import type { Disconnected } from './integrations.ts';

export type { AccountChange };
export type Account = AccountState;

export function changeAccount(integration: string, id: string, change: AccountChange): Promise<unknown> {
  const path = `/api/connections/${encodeURIComponent(integration)}/accounts/${encodeURIComponent(id)}`;
  return request(path, { method: 'PATCH', body: change });
}

/** Deletes the credential of one account, and ends it at the provider where that is possible. */
export function disconnectAccount(integration: string, label: string): Promise<Disconnected> {
  const query = new URLSearchParams({ account: label, revoke: 'true' });
  return request(`/api/connections/${encodeURIComponent(integration)}?${query}`, { method: 'DELETE' });
}
