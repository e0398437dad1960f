// Reads the indexes of several segments as one. Imported texts add words, and change none of ours. decision: 033
import { HOME } from './document.ts';
import { fieldsOf, type Segment, type SegmentIndex } from './segment.ts';
import { type Correction, createSpelling, type WordList } from './spelling.ts';
import type { Vocabulary } from './vocabulary.ts';
import { stem } from './stems.ts';

// Most names of integrations are rare in the texts of other tools. A name that is frequent there means little.
const OWN_SHARE = 0.8;
const MIN_PART_LENGTH = 3;

/** What some of the segments know together. */
export interface Tier {
  /** The number of tools. */
  size: number;
  knows: (word: string) => boolean;
  correct: (word: string) => Correction | undefined;
  /** Whether a tool contains the term. */
  has: (term: string) => boolean;
  /** Whether a tool contains the term, or one that is related to it. */
  isKnown: (term: string) => boolean;
}

export interface Index {
  vocabulary: Vocabulary;
  /** The segments in their order, with the index of each. */
  sections: readonly Section[];
  /** The tools that come with the gateway, and the words that the ranking understands by itself. */
  own: Tier;
  imported: Tier;
  /** Whether the name of an imported tool contains the word. */
  isImportedName: (word: string) => boolean;
  /** Whether a term names an integration and means hardly anything else. */
  isHome: (term: string) => boolean;
  /** Returns the integrations that a term belongs to, although it does not name them. */
  ownersOf: (term: string) => readonly string[];
  /** Splits an unknown word into known ones: "createissue", "Kalendereintrag". */
  split: (word: string) => string[] | undefined;
}

export type Section = { segment: Segment; index: SegmentIndex };

export function readSegments(vocabulary: Vocabulary, segments: readonly Segment[]): Index {
  const sections = segments.map((segment) => ({ segment, index: segment.index() }));
  const { groupsOf, isCommonName, isTelling, languages, baseWords } = vocabulary;
  const [ours, theirs] = [false, true].map((isImported) =>
    sections.filter(({ segment }) => segment.isImported === isImported).map(({ index }) => index),
  ) as [SegmentIndex[], SegmentIndex[]]; // The list above has two members.
  const own = tierOf(ours, [baseWords, ...ours.map(({ words }) => words)]);
  const named = tierOf(
    theirs,
    theirs.map(({ words }) => words),
  );
  const imported: Tier = { ...named, knows: (word) => named.knows(word) || named.has(stem(word)) };

  function tierOf(parts: readonly SegmentIndex[], lists: readonly WordList[]): Tier {
    const has = (term: string): boolean => parts.some(({ postings }) => postings.has(term));
    const isWord = (word: string): boolean =>
      lists.some(({ uses, stems }) => uses.has(word) || stems.has(word));
    return {
      ...createSpelling(lists),
      size: parts.reduce((sum, { documents }) => sum + documents.length, 0),
      knows: (word) => isWord(word) || isWord(stem(word)),
      has,
      isKnown: (term) => has(term) || groupsOf(term).some(has),
    };
  }

  // When our own tools contain a term, they decide. Otherwise an import named "email" would claim every email.
  function isHome(term: string): boolean {
    if (isCommonName(term)) return false;
    let all = 0;
    let homes = 0;
    for (const { postings } of own.has(term) ? ours : theirs)
      for (const hit of postings.get(term) ?? []) {
        all++;
        if (fieldsOf(hit) & HOME) homes++;
      }
    return homes > 0 && homes >= OWN_SHARE * all;
  }

  function splitWith(knows: (word: string) => boolean, word: string): string[] | undefined {
    for (let at = word.length - MIN_PART_LENGTH; at >= MIN_PART_LENGTH; at--) {
      const [start, end] = [word.slice(0, at), word.slice(at)].map((part) =>
        knows(part) ? (isTelling(stem(part)) ? [part] : undefined) : languages.translate(part)?.words,
      );
      if (start !== undefined && end !== undefined) return [...start, ...end];
    }
    return undefined;
  }

  return {
    vocabulary,
    sections,
    own,
    imported,
    isImportedName: named.knows,
    isHome,
    ownersOf: (term) => ours.flatMap(({ owners }) => owners.get(term) ?? []),
    split: (word) =>
      splitWith(own.knows, word) ?? splitWith((part) => own.knows(part) || imported.knows(part), word),
  };
}
