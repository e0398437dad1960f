// Ranks tools for a query in everyday words. It compares words only and needs no network.
import {
  buildIndex,
  DESCRIPTION,
  HOME,
  type Hit,
  type Index,
  NAME,
  type Searchable,
} from './search-index.ts';
import { conceptsOf, type Concept } from './search-query.ts';

export type Suggest = (query: string, connected: ReadonlySet<string>) => Searchable[];

const MAX_SUGGESTIONS = 8;

// The worth of a term by the fields that contain it. The sum is at most 1.
const NAME_WORTH = 0.8;
const HOME_WORTH = 0.8;
const DESCRIPTION_WORTH = 0.45;

const RELATED_WORTH = 0.7;
/** A word that no tool contains weighs less than the rarest known word: people add their own names and places. */
const UNKNOWN_RARITY = 0.4;
/** The part of the score that depends on how much of the tool's name the query contains. */
const NAME_SHARE = 0.2;

// A query that names an integration rarely means another one.
const ELSEWHERE = 0.6;
const RAW_REQUEST = 0.85;
// Breaks a tie between nearly equal tools and changes nothing else.
const CONNECTED = 1.03;

const MIN_SHARE = 0.3;
const MIN_SHARE_OF_BEST = 0.5;

export function createSuggest(tools: readonly Searchable[]): Suggest {
  const index = buildIndex(tools);

  return function suggest(query, connected) {
    const concepts = conceptsOf(index, query);
    const homes = toolsOfNamedIntegrations(index, concepts);
    const explained = explain(index, concepts);
    const hits = tools
      .map((tool, at) => ({ tool, at, score: explained[at] ?? 0 }))
      .filter((hit) => hit.score > 0)
      .map(({ tool, at, score }) => ({
        tool,
        score:
          score *
          (homes.size === 0 || homes.has(at) ? 1 : ELSEWHERE) *
          (tool.name === `${tool.integration}_request` ? RAW_REQUEST : 1) *
          (connected.has(tool.integration) ? CONNECTED : 1),
      }))
      .toSorted((one, other) => other.score - one.score);
    const best = hits[0]?.score ?? 0;
    return hits
      .slice(0, MAX_SUGGESTIONS)
      .filter((hit) => hit.score >= best * MIN_SHARE_OF_BEST)
      .map((hit) => hit.tool);
  };
}

/** Computes the share of the query that each tool explains. Rare ideas weigh more. A share below MIN_SHARE counts as 0. */
function explain(index: Index, concepts: readonly Concept[]): number[] {
  const explained = Array.from({ length: index.size }, () => 0);
  const named = Array.from({ length: index.size }, () => 0);
  let whole = 0;
  for (const concept of concepts) {
    const matches = matchesOf(index, concept);
    const rarity =
      matches.size === 0
        ? UNKNOWN_RARITY * Math.log(1 + index.size)
        : Math.log(1 + index.size / matches.size);
    whole += rarity;
    for (const [at, match] of matches) {
      explained[at] = (explained[at] ?? 0) + rarity * match.worth;
      named[at] = (named[at] ?? 0) + match.named;
    }
  }
  return explained.map((sum, at) => {
    const nameShare = Math.min(1, (named[at] ?? 0) / Math.max(1, index.nameLengths[at] ?? 1));
    return sum > MIN_SHARE * whole ? (sum / whole) * (1 - NAME_SHARE + NAME_SHARE * nameShare) : 0;
  });
}

type Match = { worth: number; named: number };

/** Finds the tools that contain the idea's own term, or a related term at a discount. The better match counts. */
function matchesOf(index: Index, { term, weight }: Concept): Map<number, Match> {
  const matches = new Map<number, Match>();
  const note = (from: string, share: number): void => {
    for (const { at, fields } of index.postings.get(from) ?? []) {
      const worth = share * worthOf(fields);
      if (worth > (matches.get(at)?.worth ?? 0)) matches.set(at, { worth, named: fields & NAME ? share : 0 });
    }
  };
  note(term, weight);
  for (const group of index.vocabulary.groupsOf(term)) note(group, weight * RELATED_WORTH);
  return matches;
}

function worthOf(fields: Hit['fields']): number {
  const name = fields & NAME ? NAME_WORTH : 0;
  const description = fields & DESCRIPTION ? DESCRIPTION_WORTH : 0;
  const home = fields & HOME ? HOME_WORTH : 0;
  return Math.min(1, name + description + home);
}

function toolsOfNamedIntegrations(index: Index, concepts: readonly Concept[]): Set<number> {
  const named = concepts.filter((concept) => index.homes.has(concept.term));
  const hits = named.flatMap((concept) => index.postings.get(concept.term) ?? []);
  return new Set(hits.filter((hit) => hit.fields & HOME).map((hit) => hit.at));
}
