// Reads a query as what it asks to do and as weighted ideas, of which one is its object.
import {
  ABOUT,
  ARTICLES,
  ATTRIBUTES,
  EMPTY_NOUNS,
  FOR,
  HOW_QUESTIONS,
  LAST_VERBS,
  LEADS,
  MANY,
  NEED_ARTICLE,
  QUALIFIERS,
  QUESTIONS,
  WITHOUT,
} from './grammar.ts';
import type { Index } from './joined-index.ts';
import { readTokens, type Reader, type Token } from './tokens.ts';
import type { Phrase } from './vocabulary.ts';
import { isPlural, stem } from './stems.ts';

// The weight of an action by the kind of its verb. The first verb of a query counts fully.
const LATER_VERB = 0.33;
/** "assigned", "trending": rather an adjective than what is asked. */
const PARTICIPLE = 0.3;
const BY_QUESTION = 0.8;
const LAST_VERB = 0.6;

// The weight of an idea by its place. A verb such as "merge" is also an idea; a verb such as "list" is only an action.
const VERB_WEIGHT = 0.6;
const QUALIFIER_WEIGHT = 0.7;
const ABOUT_WEIGHT = 0.7;
const FOR_WEIGHT = 0.8;
/** "Search Confluence for the holiday policy": what is sought is in Confluence, not in a tool. */
const SOUGHT_WEIGHT = 0.5;
/** What follows the object says where it is or whose it is. */
const CONTEXT_WEIGHT = 0.95;

/** An idea of a query, weighted by how likely it was meant. */
export type Concept = {
  term: string;
  weight: number;
  /** Terms that mean the same in imported tools: the typed word, or what our vocabulary makes of it. */
  others?: readonly string[] | undefined;
};
export type Asked = { action: string; weight: number };

export type RequestObject = { terms: readonly string[]; isPlural: boolean | undefined };

export interface Request {
  concepts: readonly Concept[];
  /** What the request is about: "comments" in "list the comments of an issue". */
  object: RequestObject | undefined;
  /** What the request is about if one of the imported tools serves it: they contain nouns that ours lack. */
  importedObject: RequestObject | undefined;
  /** What the query asks to do, the most likely first. */
  asked: readonly Asked[];
  /** Whether a word says what is asked. A query without a verb implies that it wants to see something. */
  isSaid: boolean;
  /** Whether names of imported tools contain words of the query that our vocabulary replaces. */
  isAsNamed: boolean;
}

