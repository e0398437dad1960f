// Makes searches that know the words of the shipped integrations, over any tools.
import { searchTables } from '../../src/search/tables.ts';
import { integrations } from '../../integrations/all.ts';
import { createJotsIntegration } from '../../src/jots/integration.ts';
import type { Jots } from '../../src/jots/jots.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import type { Searchable } from '../../src/search/document.ts';
import { createSearch, type Search, searchablesOf } from '../../src/search/search.ts';
import { createSegment, type Segment } from '../../src/search/segment.ts';
import { createVocabulary } from '../../src/search/vocabulary.ts';

/** The shipped tools with their texts. None of them runs here. */
export const shipped = createRegistry([...integrations, createJotsIntegration({} as Jots)]);
export const SHIPPED = searchablesOf(shipped.tools);
export const vocabulary = createVocabulary(shipped.integrations, () => searchTables);

export const segmentOf = (tools: readonly Searchable[]): Segment => createSegment(vocabulary, tools);

export const importOf = (tools: readonly Searchable[]): Segment =>
  createSegment(vocabulary, tools, { isImported: true });

export const searchIn = (...segments: readonly Segment[]): Search => createSearch(vocabulary, segments);
