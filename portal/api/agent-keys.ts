// Lists, makes and deletes named keys: each is for one agent. reference: Named keys
import type { KeyForm, KeyList, NewKey as MadeKeyAnswer, ShownKey } from '../../src/policy/key-operations.ts';
import { request } from './client.ts';
import type { Limits } from './agents.ts';

/** The limits of a key never change, so the form takes them with the name. */
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

export function deleteNamedKey(id: string): Promise<unknown> {
  return request(`/api/agent-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
