// Ranks by plain BM25, the yardstick of the evaluation: one field, no stems, the same stop words for all.
import type { Searchable } from '../../src/search/document.ts';
import { STOP_LIST } from '../../src/search/text-words.ts';

const K1 = 1.2;
const B = 0.75;
const STOP = new Set(STOP_LIST);

export function createPlainBm25(tools: readonly Searchable[]): (query: string, limit: number) => string[] {
  const postings = new Map<string, Map<number, number>>();
  const lengths = tools.map(({ name, description }, at) => {
    const words = wordsOf(`${name} ${description}`);
    for (const word of words) {
      const found = postings.get(word) ?? new Map<number, number>();
      found.set(at, (found.get(at) ?? 0) + 1);
      postings.set(word, found);
    }
    return words.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);

  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const found = postings.get(word);
      if (found === undefined) continue;
      const idf = Math.log(1 + (tools.length - found.size + 0.5) / (found.size + 0.5));
      for (const [at, count] of found) {
        const length = (lengths[at] ?? 0) / mean;
        const score = (idf * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
        scores.set(at, (scores.get(at) ?? 0) + score);
      }
    }
    return [...scores]
      .toSorted(([one, a], [other, b]) => b - a || one - other)
      .slice(0, limit)
      .map(([at]) => tools[at]?.name ?? '');
  };
}

const wordsOf = (text: string): string[] =>
  (
    text
      .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).filter((word) => !STOP.has(word));
