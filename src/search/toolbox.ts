// Brings what a caller may use together with the search over it.
import type { Identity } from '../kit/actor.ts';
import type { Registries } from '../kit/registries.ts';
import type { Registry } from '../kit/registry.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import { visibleIn, type Visible } from '../policy/model/visibility.ts';
import type { Clock } from '../ports/clock.ts';
import { createNearest, type Nearest } from './nearest.ts';
import { createSearch, type Search, searchablesOf } from './search.ts';
import { createSegment, type Segment } from './segment.ts';
import { createVocabulary } from './vocabulary.ts';

/** Holds nothing that is blocked for its caller. */
export interface Toolbox {
  registry: Visible;
  search: Search;
  nearest: Nearest;
  permissions: Permissions;
}

/**
 * Waits until the search is ready to rank, so that no ranking has to build an index. With `whole` it holds what is blocked
 * too, for people who look after their rules.
 */
export type ToolboxOf = (caller: Identity, options?: { whole?: boolean }) => Promise<Toolbox>;

type Needs = {
  clock: Pick<Clock, 'turn'>;
  gate: Pick<Gate, 'permissionsOf'>;
  registries: Pick<Registries, 'builtIn' | 'of'>;
};
type Whole = Pick<Toolbox, 'search' | 'nearest'>;

export function createToolboxes({ clock, gate, registries }: Needs): ToolboxOf {
  const vocabulary = createVocabulary(registries.builtIn.integrations);
  // A registry stays the same until an import of the person changes, and a layer is shared by all who see it.
  const made = new WeakMap<Registry, Whole>();
  const segments = new WeakMap<Registry, Segment>();

  function segmentOf(layer: Registry): Segment {
    const isImported = layer !== registries.builtIn;
    const segment =
      segments.get(layer) ?? createSegment(vocabulary, searchablesOf(layer.tools), { isImported });
    segments.set(layer, segment);
    return segment;
  }

  function searchOver(registry: Registry): Whole {
    const search = createSearch(vocabulary, registry.layers.map(segmentOf));
    return { search, nearest: createNearest(registry, search) };
  }

  return async function toolboxOf(caller, { whole: isWhole = false } = {}) {
    const [registry, permissions] = await Promise.all([
      registries.of(caller.userId),
      gate.permissionsOf(caller),
    ]);
    const whole = made.get(registry) ?? searchOver(registry);
    made.set(registry, whole);
    await whole.search.ready(clock);
    if (permissions.isOpen || isWhole) return { registry, permissions, ...whole };
    const visible = visibleIn(registry, permissions);
    const search = whole.search.only((name) => visible.tool(name) !== null);
    return { registry: visible, permissions, search, nearest: createNearest(visible, search) };
  };
}

/** Suggests names for the unknown names of one batch. It loads nothing for a batch without unknown names. */
export function nearestForBatch(toolboxOf: ToolboxOf, caller: Identity): () => Promise<Nearest['tools']> {
  let made: Promise<Nearest['tools']> | undefined;
  return () => (made ??= toolboxOf(caller).then(({ nearest }) => nearest.forBatch()));
}
