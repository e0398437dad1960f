// Reads a query as weighted ideas: corrects and splits words, finds phrases and drops stop words.
import type { Index } from './search-index.ts';
import type { Phrase } from './search-vocabulary.ts';
import { splitWords, stem } from './search-words.ts';

// Real queries are shorter. The limits bound the cost of a hostile query.
const MAX_CHARACTERS = 2_000;
const MAX_WORDS = 32;

/** The weight of a word after zero, one and two corrected letters. */
const SURENESS = [1, 0.8, 0.65];

/** An idea of a query, weighted by how likely it was meant. */
export type Concept = { term: string; weight: number };

export function conceptsOf(index: Index, query: string): Concept[] {
  const { vocabulary } = index;
  const words = splitWords(query.slice(0, MAX_CHARACTERS))
    .slice(0, MAX_WORDS)
    .flatMap((word) => understand(index, word));
  const stems = words.map((word) => word.term);
  const concepts = new Map<string, Concept>();
  for (let at = 0; at < words.length;) {
    const { term, length } = vocabulary.phraseAt(stems, at) ??
      compoundAt(index, stems, at) ?? { term: stems[at] ?? '', length: 1 };
    const weight = Math.min(...words.slice(at, at + length).map((word) => word.weight));
    if (vocabulary.isTelling(term) && weight > (concepts.get(term)?.weight ?? 0))
      concepts.set(term, { term, weight });
    at += length;
  }
  return [...concepts.values()];
}

function understand(index: Index, word: string): Concept[] {
  if (index.knows(word)) return [{ term: stem(word), weight: 1 }];
  const meant = index.correct(word);
  // One typing error is more likely than two words written as one. Two errors are less likely.
  const parts = meant?.slips === 1 ? undefined : index.split(word);
  if (parts !== undefined) return parts.map((part) => ({ term: stem(part), weight: 1 }));
  return [{ term: stem(meant?.word ?? word), weight: SURENESS[meant?.slips ?? 0] ?? 0 }];
}

/** Joins two words that tool names write as one: "re run", "git hub". */
function compoundAt(index: Index, stems: readonly string[], at: number): Phrase | undefined {
  const next = stems[at + 1];
  const term = `${stems[at]}${next}`;
  return next !== undefined && index.postings.has(term) ? { term, length: 2 } : undefined;
}
