// Indexes the tools of one layer, such as one import. Every search that has the layer shares its index. decision: 033
import type { Clock } from '../ports/clock.ts';
import { createNameList, type NameList } from './near-names.ts';
import { type Document, readDocument, type Searchable } from './document.ts';
import { createWordList, type WordList } from './spelling.ts';
import type { Vocabulary, VocabularyOf } from './vocabulary.ts';
import { splitWords } from './stems.ts';
import { startTextIndex, type TextIndex } from './text-index.ts';
import { createToolVectors, type ToolVectors, type WordVectors } from './word-vectors.ts';

/** Reading so many tools takes a few milliseconds. Other requests get their turn between two slices. */
const TOOLS_OF_A_SLICE = 25;

export type Found = { name: string; description: string; integration: string };

/** The tools that contain a term, in their order: each one and the fields with the term as one number. */
export type Posting = readonly number[];

const FIELD_BITS = 5;
export const toolOf = (hit: number): number => hit >> FIELD_BITS;
export const fieldsOf = (hit: number): number => hit & ((1 << FIELD_BITS) - 1);

export interface SegmentIndex {
  documents: readonly Document[];
  postings: ReadonlyMap<string, Posting>;
  /** The integration that a term belongs to, although it does not name it: "loki". */
  owners: ReadonlyMap<string, string>;
  words: WordList;
  texts: TextIndex;
}

export interface Segment {
  tools: readonly Searchable[];
  /** The texts come from outside: they add to what our own tools say, and never change it. */
  isImported: boolean;
  /** The tools as they are found, and their texts in lower case. */
  rows: () => readonly Row[];
  names: () => NameList;
  /** Returns the index. Builds what is missing of it at once. */
  index: () => SegmentIndex;
  /** Builds the index in slices that let other work pass. */
  ready: (clock: Pick<Clock, 'turn'>) => Promise<void>;
  /** The vectors of the tools once they are built, or undefined. */
  vectors: () => ToolVectors | undefined;
  /** Builds the vectors in such slices, after the index. A stem counts by its rarity. */
  readyVectors: (clock: Pick<Clock, 'turn'>, words: WordVectors, rarity: Rarity) => Promise<void>;
}

export type Rarity = (stem: string) => number;

export type Row = { tool: Found; name: string; description: string };

/** Makes a segment of tools that never change. It costs nothing until the first search. */
export function createSegment(
  vocabulary: VocabularyOf,
  tools: readonly Searchable[],
  { isImported = false } = {},
): Segment {
  let rows: readonly Row[] | undefined;
  let names: NameList | undefined;
  let building: Building | undefined;
  let built: SegmentIndex | undefined;
  let vectors: ToolVectors | undefined;
  let buildingVectors: BuildingVectors | undefined;

  function index(): SegmentIndex {
    while (built === undefined) buildSlice();
    return built;
  }

  function buildSlice(): void {
    building ??= startIndex(vocabulary(), tools, isImported);
    if (!building.read(TOOLS_OF_A_SLICE)) return;
    built = building.finish();
    building = undefined;
  }

  // Callers take turns in building, and none waits for another one: on an edge runtime that one may have ended.
  async function ready({ turn }: Pick<Clock, 'turn'>): Promise<void> {
    while (built === undefined) {
      buildSlice();
      await turn();
    }
  }

  async function readyVectors(
    { turn }: Pick<Clock, 'turn'>,
    words: WordVectors,
    rarity: Rarity,
  ): Promise<void> {
    while (vectors === undefined) {
      buildingVectors ??= startVectors(index().texts, tools.length, words, rarity);
      if (buildingVectors.read(TOOLS_OF_A_SLICE)) vectors = buildingVectors.vectors;
      await turn();
    }
    buildingVectors = undefined;
  }

  return {
    tools,
    isImported,
    rows: () => (rows ??= tools.map(rowOf)),
    names: () => (names ??= createNameList(tools.map(({ name, integration }) => [name, name, integration]))),
    index,
    ready,
    vectors: () => vectors,
    readyVectors,
  };
}

function rowOf({ name, description, integration }: Searchable): Row {
  return {
    tool: { name, description, integration },
    name: name.toLowerCase(),
    description: description.toLowerCase(),
  };
}

interface Building {
  /** Reads so many tools, and returns whether all of them are read. */
  read: (count: number) => boolean;
  finish: () => SegmentIndex;
}

function startIndex(vocabulary: Vocabulary, tools: readonly Searchable[], isImported: boolean): Building {
  const { groupsOf, termsOf } = vocabulary;
  const documents: Document[] = [];
  const postings = new Map<string, number[]>();
  const words = createWordList();
  const textIndex = startTextIndex();

  function readTool(tool: Searchable): void {
    const at = documents.length;
    const { texts, document } = readDocument(vocabulary, tool, isImported);
    documents.push(document);
    textIndex.add(tool);
    for (const word of texts.words) words.add(word, 1);
    for (const [field, terms] of texts.fields)
      for (const term of terms) for (const each of [term, ...groupsOf(term)]) post(each, at, field);
  }

  function post(term: string, at: number, field: number): void {
    const hit = (at << FIELD_BITS) | field;
    const hits = postings.get(term);
    const last = hits?.at(-1);
    if (hits === undefined || last === undefined) postings.set(term, [hit]);
    else if (toolOf(last) === at) hits[hits.length - 1] = last | field;
    else hits.push(hit);
  }

  return {
    read(count) {
      for (const tool of tools.slice(documents.length, documents.length + count)) readTool(tool);
      return documents.length === tools.length;
    },

    finish() {
      const owned = new Map(tools.map(({ integration, words: own }) => [integration, own?.owned ?? '']));
      const owners = [...owned].flatMap(([integration, names]) =>
        [...termsOf(splitWords(names))].map((term) => [term, integration] as const),
      );
      return {
        documents,
        postings,
        owners: new Map(owners),
        words,
        texts: textIndex.finish(),
      };
    },
  };
}

interface BuildingVectors {
  vectors: ToolVectors;
  /** Makes the vectors of so many tools, and returns whether all of them are made. */
  read: (count: number) => boolean;
}

function startVectors(texts: TextIndex, size: number, words: WordVectors, rarity: Rarity): BuildingVectors {
  const stems = Array.from({ length: size }, (): [stem: string, weight: number][] => []);
  for (const stem of texts.stems)
    texts.each(stem, (tool, weight) => stems[tool]?.push([stem, rarity(stem) * Math.sqrt(weight)]));
  const vectors = createToolVectors(size, words.length);
  let next = 0;
  return {
    vectors,
    read(count) {
      const end = Math.min(size, next + count);
      for (; next < end; next++) vectors.set(next, words.sum(stems[next] ?? []));
      return next === size;
    },
  };
}
