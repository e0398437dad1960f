// Searches the tools by the specification's literal rule, and ranks them for a sentence.
import type { RegisteredTool } from '../kit/registry.ts';
import type { Searchable } from './search-document.ts';
import { createRank, type Rank } from './search-rank.ts';

const MAX_SUGGESTIONS = 8;
const MIN_SHARE_OF_BEST = 0.5;
/** A ranked hit that is far behind the best one only costs tokens. */
const MIN_SHARE_OF_BEST_HIT = 0.3;

export type Found = { name: string; description: string; integration: string };

export interface Ranking {
  limit: number;
  /** The integrations that the person has connected: they win ties. */
  connected: ReadonlySet<string>;
  /** The only integration to look in. */
  integration?: string | undefined;
}

export interface Search {
  /** Returns every tool that contains the query, in the order of the registry. */
  literal(query: string, integration?: string): Found[];
  /** Returns at most eight ranked guesses, for a query that no tool contains. Returns none when nothing scores well. */
  suggest(query: string, connected: ReadonlySet<string>, integration?: string): Found[];
  /** Returns the best tools for a sentence, and after them those that only contain it literally. */
  ranked(query: string, ranking: Ranking): Found[];
}

/** Reads the members one by one instead of spreading: a tool's schema is built when it is first read. */
export function searchablesOf(tools: readonly RegisteredTool[]): Searchable[] {
  return tools.map(({ tool: { name, description, access }, integration }) => ({
    name,
    description,
    access,
    integration: integration.name,
  }));
}

/** Makes a search over these tools. After the list has changed, make another one: an index is built at the first ranked search. */
export function createSearch(tools: readonly Searchable[]): Search {
  const rows = tools.map(({ name, description, integration }) => ({
    tool: { name, description, integration },
    name: name.toLowerCase(),
    description: description.toLowerCase(),
  }));
  let made: Rank | undefined;
  // The first ranked search builds the index, so that the start of the gateway does not pay for it.
  const rank: Rank = (...request) => (made ??= createRank(tools))(...request);

  // The query is one literal string: it is not trimmed, split, reordered or limited. reference: Search
  function literal(query: string, integration?: string): Found[] {
    const wanted = query.toLowerCase();
    const found = rows.filter((row) => row.name.includes(wanted) || row.description.includes(wanted));
    const hits = found.map((row) => row.tool);
    return integration === undefined ? hits : hits.filter((tool) => tool.integration === integration);
  }

  function best(share: number, query: string, connected: ReadonlySet<string>, integration?: string): Found[] {
    const hits = rank(query, connected, integration);
    const least = (hits[0]?.score ?? 0) * share;
    return hits.filter((hit) => hit.score >= least).flatMap(({ at }) => rows[at]?.tool ?? []);
  }

  return {
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
  };
}
