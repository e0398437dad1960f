// Makes what is compared: plain BM25, MiniSearch, and the search of the gateway with and without word vectors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import MiniSearch from 'minisearch';
import { readWordVectors } from '../../src/search/word-vectors.ts';
import type { Searchable } from '../../src/search/document.ts';
import type { Search } from '../../src/search/search.ts';
import { importOf, searchIn, segmentOf, SHIPPED } from '../support/shipped-search.ts';
import { createPlainBm25 } from './plain-bm25.ts';

export const PLACES = 5;

/** Returns the names of the first five tools for a query. */
export type Ranker = (query: string) => readonly string[];

export interface Rankers {
  bm25: Ranker;
  miniSearch: Ranker;
  /** Without word vectors. */
  merged: Ranker;
  /** As people have it. */
  whole: Ranker;
  search: Search;
}

const WORDS_FILE = join(import.meta.dirname, '../../portal/public/search/words.bin');
const words = readWordVectors(new Uint8Array(readFileSync(WORDS_FILE)));
const builtIn = segmentOf(SHIPPED);
const turn = (): Promise<void> => setImmediate();

/** Puts the imports beside the built-in tools. Nothing is connected. */
export async function createRankers(imports: readonly (readonly Searchable[])[]): Promise<Rankers> {
  const tools = [...SHIPPED, ...imports.flat()];
  const segments = [builtIn, ...imports.map(importOf)];
  const [without, search] = [searchIn(...segments), searchIn(...segments)];
  await without.readyToRank({ turn }, null);
  await search.readyToRank({ turn }, words);
  const plain = createPlainBm25(tools);
  return {
    bm25: (query) => plain(query, PLACES),
    miniSearch: createMiniSearch(tools),
    merged: rankerOf(without),
    whole: rankerOf(search),
    search,
  };
}

const rankerOf =
  (search: Search): Ranker =>
  (query) =>
    search.ranked(query, { limit: PLACES, connected: new Set() }).map(({ name }) => name);

/** MiniSearch is used as it comes. It splits words at spaces and punctuation, so names are given with spaces. */
function createMiniSearch(tools: readonly Searchable[]): Ranker {
  const mini = new MiniSearch<{ id: string; title: string; text: string }>({ fields: ['title', 'text'] });
  mini.addAll(
    tools.map(({ name, description }) => ({ id: name, title: name.replaceAll('_', ' '), text: description })),
  );
  return (query) =>
    mini
      .search(query)
      .slice(0, PLACES)
      .map(({ id }) => String(id));
}
