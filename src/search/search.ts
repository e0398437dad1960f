// Searches the tools by the specification's literal rule, and ranks them for a sentence.
import type { Clock } from '../ports/clock.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { NearName } from './near-names.ts';
import type { Searchable } from './document.ts';
import { createRank, type Rank } from './rank.ts';
import type { Found, Segment } from './segment.ts';
import type { VocabularyOf } from './vocabulary.ts';

const MAX_SUGGESTIONS = 8;
const MIN_SHARE_OF_BEST = 0.5;
/** A ranked hit that is far behind the best one only costs tokens. */
const MIN_SHARE_OF_BEST_HIT = 0.3;

export type { Found } from './segment.ts';

export interface Ranking {
  limit: number;
  /** The integrations that the person has connected: they win ties. */
  connected: ReadonlySet<string>;
  /** The only integration to look in. */
  integration?: string | undefined;
}

export interface Search {
  /** The layers of tools, in their order. */
  segments: readonly Segment[];
  /** Builds the indexes that are missing, in slices. Await it before a ranked search, which would build them at once. */
  ready(clock: Pick<Clock, 'turn'>): Promise<void>;
  /** Returns every tool that contains the query, in the order of the registry. */
  literal(query: string, integration?: string): Found[];
  /** Returns at most eight ranked guesses, for a query that no tool contains. Returns none when nothing scores well. */
  suggest(query: string, connected: ReadonlySet<string>, integration?: string): Found[];
  /** Returns the best tools for a sentence, and after them those that only contain it literally. */
  ranked(query: string, ranking: Ranking): Found[];
  /** Returns the names of tools that differ from the written one by a few typing errors. */
  near(written: string, integration?: string): NearName[];
  /** The same search over the tools with these names alone. It shares all indexes. */
  only(isShown: (name: string) => boolean): Search;
}

/** Reads the members one by one instead of spreading: a tool's schema is built when it is first read. */
export function searchablesOf(tools: readonly RegisteredTool[]): Searchable[] {
  return tools.map(({ tool: { name, description, access }, integration }) => ({
    name,
    description,
    access,
    integration: integration.name,
    words: integration.words,
  }));
}

/** Makes a search over layers of tools, which costs little. For a changed layer, make its segment and the search again. */
export function createSearch(vocabulary: VocabularyOf, segments: readonly Segment[]): Search {
  let made: Rank | undefined;
  return searchIn(segments, (...request) => (made ??= createRank(vocabulary(), segments))(...request));
}

/** `isShown` is absent where all tools are. */
function searchIn(segments: readonly Segment[], rank: Rank, isShown?: (name: string) => boolean): Search {
  const keepShown = <T>(found: T[], nameOf: (each: T) => string): T[] =>
    isShown === undefined ? found : found.filter((each) => isShown(nameOf(each)));

  // The query is one literal string: it is not trimmed, split, reordered or limited. reference: Search
  function literal(query: string, integration?: string): Found[] {
    const wanted = query.toLowerCase();
    const hits = segments.flatMap((segment) =>
      segment
        .rows()
        .filter((row) => row.name.includes(wanted) || row.description.includes(wanted))
        .map((row) => row.tool),
    );
    return keepShown(
      integration === undefined ? hits : hits.filter((tool) => tool.integration === integration),
      ({ name }) => name,
    );
  }

  function best(share: number, query: string, connected: ReadonlySet<string>, integration?: string): Found[] {
    const hits = keepShown(rank(query, connected, integration), ({ tool }) => tool.name);
    const least = (hits[0]?.score ?? 0) * share;
    return hits.filter((hit) => hit.score >= least).map(({ tool }) => tool);
  }

  return {
    segments,

    async ready(clock) {
      for (const segment of segments) await segment.ready(clock);
    },

    literal,

    suggest: (query, connected, integration) =>
      best(MIN_SHARE_OF_BEST, query, connected, integration).slice(0, MAX_SUGGESTIONS),

    ranked(query, { limit, connected, integration }) {
      const text = query.trim();
      const contained = literal(text, integration);
      const named = contained.filter((tool) => tool.name === text.toLowerCase());
      const hits = best(MIN_SHARE_OF_BEST_HIT, query, connected, integration);
      const isConnected = (tool: Found): boolean => connected.has(tool.integration);
      const others = [...contained.filter(isConnected), ...contained.filter((tool) => !isConnected(tool))];
      return [...new Set([...named, ...hits, ...others])].slice(0, limit);
    },

    near: (written, integration) =>
      keepShown(
        segments.flatMap((segment) => segment.names().near(written, integration)),
        ({ name }) => name,
      ),

    only: (isAlsoShown) => searchIn(segments, rank, (name) => isAlsoShown(name) && isShown?.(name) !== false),
  };
}