export function readRequest(index: Index, query: string, reader: Reader): Request {
  const { isHome, vocabulary } = index;
  const { actions, isTelling } = vocabulary;
  const tokens = readTokens(index, query, reader);
  const stems = tokens.map((token) => stem(token.word));
  const isQuestion = asksSomething(index, tokens);
  const concepts = new Map<string, Concept>();
  const asked: Asked[] = [];
  const verbs: Concept[] = [];
  let lastVerb: Asked | undefined;
  let object: string | undefined;
  let importedObject: string | undefined;
  let isObjectOver = false;
  let objectIsPlural = false;
  let deed: string | undefined;
  let isFirst = true;
  let isMany = false;
  let weightOfPart = 1;

  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (token === undefined) break;
    const phrase = vocabulary.phraseAt(stems, at) ?? compoundAt(index, stems, at);
    const { terms, length } = phrase ?? { terms: [stems[at] ?? ''], length: 1 };
    const others = token.meant ?? (token.isImported === true ? [stem(token.raw)] : undefined);
    const action = terms.length === 1 ? actions.actionOf(terms[0] ?? '') : undefined;
    const weight = weightOfPart * Math.min(...tokens.slice(at, at + length).map((each) => each.weight));
    if (action !== undefined && isVerb(token, at)) readVerb(token, stems[at] ?? '', action, weight);
    else readNoun(token, terms, at + length, action, weight, others);

    const isNamed = token.meant !== undefined;
    if (terms.some((term) => isTelling(term) && (isNamed || index.own.isKnown(term)))) isFirst = false;
    if (MANY.has(token.raw)) isMany = true;
    if (concepts.size > 0) weightOfPart = Math.min(weightOfPart, weightAfter(token.raw));
    at += length + (WITHOUT.has(token.raw) ? 1 : 0);
  }

  if (concepts.size === 0) for (const { term, weight } of verbs) note(term, weight);
  if (asked.length === 0 && !isQuestion && lastVerb !== undefined) asked.push(lastVerb);
  const wishes = settle(isQuestion, asked);
  const seesOne = !objectIsPlural && tokens.some(({ word }) => /^\d+$/.test(word));
  return {
    concepts: [...concepts.values()],
    object: objectOf(object ?? importedObject, wishes[0]?.action),
    importedObject: objectOf(importedObject, wishes[0]?.action),
    asked: wishes.map(({ action, weight }) => ({
      action: action === 'show' ? toShow(seesOne) : action,
      weight,
    })),
    isSaid: wishes !== IMPLIED,
    isAsNamed: tokens.some(({ meant }) => meant !== undefined),
  };

  function readVerb(token: Token, term: string, action: string, weight: number): void {
    const isParticiple =
      token.kind === 'participle' || token.word.endsWith('ed') || (!isFirst && token.word.endsWith('ing'));
    asked.push({ action, weight: isParticiple ? weight * PARTICIPLE : weight });
    verbs.push({ term, weight });
    if (isParticiple) note(term, weight * VERB_WEIGHT);
    else if (!actions.isPlain(action)) {
      note(term, actions.isAlsoNoun(term) ? weight : weight * VERB_WEIGHT);
      // To comment on an issue is rather about comments.
      if (!isQuestion && asked.length === 1) deed = term;
    }
    if (object !== undefined) isObjectOver = true;
  }

  function readNoun(
    token: Token,
    terms: readonly string[],
    end: number,
    action: string | undefined,
    weight: number,
    others: readonly string[] | undefined,
  ): void {
    if (action !== undefined && LAST_VERBS.has(action) && !isPlural(token.word))
      lastVerb = { action, weight: weight * LAST_VERB };
    const telling = terms.filter((term) => isTelling(term) && !EMPTY_NOUNS.has(term));
    const isQualifier = QUALIFIERS.has(token.word);
    for (const term of telling) {
      const place = isObjectOver && !isHome(term) ? CONTEXT_WEIGHT : 1;
      note(term, weight * place * (isQualifier ? QUALIFIER_WEIGHT : 1), others);
    }
    if (telling.length === 0) {
      if (object !== undefined) isObjectOver = true;
      return;
    }
    const isAttribute = ATTRIBUTES.has(token.word) && (object !== undefined || tokens[end]?.word === 'of');
    if (isObjectOver || isAttribute || isQualifier) return;
    const nouns = telling.filter((term) => !isHome(term));
    const noun = nouns.findLast((term) => index.own.isKnown(term));
    importedObject = nouns.findLast((term) => index.imported.isKnown(term)) ?? noun ?? importedObject;
    if (noun === undefined && token.meant === undefined) return;
    object = noun ?? object;
    objectIsPlural = isMany || isPlural(tokens[end - 1]?.word ?? '');
  }

  function note(term: string, weight: number, others?: readonly string[]): void {
    if (isTelling(term) && weight > (concepts.get(term)?.weight ?? 0))
      concepts.set(term, { term, weight, others });
  }

  function isVerb(token: Token, at: number): boolean {
    if (token.kind !== 'unsure') return token.kind !== 'noun';
    const after = tokens[at + 1];
    if (!isFirst && isPlural(token.word)) return false;
    if (token.word.endsWith('ed') || !actions.isAlsoNoun(stem(token.word))) return true;
    if (after?.word === 'of' || isPlural(token.word)) return false;
    if (NEED_ARTICLE.has(token.word) && !ARTICLES.has(after?.raw ?? '')) return false;
    // "open issues" are no request to open them.
    if (token.word === 'open' && tokens.slice(at + 1, at + 4).some((each) => isPlural(each.word)))
      return false;
    const before = tokens[at - 1]?.raw ?? '';
    return LEADS.has(before) || (isFirst && !ARTICLES.has(before));
  }

  function weightAfter(raw: string): number {
    if (ABOUT.has(raw)) return ABOUT_WEIGHT;
    if (!FOR.has(raw)) return 1;
    return asked[0]?.action === 'search' ? SOUGHT_WEIGHT : FOR_WEIGHT;
  }

  function objectOf(noun: string | undefined, action: string | undefined): RequestObject | undefined {
    if (noun === undefined) return undefined;
    const terms = deed === undefined ? [noun] : [noun, deed];
    return { terms, isPlural: SEEING.has(action ?? '') ? objectIsPlural : undefined };
  }

  function toShow(one: boolean): string {
    if (objectIsPlural) return 'list';
    return one ? 'get' : 'show';
  }
}

/** Actions that the number of the object tells apart: to see one thing, or several. */
const SEEING = new Set(['show', 'list', 'get']);

const IMPLIED: readonly Asked[] = [{ action: 'show', weight: 1 }];

/** Orders what is asked: a question asks to see something, and the first verb counts most. */
function settle(isQuestion: boolean, verbs: readonly Asked[]): readonly Asked[] {
  if (verbs.length === 0 && !isQuestion) return IMPLIED;
  const isWeak = verbs.every(({ weight }) => weight <= PARTICIPLE);
  const asked: Asked[] = isQuestion || isWeak ? [{ action: 'show', weight: BY_QUESTION }] : [];
  let isLater = isQuestion;
  for (const { action, weight } of verbs) {
    asked.push({ action, weight: isLater ? weight * LATER_VERB : weight });
    if (weight > PARTICIPLE) isLater = true;
  }
  return asked;
}

function asksSomething({ vocabulary }: Index, tokens: readonly Token[]): boolean {
  const [first = '', second = ''] = tokens.map((token) => token.raw);
  if (first === 'how') return HOW_QUESTIONS.has(second);
  return QUESTIONS.has(first) || vocabulary.languages.isQuestion(first);
}

/** Joins two words that tool names write as one: "re run", "git hub". */
function compoundAt(index: Index, stems: readonly string[], at: number): Phrase | undefined {
  const next = stems[at + 1];
  const term = `${stems[at]}${next}`;
  return next !== undefined && isCompound() ? { terms: [term], length: 2 } : undefined;

  /** Imported tools may join only what ours do not know apart: their texts must not turn "send email" into a name. */
  function isCompound(): boolean {
    if (index.own.has(term)) return true;
    return index.imported.has(term) && ![stems[at], next].every((part) => index.own.isKnown(part ?? ''));
  }
}
