// Lists, makes, changes and deletes sets of tools. reference: Sets
import type {
  CheckedPrompts,
  DetailedSet,
  PromptCheck,
  SetForm,
  SetList,
  SetPatch,
  ShownSet,
  ShownSetTool,
} from '../../src/sets/operations.ts';
import { request } from './client.ts';

export type { CheckedPrompts, DetailedSet, ShownSet, ShownSetTool };

export async function fetchSets(): Promise<ShownSet[]> {
  return (await request<SetList>('/api/sets')).sets;
}

/** A set of the team may have the name of an own one. */
type Named = Pick<ShownSet, 'name' | 'for'>;

const pathOf = ({ name, for: whose }: Named): string =>
  `/api/sets/${encodeURIComponent(name)}?for=${encodeURIComponent(whose)}`;

export function fetchSet(name: string, whose: string | null): Promise<DetailedSet> {
  const path = `/api/sets/${encodeURIComponent(name)}`;
  return request(whose === null ? path : `${path}?for=${encodeURIComponent(whose)}`);
}

export function makeSet(body: SetForm): Promise<ShownSet> {
  return request('/api/sets', { method: 'POST', body });
}

export function changeSet(set: Named, body: SetPatch): Promise<ShownSet> {
  return request(pathOf(set), { method: 'PATCH', body });
}

/** Looks at the prompts of a server again, and accepts them with a digest. */
export function checkPrompts({ name, for: whose }: Named, body: PromptCheck): Promise<CheckedPrompts> {
  const path = `/api/sets/${encodeURIComponent(name)}/prompts?for=${encodeURIComponent(whose)}`;
  return request(path, { method: 'POST', body });
}

export function deleteSet(set: Named): Promise<unknown> {
  return request(pathOf(set), { method: 'DELETE' });
}
