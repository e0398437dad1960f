// Translates the words of German and French queries.
import type { SearchTables } from '../ports/texts.ts';
import { splitWords } from './stems.ts';

export type Translation = { words: readonly string[]; isVerb: boolean; isParticiple: boolean };

export interface Languages {
  /** Returns what a German or French word means in English, or undefined for a word that the list lacks. */
  translate: (word: string) => Translation | undefined;
  /** What an English verb may be that German or French has borrowed: "forken", "poster". */
  loanStems: (word: string) => readonly string[];
  /** The German and French phrases of several words. */
  phrases: ReadonlyMap<string, Translation>;
  isStop: (word: string) => boolean;
  isQuestion: (word: string) => boolean;
}

export function createLanguages({
  verbs,
  nouns,
  foreignStopWords,
  foreignQuestions,
}: Pick<SearchTables, 'verbs' | 'nouns' | 'foreignStopWords' | 'foreignQuestions'>): Languages {
  const words = new Map<string, Translation>();
  const stems = new Map<string, Translation>();
  const phrases = new Map<string, Translation>();
  for (const [entries, isVerb] of [
    [verbs, true],
    [nouns, false],
  ] as const) {
    for (const [meaning, german, french] of entries) {
      const translation = { words: meaning.split(' '), isVerb, isParticiple: false };
      for (const entry of `${german} ${french}`.split(' ').filter((each) => each !== '')) {
        const parts = splitWords(entry.replaceAll('_', ' '));
        const [word = ''] = parts;
        if (parts.length > 1) phrases.set(parts.join(' '), translation);
        else if (!words.has(word)) words.set(word, translation);
        if (parts.length === 1 && !stems.has(foreignStem(word))) stems.set(foreignStem(word), translation);
      }
    }
  }
  const stops = new Set(foreignStopWords.split(' '));
  const questions = new Set(foreignQuestions.split(' '));

  function find(word: string): Translation | undefined {
    const known = words.get(word);
    if (known !== undefined) return known;
    const related = stems.get(foreignStem(word));
    return related && { ...related, isParticiple: related.isVerb && /(?:t[erns]|ee)s?$/.test(word) };
  }

  return {
    // German without umlauts writes ae, oe and ue; the list has a, o and u, as splitWords leaves them.
    translate: (word) => find(word) ?? find(word.replaceAll(/(?<![aeq])([aou])e/g, '$1')),
    phrases,
    loanStems: (word) =>
      ENDINGS.filter((ending) => word.length > ending.length + 2 && word.endsWith(ending)).map((ending) =>
        word.slice(0, -ending.length),
      ),
    isStop: (word) => stops.has(word),
    isQuestion: (word) => questions.has(word),
  };
}

const ENDINGS = ['en', 'n', 'e', 't', 'st', 'er', 'r', 'ez', 'ten', 'ter'];

/** Drops the endings of German and French words. A stem need not be a word. */
function foreignStem(word: string): string {
  let stem = word;
  for (let round = 0; round < 2; round++) {
    const shorter = stem.replace(/(?<=.{4})(?:ern|en|em|er|es|ez|te|e|n|s|t)$/, '');
    if (shorter === stem) break;
    stem = shorter;
  }
  return stem;
}
