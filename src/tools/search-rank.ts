// Ranks tools for a query in everyday words. It compares words only and needs no network. decision: 093
import {
  DESCRIPTION,
  type Document,
  HOME,
  NAME,
  PURPOSE,
  type Searchable,
  SPOKEN,
} from './search-document.ts';
import { buildIndex, type Hit, type Index } from './search-index.ts';
import { type Concept, readRequest, type Request } from './search-query.ts';

export type Ranked = { at: number; score: number };
export interface Rank {
  /** Returns the tools that serve the query, the best first. `within` names the only integration that counts. */
  (query: string, connected: ReadonlySet<string>, within?: string): Ranked[];
}

/** The worth of a term by the field that contains it. Several fields together are worth more, at most 1. */
const WORTHS = [
  [NAME, 0.6],
  [HOME, 0.7],
  [PURPOSE, 0.95],
  [SPOKEN, 0.5],
  [DESCRIPTION, 0.5],
] as const;
const RELATED_WORTH = 0.55;
/** What a related term adds to a tool that has the term itself. */
const AND_RELATED = 0.5;
/** A word that no tool contains weighs less than the rarest known word: people add their own names and places. */
const UNKNOWN_RARITY = 0.1;
const MIN_SHARE = 0.22;
/** A tool has to match this much of the rarest idea that a registry can have. */
const MIN_EVIDENCE = 0.17;

/** The part of the score that depends on how much of the tool's name the query contains. */
const NAME_SHARE = 0.28;
/** What a name without an object counts as, such as jira_search. */
const VERB_ONLY = 0.7;

// The part of the score that depends on whether the tool does what is asked, when the query says it or implies it.
const ASKED_SHARE = 0.7;
const IMPLIED_SHARE = 0.38;
/** How near a tool is to any action when its texts have no verb. */
const UNKNOWN_ACTION = 0.6;

/** The part of the score that depends on whether the tool is about the same thing as the query. */
const OBJECT_SHARE = 0.25;
const OTHER_NUMBER = 0.4;
/** A tool whose name is only a verb is about anything. */
const NO_OBJECT = 0.75;
const KIN = 0.25;

// A query that names an integration, or what belongs to one, rarely means another one.
const ELSEWHERE = 0.25;
const NOT_OWNER = 0.55;
const RAW_REQUEST = 0.6;
// Breaks a tie between nearly equal tools and changes nothing else.
const CONNECTED = 1.03;

export function createRank(tools: readonly Searchable[]): Rank {
  const index = buildIndex(tools);

  return function rank(query, connected, within) {
    const request = readRequest(index, query);
    const named =
      within === undefined ? namedIntegrations(index, tools, request.concepts) : new Set([within]);
    const owners = new Set(request.concepts.flatMap(({ term }) => index.owners.get(term) ?? []));
    const isHome = tools.map((tool) => named.has(tool.integration));
    const askedShare = request.isSaid ? ASKED_SHARE : IMPLIED_SHARE;
    const ranked: Ranked[] = [];
    for (const [at, share] of explain(index, request.concepts, isHome).entries()) {
      const [tool, document] = [tools[at], index.documents[at]];
      if (share === 0 || tool === undefined || document === undefined) continue;
      if (within !== undefined && tool.integration !== within) continue;
      const score =
        share *
        (1 - askedShare * (1 - serves(index, request, document))) *
        (1 - OBJECT_SHARE * (1 - isAbout(index, request, document))) *
        (named.size > 0 && !named.has(tool.integration) ? ELSEWHERE : 1) *
        (named.size === 0 && owners.size > 0 && !owners.has(tool.integration) ? NOT_OWNER : 1) *
        (tool.name === `${tool.integration}_request` ? RAW_REQUEST : 1) *
        (connected.has(tool.integration) ? CONNECTED : 1);
      ranked.push({ at, score });
    }
    return ranked.toSorted((one, other) => other.score - one.score || one.at - other.at);
  };
}

/** Computes how well a tool does what is asked, at most 1. */
function serves({ vocabulary }: Index, { asked }: Request, { doings }: Document): number {
  let best = doings.length === 0 ? UNKNOWN_ACTION : 0;
  for (const { action, weight } of asked)
    for (const doing of doings)
      best = Math.max(best, weight * doing.sureness * vocabulary.actions.nearness(action, doing.action));
  return best;
}

