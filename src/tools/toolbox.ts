// Brings what a person can use together with the search over it.
import type { Registries } from '../kit/registries.ts';
import type { Registry } from '../kit/registry.ts';
import type { Clock } from '../ports/clock.ts';
import { createNearest, type Nearest } from './nearest.ts';
import { createSearch, type Search, searchablesOf } from './search.ts';
import { createSegment, type Segment } from './search-segment.ts';

export interface Toolbox {
  registry: Registry;
  search: Search;
  nearest: Nearest;
}

/** Waits until the search is ready to rank, so that no ranking has to build an index. */
export type ToolboxOf = (userId: string) => Promise<Toolbox>;

type Needs = { clock: Pick<Clock, 'turn'>; registries: Pick<Registries, 'builtIn' | 'of'> };

export function createToolboxes({ clock, registries }: Needs): ToolboxOf {
  // A registry stays the same until an import of the person changes, and a layer is shared by all who see it.
  const made = new WeakMap<Registry, Toolbox>();
  const segments = new WeakMap<Registry, Segment>();

  function segmentOf(layer: Registry): Segment {
    const isImported = layer !== registries.builtIn;
    const segment = segments.get(layer) ?? createSegment(searchablesOf(layer.tools), { isImported });
    segments.set(layer, segment);
    return segment;
  }

  function toolboxOver(registry: Registry): Toolbox {
    const search = createSearch(registry.layers.map(segmentOf));
    return { registry, search, nearest: createNearest(registry, search) };
  }

  return async function toolboxOf(userId) {
    const registry = await registries.of(userId);
    const toolbox = made.get(registry) ?? toolboxOver(registry);
    made.set(registry, toolbox);
    await toolbox.search.ready(clock);
    return toolbox;
  };
}

/** Suggests names for the unknown names of one batch. It loads nothing for a batch without unknown names. */
export function nearestForBatch(toolboxOf: ToolboxOf, userId: string): () => Promise<Nearest['tools']> {
  let made: Promise<Nearest['tools']> | undefined;
  return () => (made ??= toolboxOf(userId).then(({ nearest }) => nearest.forBatch()));
}
