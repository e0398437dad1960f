// Brings what a caller may use together with the search over it.
import type { Identity } from '../kit/actor.ts';
import type { Integration, Tool } from '../kit/integration.ts';
import type { Registries } from '../kit/registries.ts';
import type { RegisteredTool, Registry } from '../kit/registry.ts';
import type { Gate } from '../policy/model/gate.ts';
import type { Permissions } from '../policy/model/permissions.ts';
import { visibleIn, type Visible } from '../policy/model/visibility.ts';
import type { Assets } from '../ports/assets.ts';
import type { Clock } from '../ports/clock.ts';
import type { SearchTables, Texts } from '../ports/texts.ts';
import { createNearest, type Nearest } from './nearest.ts';
import { createSearch, type Search, searchablesOf } from './search.ts';
import type { SearchCache } from './search-cache.ts';
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
 * Waits until the search is ready, so that no search has to build an index. With `whole` it holds what is blocked too, for
 * people who look after their rules. With `words` it also reads the word vectors, for a ranked search.
 */
export type ToolboxOf = (
  caller: Identity,
  options?: { whole?: boolean; words?: boolean },
) => Promise<Toolbox>;

type Needs = {
  assets: Pick<Assets, 'get'>;
  clock: Pick<Clock, 'turn'>;
  gate: Pick<Gate, 'permissionsOf'>;
  registries: Pick<Registries, 'builtIn' | 'of'>;
  searchCache: SearchCache;
  texts: Pick<Texts, 'all' | 'tables'>;
};
type Whole = Pick<Toolbox, 'search' | 'nearest'>;

export function createToolboxes({ assets, clock, gate, registries, searchCache, texts }: Needs): ToolboxOf {
  // They are here before the first index asks for a word.
  let tables: SearchTables | undefined;
  const vocabulary = createVocabulary(registries.builtIn.integrations, () => {
    if (tables === undefined) throw new TypeError('the tables of the search were not waited for');
    return tables;
  });
  // A registry stays the same until an import of the person changes.
  const made = new WeakMap<Registry, Whole>();
  const unkept = new WeakMap<Tool, Segment>();

  function segmentsOf(layer: Registry): Segment[] {
    if (layer === registries.builtIn) return [builtInSegment()];
    // One for each import: when it changes, the others keep their index.
    return [...Map.groupBy(layer.tools, ({ integration }) => integration)].map(importedSegment);
  }

  const builtInSegment = (): Segment =>
    searchCache.segment('', namesOf(registries.builtIn.tools), () =>
      createSegment(vocabulary, searchablesOf(registries.builtIn.tools)),
    );

  function importedSegment([integration, tools]: [Integration, RegisteredTool[]]): Segment {
    const make = (): Segment => createSegment(vocabulary, searchablesOf(tools, true), { isImported: true });
    if (integration.imported !== undefined)
      return searchCache.segment(integration.imported.id, tools.flatMap(marksOf), make);
    // People share the integration that their own tools belong to.
    const [first] = tools;
    if (first === undefined) return make();
    const segment = unkept.get(first.tool) ?? make();
    unkept.set(first.tool, segment);
    return segment;
  }

  function searchOver(registry: Registry): Whole {
    const search = createSearch(vocabulary, registry.layers.flatMap(segmentsOf));
    return { search, nearest: createNearest(registry, search) };
  }

  return async function toolboxOf(caller, { whole: isWhole = false, words: withWords = false } = {}) {
    const [registry, permissions] = await Promise.all([
      registries.of(caller.userId),
      gate.permissionsOf(caller),
      texts.all(),
    ]);
    tables ??= await texts.tables();
    const whole = made.get(registry) ?? searchOver(registry);
    made.set(registry, whole);
    if (withWords) await whole.search.readyToRank(clock, await searchCache.words(assets));
    else await whole.search.ready(clock);
    if (permissions.isOpen || isWhole) return { registry, permissions, ...whole };
    const visible = visibleIn(registry, permissions);
    const search = whole.search.only((name) => visible.tool(name) !== null);
    return { registry: visible, permissions, search, nearest: createNearest(visible, search) };
  };
}

const namesOf = (tools: readonly RegisteredTool[]): string[] => tools.map(({ tool }) => tool.name);

/** What an index reads of an imported tool. A digest stands for its whole definition. */
const marksOf = ({ tool, integration }: RegisteredTool): string[] => [
  `${integration.name} ${tool.name} ${tool.access}`,
  tool.digest ?? `${tool.description} ${JSON.stringify(tool.schema)}`,
];

/** Suggests names for the unknown names of one batch. It loads nothing for a batch without unknown names. */
export function nearestForBatch(toolboxOf: ToolboxOf, caller: Identity): () => Promise<Nearest['tools']> {
  let made: Promise<Nearest['tools']> | undefined;
  return () => (made ??= toolboxOf(caller).then(({ nearest }) => nearest.forBatch()));
}
