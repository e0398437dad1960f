// Builds the inverted index behind suggestions: which tools contain a term, and in which field.
import { createSpelling, type Spelling } from './search-spelling.ts';
import { SPOKEN_NAMES } from './search-synonyms.ts';
import { createVocabulary, type Vocabulary } from './search-vocabulary.ts';
import { splitName, splitWords, stem } from './search-words.ts';

// Fields are bits, so that one number says which fields of a tool contain a term.
export const NAME = 1;
export const DESCRIPTION = 2;
export const HOME = 4;

// The name "time" is also a common word in other tools; the name "jira" is not.
const OWN_SHARE = 0.8;
const MIN_PART_LENGTH = 3;

export type Searchable = { name: string; description: string; integration: string };

export type Hit = { at: number; fields: number };

export interface Index extends Spelling {
  size: number;
  vocabulary: Vocabulary;
  /** The tools that contain a term, in the order of the registry. */
  postings: ReadonlyMap<string, readonly Hit[]>;
  /** The terms that name an integration and mean hardly anything else. */
  homes: ReadonlySet<string>;
  /** The number of terms in each tool's name, without its integration. */
  nameLengths: readonly number[];
  knows(word: string): boolean;
  /** Splits an unknown word into two known ones: "createissue". */
  split(word: string): [string, string] | undefined;
}

export function buildIndex(tools: readonly Searchable[]): Index {
  const vocabulary = createVocabulary();
  const postings = new Map<string, Hit[]>();
  const uses = new Map(vocabulary.words.map((word) => [word, 0]));
  const nameLengths = tools.map(add);
  const known = new Set([...uses.keys()].flatMap((word) => [word, stem(word)]));
  const integrations = [...new Set(tools.map((tool) => tool.integration))];
  const homes = new Set(
    integrations.flatMap((integration) => [...vocabulary.termsOf(splitWords(integration))]).filter(isOwn),
  );

  function add(tool: Searchable, at: number): number {
    const home = splitWords(`${tool.integration} ${SPOKEN_NAMES[tool.integration] ?? ''}`);
    const name = splitName(tool.name);
    const description = splitWords(tool.description);
    for (const word of [...home, ...name, ...description]) uses.set(word, (uses.get(word) ?? 0) + 1);
    const homeTerms = vocabulary.termsOf(home);
    const nameTerms = vocabulary.termsOf(name).difference(homeTerms);
    post(homeTerms, at, HOME);
    post(nameTerms, at, NAME);
    post(vocabulary.termsOf(description), at, DESCRIPTION);
    return nameTerms.size;
  }

  function post(terms: ReadonlySet<string>, at: number, field: number): void {
    for (const term of terms) {
      put(term, at, field);
      for (const group of vocabulary.groupsOf(term)) put(group, at, field);
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
    const hits = postings.get(term) ?? [];
    return hits.filter((hit) => hit.fields & HOME).length >= OWN_SHARE * hits.length;
  }

  const knows = (word: string): boolean => known.has(word) || known.has(stem(word));

  function split(word: string): [string, string] | undefined {
    for (let at = word.length - MIN_PART_LENGTH; at >= MIN_PART_LENGTH; at--) {
      const parts: [string, string] = [word.slice(0, at), word.slice(at)];
      if (parts.every(knows)) return parts;
    }
    return undefined;
  }

  return {
    ...createSpelling(uses),
    size: tools.length,
    vocabulary,
    postings,
    homes,
    nameLengths,
    knows,
    split,
  };
}
