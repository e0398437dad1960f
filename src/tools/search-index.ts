// Builds the inverted index of the ranking: which tools contain a term, and in which field.
import { type Document, HOME, readDocument, type Searchable } from './search-document.ts';
import { COMMON_NAMES, KNOWN_AS } from './search-purposes.ts';
import { createSpelling, type Spelling } from './search-spelling.ts';
import { createVocabulary, type Vocabulary } from './search-vocabulary.ts';
import { splitWords, stem } from './search-words.ts';

// The name "time" is also a common word in other tools; the name "jira" is not.
const OWN_SHARE = 0.8;
const MIN_PART_LENGTH = 3;

export type Hit = { at: number; fields: number };

export interface Index extends Spelling {
  vocabulary: Vocabulary;
  documents: readonly Document[];
  /** The tools that contain a term, in the order of the registry. */
  postings: ReadonlyMap<string, readonly Hit[]>;
  /** The terms that name an integration and mean hardly anything else. */
  homes: ReadonlySet<string>;
  /** The integration that a term belongs to, although it does not name it: "loki". */
  owners: ReadonlyMap<string, string>;
  knows: (word: string) => boolean;
  /** Whether a tool contains the term, or one that is related to it. */
  isKnown: (term: string) => boolean;
  /** Splits an unknown word into known ones: "createissue", "Kalendereintrag". */
  split: (word: string) => string[] | undefined;
}

export function buildIndex(tools: readonly Searchable[]): Index {
  const vocabulary = createVocabulary();
  const { groupsOf, isTelling, languages, termsOf } = vocabulary;
  const postings = new Map<string, Hit[]>();
  const uses = new Map(vocabulary.words.map((word) => [word, 0]));
  const documents = tools.map((tool) => readDocument(vocabulary, tool));
  for (const [at, { words, fields }] of documents.entries()) {
    for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
    for (const [field, terms] of fields) post(terms, at, field);
  }
  const known = new Set([...uses.keys()].flatMap((word) => [word, stem(word)]));
  const integrations = [...new Set(tools.map((tool) => tool.integration))];
  const homes = new Set(integrations.flatMap((name) => [...termsOf(splitWords(name))]).filter(isOwn));
  const owners = new Map(
    integrations.flatMap((name) =>
      [...termsOf(splitWords(KNOWN_AS.get(name) ?? ''))].map((term) => [term, name] as const),
    ),
  );

  function post(terms: ReadonlySet<string>, at: number, field: number): void {
    for (const term of terms) {
      put(term, at, field);
      for (const group of groupsOf(term)) put(group, at, field);
    }
  }

  function put(term: string, at: number, field: number): void {
    const hits = postings.get(term);
    const last = hits?.at(-1);
    if (hits === undefined) postings.set(term, [{ at, fields: field }]);
    else if (last?.at === at) last.fields |= field;
    else hits.push({ at, fields: field });
  }

  function isOwn(term: string): boolean {
    if (COMMON_NAMES.has(term)) return false;
    const hits = postings.get(term) ?? [];
    return hits.filter((hit) => hit.fields & HOME).length >= OWN_SHARE * hits.length;
  }

  const knows = (word: string): boolean => known.has(word) || known.has(stem(word));

  function split(word: string): string[] | undefined {
    for (let at = word.length - MIN_PART_LENGTH; at >= MIN_PART_LENGTH; at--) {
      const [start, end] = [meaningOf(word.slice(0, at)), meaningOf(word.slice(at))];
      if (start !== undefined && end !== undefined) return [...start, ...end];
    }
    return undefined;
  }

  function meaningOf(part: string): readonly string[] | undefined {
    if (!knows(part)) return languages.translate(part)?.words;
    return isTelling(stem(part)) ? [part] : undefined;
  }

  return {
    ...createSpelling(uses),
    vocabulary,
    documents,
    postings,
    homes,
    owners,
    knows,
    isKnown: (term) => postings.has(term) || groupsOf(term).some((group) => postings.has(group)),
    split,
  };
}
