// Scores tools by the plain words of a query: BM25F over all texts, words of near meaning, and the cosine. decision: 033
import type { Index, Section } from './joined-index.ts';
import type { Rarity } from './segment.ts';
import { splitWords, stem } from './stems.ts';
import { isTellingStem } from './text-words.ts';
import { understand } from './tokens.ts';
import type { WordVectors } from './word-vectors.ts';

// Real queries are shorter. The limits bound the cost of a hostile query.
const MAX_CHARACTERS = 4_000;
const MAX_STEMS = 64;

/** How slowly more of the same word counts more. */
const K1 = 1.6;

// A word of near meaning counts by the square of its cosine.
const NEAR_WORDS = 5;
const NEAR_WORTH = 0.6;
const MIN_NEAR = 0.45;
// Bounds the memory of near words that were looked up. People repeat their words, and a look-up compares thousands.
const MAX_LOOKED_UP = 1_000;

/** A long sentence says it in the tool's own words more often, so its cosine counts less: fully for so many stems. */
const SHORT_QUERY = 5;

export interface TextScores {
  /** How well the words of each tool fit. */
  texts: readonly Float32Array[];
  /** The cosine of each tool, or null without vectors. */
  near: readonly Float32Array[] | null;
  /** What the cosine counts for a query of this length, from 0 to 1. */
  nearShare: number;
  /** What a tool would get that has each word of the query once. */
  whole: number;
}

export interface TextRank {
  score: (query: string, words: WordVectors | null) => TextScores;
  /** The rarity of a stem among our own tools and those of one section. It stays the same for everybody who has the section. */
  rarityIn: (section: Section) => Rarity;
}

export function createTextRank(index: Index): TextRank {
  const { sections } = index;
  const own = sections.filter(({ segment }) => !segment.isImported);
  const size = sizeOf(sections);
  const nearWords = new Map<string, readonly NearWord[]>();
  let findNear: ReturnType<WordVectors['among']> | undefined;

  const countOf = (term: string): number => countIn(sections, term);
  const idf = (term: string): number => rarityOf(size, countOf(term));

  /** Keeps what tools contain, and reads the rest as another word that they do contain. */
  function readTerms(query: string): { typed: ReadonlySet<string>; terms: Map<string, number> } {
    const typed = new Set<string>();
    const terms = new Map<string, number>();
    for (const word of splitWords(query.slice(0, MAX_CHARACTERS))) {
      if (typed.size >= MAX_STEMS) break;
      const term = stem(word);
      if (!isTellingStem(term) || typed.has(term)) continue;
      typed.add(term);
      if (countOf(term) > 0) terms.set(term, 1);
      else
        for (const token of understand(index, word)) {
          const meant = stem(token.word);
          if (isTellingStem(meant) && countOf(meant) > 0)
            terms.set(meant, Math.max(token.weight, terms.get(meant) ?? 0));
        }
    }
    return { typed, terms };
  }

  function nearWordsOf(term: string, words: WordVectors): readonly NearWord[] {
    const found = nearWords.get(term) ?? findNearWords(term, words);
    if (nearWords.size >= MAX_LOOKED_UP) nearWords.clear();
    nearWords.set(term, found);
    return found;
  }

  function findNearWords(term: string, words: WordVectors): readonly NearWord[] {
    findNear ??= words.among(new Set(sections.flatMap(({ index: { texts } }) => [...texts.stems])));
    return findNear(term, MIN_NEAR)
      .toSorted((one, other) => other.cosine - one.cosine)
      .slice(0, NEAR_WORDS)
      .map(({ stem: near, cosine }) => ({ term: near, worth: NEAR_WORTH * cosine ** 2 }));
  }

  return {
    rarityIn(section) {
      const among = section.segment.isImported ? [...own, section] : own;
      const all = sizeOf(among);
      return (term) => rarityOf(all, countIn(among, term));
    },

    score(query, words) {
      const { typed, terms } = readTerms(query);
      const near = new Map<string, number>();
      if (words !== null)
        for (const each of typed)
          for (const { term, worth } of nearWordsOf(each, words))
            if (!terms.has(term)) near.set(term, Math.max(worth, near.get(term) ?? 0));
      const texts = sections.map(({ index: { texts: each } }) => new Float32Array(each.size));
      for (const [term, worth] of [...terms, ...near]) {
        const full = worth * idf(term) * (K1 + 1);
        for (const [at, { index: section }] of sections.entries()) {
          const scores = texts[at] ?? new Float32Array();
          section.texts.each(term, (tool, weight) => {
            scores[tool] = (scores[tool] ?? 0) + (full * weight) / (weight + K1);
          });
        }
      }
      return {
        texts,
        near: words === null ? null : cosines(typed, words),
        nearShare: Math.min(1, SHORT_QUERY / Math.max(1, typed.size)),
        whole: [...typed].reduce((sum, term) => sum + idf(term), 0),
      };
    },
  };

  function cosines(typed: ReadonlySet<string>, words: WordVectors): Float32Array[] {
    const vector = words.sum([...typed].map((term) => [term, idf(term)]));
    return sections.map(
      ({ segment, index: { texts } }) => segment.vectors()?.near(vector) ?? new Float32Array(texts.size),
    );
  }
}

type NearWord = { term: string; worth: number };
const sizeOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { index }) => sum + index.texts.size, 0);

function countIn(sections: readonly Section[], term: string): number {
  let count = 0;
  for (const { index } of sections) count += index.texts.count(term);
  return count;
}

const rarityOf = (size: number, count: number): number => Math.log(1 + (size - count + 0.5) / (count + 0.5));
