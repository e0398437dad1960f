// Turns phrases and aliases into one term, knows synonym groups, and drops words without meaning.
import { ALIASES, RELATED, STOP_WORDS } from './search-synonyms.ts';
import { splitWords, stem } from './search-words.ts';

const MAX_PHRASE_WORDS = 3;

export type Phrase = { term: string; length: number };

export interface Vocabulary {
  /** The words that suggestions understand even when no tool contains them. */
  words: readonly string[];
  /** Finds the longest phrase or alias that starts at this stem. */
  phraseAt(stems: readonly string[], start: number): Phrase | undefined;
  termsOf(words: readonly string[]): Set<string>;
  /** Returns false for a single letter and for a stop word. */
  isTelling(term: string): boolean;
  /** Returns the synonym groups of a term. A group is a term of its own. */
  groupsOf(term: string): readonly string[];
}

export function createVocabulary(): Vocabulary {
  const phrases = new Map([
    ...RELATED.flat().map((member) => [termOf(member), termOf(member)] as const),
    ...Object.entries(ALIASES).map(([alias, meaning]) => [termOf(alias), termOf(meaning)] as const),
  ]);
  const starts = new Set([...phrases.keys()].map((phrase) => phrase.split(' ')[0]));
  const groups = new Map<string, string[]>();
  for (const [index, members] of RELATED.entries()) {
    for (const term of members.map(termOf)) groups.set(term, [...(groups.get(term) ?? []), `#${index}`]);
  }
  const stops = new Set(STOP_WORDS.map(stem));
  const words = splitWords([...RELATED.flat(), ...Object.entries(ALIASES).flat(), ...STOP_WORDS].join(' '));

  function phraseAt(stems: readonly string[], start: number): Phrase | undefined {
    if (!starts.has(stems[start])) return undefined;
    for (let length = Math.min(MAX_PHRASE_WORDS, stems.length - start); length > 0; length--) {
      const term = phrases.get(stems.slice(start, start + length).join(' '));
      if (term !== undefined) return { term, length };
    }
    return undefined;
  }

  function termsOf(text: readonly string[]): Set<string> {
    const stems = text.map(stem);
    const terms = new Set<string>();
    for (let at = 0; at < stems.length;) {
      const phrase = phraseAt(stems, at);
      const term = phrase?.term ?? stems[at] ?? '';
      if (isTelling(term)) terms.add(term);
      at += phrase?.length ?? 1;
    }
    return terms;
  }

  const isTelling = (term: string): boolean => term.length > 1 && !stops.has(term);
  const groupsOf = (term: string): readonly string[] => groups.get(term) ?? [];

  return { words, phraseAt, termsOf, isTelling, groupsOf };
}

const termOf = (phrase: string): string => splitWords(phrase).map(stem).join(' ');
