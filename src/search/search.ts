// Searches the tools by the specification's literal rule, and ranks them for a sentence.
import type { Clock } from '../ports/clock.ts';
import type { RegisteredTool } from '../kit/registry.ts';
import type { NearName } from './near-names.ts';
import type { Searchable } from './document.ts';
import { blend, type Blended, type Hit } from './blend.ts';
import { type Index, readSegments } from './joined-index.ts';
import { createRank, type Rank, type Scores } from './rank.ts';
import type { Found, Segment } from './segment.ts';
import { createTextRank, type TextRank } from './text-rank.ts';
import type { VocabularyOf } from './vocabulary.ts';
import { readWishes } from './wishes.ts';
import type { WordVectors } from './word-vectors.ts';

const MAX_SUGGESTIONS = 8;
const MIN_SHARE_OF_BEST = 0.5;
/** The hits of a whole sentence keep so many places beside those of its single wishes. */
const PLACES_OF_WHOLE = 3;
/** What is so far behind the best hit of our own ranking counts there as no hit. */
const MIN_SHARE_OF_BEST_HIT = 0.3;

export type { Blended } from './blend.ts';
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
  /** Also builds the vectors of the tools, with which a ranked search finds what is said in other words. */
  readyToRank(clock: Pick<Clock, 'turn'>, words: WordVectors | null): Promise<void>;
  /** Returns every tool that contains the query, in the order of the registry. */
  literal(query: string, integration?: string): Found[];
  /** Returns at most eight ranked guesses, for a query that no tool contains. Returns none when nothing scores well. */
  suggest(query: string, connected: ReadonlySet<string>, integration?: string): Found[];
  /** Finds the best tools for a sentence, and after them those that only contain it literally. */
  find(query: string, ranking: Ranking): Blended;
  /** The tools that `find` finds. */
  ranked(query: string, ranking: Ranking): Found[];
  /** Returns the names of tools that differ from the written one by a few typing errors. */
  near(written: string, integration?: string): NearName[];
  /** The same search over the tools with these names alone. It shares all indexes. */
  only(isShown: (name: string) => boolean): Search;
}

/** Reads the members one by one instead of spreading: a tool's schema is built when it is first read. */
export function searchablesOf(tools: readonly RegisteredTool[], isImported = false): Searchable[] {
  return tools.map(({ tool, integration }) => ({
    name: tool.name,
    description: tool.description,
    access: tool.access,
    integration: integration.name,
    words: integration.words,
    schema: isImported ? () => tool.schema : undefined,
  }));
}

/** Makes a search over layers of tools, which costs little. For a changed layer, make its segment and the search again. */
export function createSearch(vocabulary: VocabularyOf, segments: readonly Segment[]): Search {
  let made: Ranks | undefined;
  return searchIn(segments, () => (made ??= createRanks(readSegments(vocabulary(), segments))));
}

/** Both rankings over the same index, and what they share. */
interface Ranks {
  index: Index;
  rank: Rank;
  textRank: TextRank;
  /** Null until the word vectors are read. */
  words: WordVectors | null;
}

const createRanks = (index: Index): Ranks => ({
  index,
  rank: createRank(index),
  textRank: createTextRank(index),
  words: null,
});

/** `isShown` is absent where all tools are. */
function searchIn(
  segments: readonly Segment[],
  ranks: () => Ranks,
  isShown?: (name: string) => boolean,
): Search {
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

  function suggest(query: string, connected: ReadonlySet<string>, integration?: string): Found[] {
    const scores = ranks().rank(query, connected, integration);
    const hits = segments.flatMap((segment, place) =>
      segment.rows().flatMap(({ tool }, at) => {
        const score = scores[place]?.[at] ?? 0;
        return score > 0 && isShown?.(tool.name) !== false ? [{ tool, score }] : [];
      }),
    );
    // The sort keeps the order of the segments and their tools among equals.
    const ranked = hits.toSorted((one, other) => other.score - one.score);
    const least = (ranked[0]?.score ?? 0) * MIN_SHARE_OF_BEST;
    return ranked.filter(({ score }) => score >= least).map(({ tool }) => tool);
  }

  /** Ranks the tools for one wish. */
  function rankOne(query: string, { limit, connected, integration }: Ranking): Blended {
    const { index, rank, textRank, words } = ranks();
    return blend({
      sections: index.sections,
      ranked: dropFar(rank(query, connected, integration)),
      texts: textRank.score(query, words),
      connected,
      limit,
      isShown: (tool) =>
        (integration === undefined || tool.integration === integration) && isShown?.(tool.name) !== false,
    });
  }

  function find(query: string, ranking: Ranking): Blended {
    const { limit, connected, integration } = ranking;
    const { index } = ranks();
    const text = query.trim();
    const contained = literal(text, integration);
    const named = contained.filter((tool) => tool.name === text.toLowerCase());
    const whole = rankOne(query, ranking);
    const parts = limit > PLACES_OF_WHOLE ? readWishes(index, query) : [];
    const ofParts = parts.map((part) => rankOne(part, { ...ranking, limit: 1 }).hits[0]);
    const isConnected = (tool: Found): boolean => connected.has(tool.integration);
    const others = [...contained.filter(isConnected), ...contained.filter((tool) => !isConnected(tool))];
    const literally = (tool: Found): Hit => ({ tool, isWeak: false, isUnsure: false });
    const hits = [
      ...named.map(literally),
      ...whole.hits.slice(0, PLACES_OF_WHOLE),
      ...ofParts.filter((hit) => hit !== undefined && !hit.isUnsure),
      ...whole.hits.slice(PLACES_OF_WHOLE),
      ...others.map(literally),
    ].filter((hit) => hit !== undefined);
    const byName = new Map(hits.toReversed().map((hit) => [hit.tool.name, hit]));
    const first = [...new Set(hits.map(({ tool }) => tool.name))].slice(0, limit);
    const isLiteral = hits[0]?.tool !== whole.hits[0]?.tool;
    return {
      hits: first.flatMap((name) => byName.get(name) ?? []),
      servers: whole.servers,
      sureness: isLiteral ? 1 : whole.sureness,
    };
  }

  return {
    segments,

    async ready(clock) {
      for (const segment of segments) await segment.ready(clock);
    },

    async readyToRank(clock, words) {
      for (const segment of segments) await segment.ready(clock);
      const made = ranks();
      if (words === null) return;
      for (const section of made.index.sections)
        await section.segment.readyVectors(clock, words, made.textRank.rarityIn(section));
      made.words = words;
    },

    literal,
    suggest: (query, connected, integration) =>
      suggest(query, connected, integration).slice(0, MAX_SUGGESTIONS),
    find,
    ranked: (query, ranking) => find(query, ranking).hits.map(({ tool }) => tool),

    near: (written, integration) =>
      keepShown(
        segments.flatMap((segment) => segment.names().near(written, integration)),
        ({ name }) => name,
      ),

    only: (isAlsoShown) =>
      searchIn(segments, ranks, (name) => isAlsoShown(name) && isShown?.(name) !== false),
  };
}

function dropFar(scores: Scores): Scores {
  let best = 0;
  for (const each of scores) for (const score of each) best = Math.max(best, score);
  return scores.map((each) => each.map((score) => (score >= best * MIN_SHARE_OF_BEST_HIT ? score : 0)));
}
