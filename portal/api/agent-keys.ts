// Lists, makes and deletes named keys: each is for one agent. reference: Named keys
import { request } from './client.ts';
import type { Limits } from './types.ts';

/** Times are Unix seconds. */
export interface NamedKey extends Limits {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export interface NewKey extends Limits {
  name: string;
}

/** The gateway shows the key itself only in this answer. */
export type MadeKey = NamedKey & { key: string };

export async function fetchNamedKeys(): Promise<NamedKey[]> {
  return (await request<{ keys: NamedKey[] }>('/api/agent-keys')).keys;
}

export function makeNamedKey(body: NewKey): Promise<MadeKey> {
  return request('/api/agent-keys', { method: 'POST', body });
}

export function deleteNamedKey(id: string): Promise<unknown> {
  return request(`/api/agent-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
