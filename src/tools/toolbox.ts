// Brings what a person can use together with the search over it.
import type { Registries } from '../kit/registries.ts';
import type { Registry } from '../kit/registry.ts';
import { createNearest, type Nearest } from './nearest.ts';
import { createSearch, type Search, searchablesOf } from './search.ts';

export interface Toolbox {
  registry: Registry;
  search: Search;
  nearest: Nearest;
}

export type ToolboxOf = (userId: string) => Promise<Toolbox>;

export function createToolboxes(registries: Pick<Registries, 'of'>): ToolboxOf {
  // A registry stays the same until an import of the person changes.
  const made = new WeakMap<Registry, Toolbox>();

  return async function toolboxOf(userId) {
    const registry = await registries.of(userId);
    const known = made.get(registry);
    if (known !== undefined) return known;
    const search = createSearch(searchablesOf(registry.tools));
    const toolbox = { registry, search, nearest: createNearest(registry, search) };
    made.set(registry, toolbox);
    return toolbox;
  };
}

/** Suggests names for the unknown names of one batch. It loads nothing for a batch without unknown names. */
export function nearestForBatch(toolboxOf: ToolboxOf, userId: string): () => Promise<Nearest['tools']> {
  let made: Promise<Nearest['tools']> | undefined;
  return () => (made ??= toolboxOf(userId).then(({ nearest }) => nearest.forBatch()));
}
