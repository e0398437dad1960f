// Ranks tools for a query in everyday words. It compares words only and needs no network. decision: 033
import { DESCRIPTION, type Document, HOME, NAME, PURPOSE, SPOKEN } from './document.ts';
import type { Index, Section } from './joined-index.ts';
import { type Concept, readRequest, type Request, type RequestObject } from './query.ts';
import { fieldsOf, toolOf } from './segment.ts';

/** A score for each tool of each section, in their order. */
export type Scores = readonly Float64Array[];

/**
 * Scores how well each tool serves the query, at most about 1, and 0 for tools that do not. `within` names the only
 * integration that counts.
 */
export type Rank = (query: string, connected: ReadonlySet<string>, within?: string) => Scores;

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

export function createRank(index: Index): Rank {
  return function rank(query, connected, within) {
    const own = readRequest(index, query, 'own');
    const asNamed = index.imported.size === 0 ? own : readRequest(index, query, 'imported');
    const imported = asNamed.isAsNamed ? asNamed : own;
    const named = within === undefined ? namedIntegrations(index, own.concepts) : new Set([within]);
    const owners = new Set(own.concepts.flatMap(({ term }) => index.ownersOf(term)));
    const ours = explain(index, own.concepts, named);
    const theirs = imported === own ? ours : explain(index, imported.concepts, named);
    return index.sections.map(({ segment, index: { documents } }, place) => {
      const { isImported } = segment;
      const request = isImported ? imported : own;
      const isAbout = compareObject(index, isImported ? imported.importedObject : own.object);
      const askedShare = request.isSaid ? ASKED_SHARE : IMPLIED_SHARE;
      const origin = isImported ? IMPORTED * (request.isAsNamed ? AS_NAMED : 1) : 1;
      const scores = (isImported ? theirs : ours)[place] ?? new Float64Array();
      // What explains nothing keeps its 0. Imported and own requests that differ have arrays of their own.
      return scores.map((share, at) => {
        const [tool, document] = [segment.tools[at], documents[at]];
        if (share === 0 || tool === undefined || document === undefined) return 0;
        const { name, integration } = tool;
        if (within !== undefined && integration !== within) return 0;
        return (
          share *
          (1 - askedShare * (1 - serves(index, request, document))) *
          (1 - OBJECT_SHARE * (1 - isAbout(document))) *
          (named.size > 0 && !named.has(integration) ? ELSEWHERE : 1) *
          (named.size === 0 && owners.size > 0 && !owners.has(integration) ? NOT_OWNER : 1) *
          (name === `${integration}_request` ? RAW_REQUEST : 1) *
          origin *
          (connected.has(integration) ? CONNECTED : 1)
        );
      });
    });
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

/** Makes the comparison that says how near the object of the query is to that of a tool, at most 1. */
function compareObject(
  { vocabulary }: Index,
  object: RequestObject | undefined,
): (document: Document) => number {
  if (object === undefined) return () => 1;
  const kin = object.terms.flatMap(vocabulary.groupsOf);
  return ({ objects, objectGroups, isPlural }) => {
    const [own] = objects;
    if (own === undefined) return NO_OBJECT;
    const same = object.terms.find((term) => objects.includes(term));
    if (same === undefined) return kin.some((group) => objectGroups.includes(group)) ? KIN : 0;
    // Another name is rather that of one thing that holds others: a calendar holds events.
    const many = own === same && isPlural;
    return object.isPlural === undefined || object.isPlural === many ? 1 : OTHER_NUMBER;
  };
}

/** What a concept finds in a section. The arrays are used again for each concept. */
interface Matches {
  section: Section;
  /** The tools that contain the idea. */
  found: number[];
  /** How much of the idea each tool contains. */
  worth: Float64Array;
  /** How much of it each tool has in its name. */
  inName: Float64Array;
}

/** Computes the share of the query that each tool of a section explains, or 0 for a small share. Rare ideas weigh more. */
function explain(
  index: Index,
  concepts: readonly Concept[],
  named: ReadonlySet<string>,
): Float64Array<ArrayBuffer>[] {
  const parts = index.sections.map((section) => {
    const { tools } = section.segment;
    const zeros = () => new Float64Array(tools.length);
    const matches: Matches = { section, found: [], worth: zeros(), inName: zeros() };
    return {
      explained: zeros(),
      named: zeros(),
      matches,
      isHome: (at: number): boolean => named.has(tools[at]?.integration ?? ''),
    };
  });
  const anyHome =
    named.size > 0 &&
    index.sections.some(({ segment }) => segment.tools.some(({ integration }) => named.has(integration)));
  const rarest = Math.log(1 + sizeOf(index));
  let whole = 0;
  let heaviest = 0;
  for (const concept of concepts) {
    for (const { matches } of parts) findMatches(index, matches, concept);
    const isKnown = parts.some(({ matches, isHome }) =>
      anyHome ? matches.found.some(isHome) : matches.found.length > 0,
    );
    const rarity = isKnown ? concept.weight * rarityOf(index, concept, parts) : UNKNOWN_RARITY * rarest;
    whole += rarity;
    if (parts.some(({ matches }) => matches.found.length > 0)) heaviest = Math.max(heaviest, concept.weight);
    for (const { matches, explained, named: inNames } of parts) {
      const { found, worth, inName } = matches;
      for (const at of found) {
        explained[at] = (explained[at] ?? 0) + rarity * (worth[at] ?? 0);
        inNames[at] = (inNames[at] ?? 0) + (inName[at] ?? 0);
      }
    }
  }
  const least = MIN_EVIDENCE * heaviest * rarest;
  return parts.map(({ matches: { section }, explained, named: inNames }) =>
    explained.map((sum, at) => {
      if (sum <= MIN_SHARE * whole || sum <= least) return 0;
      const length = section.index.documents[at]?.nameLength ?? 0;
      const nameShare = length === 0 ? VERB_ONLY : Math.min(1, (inNames[at] ?? 0) / length);
      return (sum / whole) * (1 - NAME_SHARE + NAME_SHARE * nameShare);
    }),
  );
}

/** The number of tools that rarity is measured by: our own, unless there are none. */
const sizeOf = ({ own, imported }: Index): number => (own.size > 0 ? own.size : imported.size);

/** Computes how rare an idea is among our own tools, or else among imported ones, at most as rare as a single tool makes it. */
function rarityOf(index: Index, { term, weight }: Concept, parts: readonly { matches: Matches }[]): number {
  const found = parts.map(({ matches }) => matches);
  const ours = found.filter(({ section, found: tools }) => !section.segment.isImported && tools.length > 0);
  const deciding = ours.length > 0 ? ours : found;
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  const exact = sum(deciding.map(({ section }) => section.index.postings.get(term)?.length ?? 0));
  const count = exact > 0 ? exact : sum(deciding.map(({ found: tools }) => tools.length));
  const rarity = Math.log(1 + sizeOf(index) / count);
  if (ours.length > 0) return rarity;
  // A word that only overlong imported texts contain is nearly unknown.
  let best = 0;
  for (const { found: tools, worth } of found) for (const at of tools) best = Math.max(best, worth[at] ?? 0);
  const strength = Math.min(1, best / (weight * PLAIN_WORTH));
  return rarity * (UNKNOWN_RARITY + (1 - UNKNOWN_RARITY) * strength);
}

/** Finds the tools that contain the idea's own term, or a related term at a discount. */
function findMatches({ vocabulary }: Index, matches: Matches, concept: Concept): void {
  const { term, weight, others = [] } = concept;
  const { found, section, worth, inName } = matches;
  const { documents, postings } = section.index;
  for (const at of found) {
    worth[at] = 0;
    inName[at] = 0;
  }
  found.length = 0;
  for (const group of vocabulary.groupsOf(term))
    for (const hit of postings.get(group) ?? []) {
      const at = note(hit);
      worth[at] = Math.max(worth[at] ?? 0, weight * RELATED_WORTH * worthOf(hit, at));
      if (fieldsOf(hit) & NAME) inName[at] = RELATED_WORTH;
    }
  for (const own of section.segment.isImported ? [term, ...others] : [term])
    for (const hit of postings.get(own) ?? []) {
      const at = note(hit);
      const exact = weight * worthOf(hit, at);
      worth[at] = exact + (1 - exact) * AND_RELATED * (worth[at] ?? 0);
      if (fieldsOf(hit) & NAME) inName[at] = 1;
    }

  /** A posting is worth more than nothing, so a tool without worth is new. */
  function note(hit: number): number {
    const at = toolOf(hit);
    if (worth[at] === 0) found.push(at);
    return at;
  }

  function worthOf(hit: number, at: number): number {
    const share = documents[at]?.descriptionShare ?? 1;
    return share === 1 ? (FULL_WORTHS[fieldsOf(hit)] ?? 0) : worthIn(fieldsOf(hit), share);
  }
}

function worthIn(fields: number, share: number): number {
  let doubt = 1;
  for (const [field, worth] of WORTHS)
    if (fields & field) doubt *= 1 - (field === DESCRIPTION ? share * worth : worth);
  return 1 - doubt;
}

/** The worth of each combination of fields in a text of the usual length. */
const FULL_WORTHS = Float64Array.from({ length: 32 }, (_, fields) => worthIn(fields, 1));

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