/** Computes how near the object of the query is to that of the tool, at most 1. */
function isAbout({ vocabulary }: Index, { object }: Request, { objects, isPlural }: Document): number {
  if (object === undefined) return 1;
  const [own] = objects;
  if (own === undefined) return NO_OBJECT;
  const same = object.terms.find((term) => objects.includes(term));
  if (same !== undefined) {
    // Another name is rather that of one thing that holds others: a calendar holds events.
    const many = own === same && isPlural;
    return object.isPlural === undefined || object.isPlural === many ? 1 : OTHER_NUMBER;
  }
  const groups = objects.flatMap(vocabulary.groupsOf);
  return object.terms.flatMap(vocabulary.groupsOf).some((group) => groups.includes(group)) ? KIN : 0;
}

/** Computes the share of the query that each tool explains, or 0 for a small share. Rare ideas weigh more. */
function explain(index: Index, concepts: readonly Concept[], isHome: readonly boolean[]): number[] {
  const size = index.documents.length;
  const explained = Array.from({ length: size }, () => 0);
  const named = Array.from({ length: size }, () => 0);
  const anyHome = isHome.includes(true);
  let whole = 0;
  let heaviest = 0;
  for (const concept of concepts) {
    const matches = matchesOf(index, concept);
    const isUnknown = matches.size === 0 || (anyHome && !matches.keys().some((at) => isHome[at] === true));
    const found = index.postings.get(concept.term)?.length ?? matches.size;
    const rarity = isUnknown
      ? UNKNOWN_RARITY * Math.log(1 + size)
      : concept.weight * Math.log(1 + size / found);
    whole += rarity;
    if (matches.size > 0) heaviest = Math.max(heaviest, concept.weight);
    for (const [at, match] of matches) {
      explained[at] = (explained[at] ?? 0) + rarity * match.worth;
      named[at] = (named[at] ?? 0) + match.named;
    }
  }
  const least = MIN_EVIDENCE * heaviest * Math.log(1 + size);
  return explained.map((sum, at) => {
    if (sum <= MIN_SHARE * whole || sum <= least) return 0;
    const length = index.documents[at]?.nameLength ?? 0;
    const nameShare = length === 0 ? VERB_ONLY : Math.min(1, (named[at] ?? 0) / length);
    return (sum / whole) * (1 - NAME_SHARE + NAME_SHARE * nameShare);
  });
}

/** How much of an idea a tool contains, and how much of it in its name. */
type Match = { worth: number; named: number };

/** Finds the tools that contain the idea's own term, or a related term at a discount. */
function matchesOf(index: Index, { term, weight }: Concept): Map<number, Match> {
  const matches = new Map<number, Match>();
  for (const group of index.vocabulary.groupsOf(term))
    for (const { at, fields } of index.postings.get(group) ?? []) {
      const match = matches.get(at) ?? { worth: 0, named: 0 };
      match.worth = Math.max(match.worth, weight * RELATED_WORTH * worthOf(fields));
      if (fields & NAME) match.named = RELATED_WORTH;
      matches.set(at, match);
    }
  for (const { at, fields } of index.postings.get(term) ?? []) {
    const match = matches.get(at) ?? { worth: 0, named: 0 };
    const worth = weight * worthOf(fields);
    match.worth = worth + (1 - worth) * AND_RELATED * match.worth;
    if (fields & NAME) match.named = 1;
    matches.set(at, match);
  }
  return matches;
}

function worthOf(fields: Hit['fields']): number {
  let doubt = 1;
  for (const [field, worth] of WORTHS) if (fields & field) doubt *= 1 - worth;
  return 1 - doubt;
}

function namedIntegrations(
  { homes, postings }: Index,
  tools: readonly Searchable[],
  concepts: readonly Concept[],
): Set<string> {
  const terms = concepts.map(({ term }) => term).filter((term) => homes.has(term));
  const hits = terms.flatMap((term) => postings.get(term) ?? []).filter(({ fields }) => fields & HOME);
  return new Set(hits.flatMap(({ at }) => tools[at]?.integration ?? []));
}
