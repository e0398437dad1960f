// Turns phrases and aliases into one term, knows synonym groups, and drops words without meaning.
import type { Integration } from '../kit/integration.ts';
import type { SearchTables } from '../ports/texts.ts';
import { createActions, type Actions } from './actions.ts';
import { createLanguages, type Languages } from './languages.ts';
import { STOP_WORDS } from './synonyms.ts';
import { createWordList, type WordList } from './spelling.ts';
import { splitWords, stem } from './stems.ts';

const MAX_PHRASE_WORDS = 3;

export type Phrase = { terms: readonly string[]; length: number };

export interface Vocabulary {
  actions: Actions;
  languages: Languages;
  /** The words that the ranking understands even when no tool contains them. */
  baseWords: WordList;
  /** What a phrase of a query means, in words. */
  idioms: ReadonlyMap<string, readonly string[]>;
  /** What a noun means at the place of a verb, in words. */
  verbSenses: ReadonlyMap<string, readonly string[]>;
  /** Finds the longest phrase or alias that starts at this stem. */
  phraseAt: (stems: readonly string[], start: number) => Phrase | undefined;
  termsOf: (words: readonly string[]) => Set<string>;
  /** Returns false for a single letter, a number and a stop word. */
  isTelling: (term: string) => boolean;
  /** Returns the synonym groups of a term. A group is a term of its own. */
  groupsOf: (term: string) => readonly string[];
  /** Whether the name of an integration is also a common word. */
  isCommonName: (term: string) => boolean;
}

/** Returns the vocabulary that all indexes of a gateway share, with the words of its integrations. */
export type VocabularyOf = () => Vocabulary;

type Worded = Pick<Integration, 'name' | 'words'>;

/** Makes the vocabulary of data alone, and at the first use. */
export function createVocabulary(
  integrations: readonly Worded[],
  tablesOf: () => SearchTables,
): VocabularyOf {
  let made: Vocabulary | undefined;
  return () => (made ??= makeVocabulary(integrations, tablesOf()));
}

function makeVocabulary(integrations: readonly Worded[], known: SearchTables): Vocabulary {
  const { idioms, verbSenses } = known;
  const tables = [known.aliases, ...integrations.map(({ words }) => words?.aliases ?? {})];
  const aliases = tables.flatMap((table) => Object.entries(table));
  const related = [...known.related, ...integrations.flatMap(({ words }) => words?.related ?? [])];
  const phrases = new Map<string, readonly string[]>([
    ...related.flat().map((member) => [termOf(member), [termOf(member)]] as const),
    ...aliases.map(([alias, meaning]) => [termOf(alias), meaning.split(' + ').map(termOf)] as const),
  ]);
  const starts = new Set([...phrases.keys()].map((phrase) => phrase.split(' ')[0]));
  const groups = new Map<string, string[]>();
  for (const [index, group] of related.entries()) {
    for (const term of group.map(termOf)) groups.set(term, [...(groups.get(term) ?? []), `#${index}`]);
  }
  const commonNames = new Set(integrations.filter(({ words }) => words?.isCommon).map(({ name }) => name));
  const stops = new Set(STOP_WORDS.map(stem));
  const actions = createActions();
  const baseWords = createWordList();
  const base = splitWords(
    [...actions.verbs, ...related.flat(), ...aliases.flat(), ...Object.keys(verbSenses), ...STOP_WORDS].join(
      ' ',
    ),
  );
  for (const word of base) baseWords.add(word, 0);

  function phraseAt(stems: readonly string[], start: number): Phrase | undefined {
    if (!starts.has(stems[start])) return undefined;
    for (let length = Math.min(MAX_PHRASE_WORDS, stems.length - start); length > 0; length--) {
      const terms = phrases.get(stems.slice(start, start + length).join(' '));
      if (terms !== undefined) return { terms, length };
    }
    return undefined;
  }

  function termsOf(text: readonly string[]): Set<string> {
    const stems = text.map(stem);
    const terms = new Set<string>();
    for (let at = 0; at < stems.length;) {
      const phrase = phraseAt(stems, at);
      for (const term of phrase?.terms ?? [stems[at] ?? '']) if (isTelling(term)) terms.add(term);
      at += phrase?.length ?? 1;
    }
    return terms;
  }

  const isTelling = (term: string): boolean => term.length > 1 && !stops.has(term) && !/^\d+$/.test(term);
  const groupsOf = (term: string): readonly string[] => groups.get(term) ?? [];

  return {
    actions,
    languages: createLanguages(known),
    baseWords,
    idioms: meanings(idioms),
    verbSenses: meanings(verbSenses),
    phraseAt,
    termsOf,
    isTelling,
    groupsOf,
    isCommonName: (term) => commonNames.has(term),
  };
}

const meanings = (table: Readonly<Record<string, string>>): Map<string, string[]> =>
  new Map(
    Object.entries(table).map(([phrase, meaning]) => [splitWords(phrase).join(' '), meaning.split(' ')]),
  );

const termOf = (phrase: string): string => splitWords(phrase).map(stem).join(' ');
