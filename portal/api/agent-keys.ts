// Lists, makes, changes, pauses and deletes named keys: each is for one agent. reference: Named keys
import type { KeyForm, KeyList, NewKey as MadeKeyAnswer, ShownKey } from '../../src/policy/key-operations.ts';
import { request } from './client.ts';
import type { Limits } from './agents.ts';

export type NewKey = Limits & Pick<KeyForm, 'name'>;
export type NamedKey = ShownKey;
/** The gateway shows the key itself only in this answer. */
export type MadeKey = MadeKeyAnswer;

export async function fetchNamedKeys(): Promise<NamedKey[]> {
  return (await request<KeyList>('/api/agent-keys')).keys;
}

export function makeNamedKey(body: NewKey): Promise<MadeKey> {
  return request('/api/agent-keys', { method: 'POST', body });
}

/** Replaces the name and all limits; the key itself stays. */
export function changeNamedKey(id: string, body: NewKey): Promise<NamedKey> {
  return request(`/api/agent-keys/${encodeURIComponent(id)}`, { method: 'PATCH', body });
}

export function pauseNamedKey(id: string, paused: boolean): Promise<NamedKey> {
  return request(`/api/agent-keys/${encodeURIComponent(id)}/paused`, { method: 'PUT', body: { paused } });
}

export function deleteNamedKey(id: string): Promise<unknown> {
  return request(`/api/agent-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
