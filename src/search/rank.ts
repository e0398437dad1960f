// Ranks tools for a query in everyday words. It compares words only and needs no network. decision: 033
import { DESCRIPTION, type Document, HOME, NAME, PURPOSE, SPOKEN } from './document.ts';
import { type Index, readSegments, type Section } from './joined-index.ts';
import { type Concept, readRequest, type Request, type RequestObject } from './query.ts';
import { fieldsOf, type Found, type Segment, toolOf } from './segment.ts';
import type { Vocabulary } from './vocabulary.ts';

export type Ranked = { tool: Found; score: number };
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
/** What a term is worth in a text of the usual length. */
const PLAIN_WORTH = 0.5;
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
/** Our own tool comes first among equals, unless only the imported one is connected. */
const IMPORTED = 0.98;
/** An imported tool that has a replaced word in its name must not beat our own tool that serves the usual meaning. */
const AS_NAMED = 0.85;

export function createRank(vocabulary: Vocabulary, segments: readonly Segment[]): Rank {
  const index = readSegments(vocabulary, segments);

  return function rank(query, connected, within) {
    const own = readRequest(index, query, 'own');
    const asNamed = index.imported.size === 0 ? own : readRequest(index, query, 'imported');
    const imported = asNamed.isAsNamed ? asNamed : own;
    const named = within === undefined ? namedIntegrations(index, own.concepts) : new Set([within]);
    const owners = new Set(own.concepts.flatMap(({ term }) => index.ownersOf(term)));
    const ranked: Ranked[] = [];
    const ours = explain(index, own.concepts, named);
    const theirs = imported === own ? ours : explain(index, imported.concepts, named);
    for (const [place, section] of index.sections.entries()) {
      const { isImported } = section.segment;
      const request = isImported ? imported : own;
      const object = isImported ? imported.importedObject : own.object;
      const askedShare = request.isSaid ? ASKED_SHARE : IMPLIED_SHARE;
      const shares = (isImported ? theirs : ours)[place] ?? [];
      const rows = section.segment.rows();
      for (const [at, share] of shares.entries()) {
        const [tool, document] = [rows[at]?.tool, section.index.documents[at]];
        if (share === 0 || tool === undefined || document === undefined) continue;
        const { name, integration } = tool;
        if (within !== undefined && integration !== within) continue;
        const score =
          share *
          (1 - askedShare * (1 - serves(index, request, document))) *
          (1 - OBJECT_SHARE * (1 - isAbout(index, object, document))) *
          (named.size > 0 && !named.has(integration) ? ELSEWHERE : 1) *
          (named.size === 0 && owners.size > 0 && !owners.has(integration) ? NOT_OWNER : 1) *
          (name === `${integration}_request` ? RAW_REQUEST : 1) *
          (isImported ? IMPORTED * (request.isAsNamed ? AS_NAMED : 1) : 1) *
          (connected.has(integration) ? CONNECTED : 1);
        ranked.push({ tool, score });
      }
    }
    // The sort keeps the order of the segments and their tools among equals.
    return ranked.toSorted((one, other) => other.score - one.score);
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
function isAbout(
  { vocabulary }: Index,
  object: RequestObject | undefined,
  { objects, isPlural }: Document,
): number {
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

/** Computes the share of the query that each tool of a segment explains, or 0 for a small share. Rare ideas weigh more. */
function explain(index: Index, concepts: readonly Concept[], named: ReadonlySet<string>): number[][] {
  const parts = index.sections.map((section) => ({
    section,
    explained: section.segment.tools.map(() => 0),
    named: section.segment.tools.map(() => 0),
    isHome: section.segment.tools.map((tool) => named.has(tool.integration)),
  }));
  const anyHome = parts.some(({ isHome }) => isHome.includes(true));
  const rarest = Math.log(1 + sizeOf(index));
  let whole = 0;
  let heaviest = 0;
  for (const concept of concepts) {
    const found = parts.map((part) => ({ ...part, matches: matchesOf(index, part.section, concept) }));
    const isKnown = found.some(({ matches, isHome }) =>
      anyHome ? matches.keys().some((at) => isHome[at] === true) : matches.size > 0,
    );
    const rarity = isKnown ? concept.weight * rarityOf(index, concept, found) : UNKNOWN_RARITY * rarest;
    whole += rarity;
    if (found.some(({ matches }) => matches.size > 0)) heaviest = Math.max(heaviest, concept.weight);
    for (const { matches, explained, named: inName } of found)
      for (const [at, match] of matches) {
        explained[at] = (explained[at] ?? 0) + rarity * match.worth;
        inName[at] = (inName[at] ?? 0) + match.named;
      }
  }
  const least = MIN_EVIDENCE * heaviest * rarest;
  return parts.map(({ section, explained, named: inName }) =>
    explained.map((sum, at) => {
      if (sum <= MIN_SHARE * whole || sum <= least) return 0;
      const length = section.index.documents[at]?.nameLength ?? 0;
      const nameShare = length === 0 ? VERB_ONLY : Math.min(1, (inName[at] ?? 0) / length);
      return (sum / whole) * (1 - NAME_SHARE + NAME_SHARE * nameShare);
    }),
  );
}

/** How much of an idea a tool contains, and how much of it in its name. */
type Match = { worth: number; named: number };
type Matches = ReadonlyMap<number, Match>;

/** The number of tools that rarity is measured by: our own, unless there are none. */
const sizeOf = ({ own, imported }: Index): number => (own.size > 0 ? own.size : imported.size);

/** Computes how rare an idea is among our own tools, or else among imported ones, at most as rare as a single tool makes it. */
function rarityOf(
  index: Index,
  { term, weight }: Concept,
  found: readonly { section: Section; matches: Matches }[],
): number {
  const ours = found.filter(({ section, matches }) => !section.segment.isImported && matches.size > 0);
  const deciding = ours.length > 0 ? ours : found;
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const exact = sum(deciding.map(({ section }) => section.index.postings.get(term)?.length ?? 0));
  const count = exact > 0 ? exact : sum(deciding.map(({ matches }) => matches.size));
  const rarity = Math.log(1 + sizeOf(index) / count);
  if (ours.length > 0) return rarity;
  // A word that only overlong imported texts contain is nearly unknown.
  let best = 0;
  for (const { matches } of found) for (const { worth } of matches.values()) best = Math.max(best, worth);
  const strength = Math.min(1, best / (weight * PLAIN_WORTH));
  return rarity * (UNKNOWN_RARITY + (1 - UNKNOWN_RARITY) * strength);
}

/** Finds the tools that contain the idea's own term, or a related term at a discount. */
function matchesOf({ vocabulary }: Index, { segment, index }: Section, concept: Concept): Matches {
  const { term, weight, others = [] } = concept;
  const { documents, postings } = index;
  const matches = new Map<number, Match>();
  for (const group of vocabulary.groupsOf(term))
    for (const hit of postings.get(group) ?? []) {
      const match = matchAt(hit);
      match.worth = Math.max(match.worth, weight * RELATED_WORTH * worthOf(hit));
      if (fieldsOf(hit) & NAME) match.named = RELATED_WORTH;
    }
  for (const own of segment.isImported ? [term, ...others] : [term])
    for (const hit of postings.get(own) ?? []) {
      const match = matchAt(hit);
      const worth = weight * worthOf(hit);
      match.worth = worth + (1 - worth) * AND_RELATED * match.worth;
      if (fieldsOf(hit) & NAME) match.named = 1;
    }
  return matches;

  function matchAt(hit: number): Match {
    const at = toolOf(hit);
    const match = matches.get(at) ?? { worth: 0, named: 0 };
    matches.set(at, match);
    return match;
  }

  function worthOf(hit: number): number {
    const share = documents[toolOf(hit)]?.descriptionShare ?? 1;
    let doubt = 1;
    for (const [field, worth] of WORTHS)
      if (fieldsOf(hit) & field) doubt *= 1 - (field === DESCRIPTION ? share * worth : worth);
    return 1 - doubt;
  }
}

function namedIntegrations({ isHome, sections }: Index, concepts: readonly Concept[]): Set<string> {
  const terms = concepts.map(({ term }) => term).filter(isHome);
  return new Set(
    sections.flatMap(({ segment, index }) =>
      terms
        .flatMap((term) => index.postings.get(term) ?? [])
        .filter((hit) => fieldsOf(hit) & HOME)
        .flatMap((hit) => segment.tools[toolOf(hit)]?.integration ?? []),
    ),
  );
}
