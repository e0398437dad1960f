// Finds what a person means by a few words. A typing error is forgiven where nothing matches exactly.

/** Lists the items whose text contains every word of the query; where there are none, those that differ by a typing error. */
export function findMatches<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  const words = wordsOf(query);
  const exact = items.filter((item) => containsAll(textOf(item), words));
  return exact.length > 0 ? exact : items.filter((item) => isNear(textOf(item), words));
}

/** Orders matches by how well the label fits the query: its beginning, a word in it, or any part of it. */
export function rankMatches<T>(items: readonly T[], query: string, labelOf: (item: T) => string): T[] {
  const wanted = query.trim().toLowerCase();
  const scored = items.map((item) => ({ item, score: scoreOf(labelOf(item).toLowerCase(), wanted) }));
  return scored.toSorted((one, other) => other.score - one.score).map(({ item }) => item);
}

function scoreOf(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 3;
  if (textWords(label).some((word) => word.startsWith(wanted))) return 2;
  return label.includes(wanted) ? 1 : 0;
}

const wordsOf = (query: string): string[] => query.toLowerCase().split(/\s+/).filter(Boolean);
const textWords = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

/** Whether the text contains every word of the query. */
export const containsWords = (text: string, query: string): boolean => containsAll(text, wordsOf(query));

function containsAll(text: string, words: readonly string[]): boolean {
  const haystack = text.toLowerCase();
  return words.every((word) => haystack.includes(word));
}

function isNear(text: string, words: readonly string[]): boolean {
  const known = textWords(text);
  const haystack = text.toLowerCase();
  return words.every((word) => haystack.includes(word) || known.some((each) => isSlipOf(word, each)));
}

/** Short words are too alike for a typing error in them to mean anything. */
function slipsIn(word: string): number {
  if (word.length < 4) return 0;
  return word.length < 8 ? 1 : 2;
}

/** Whether the typed word is the other one, or its beginning, with a typing error. */
function isSlipOf(typed: string, word: string): boolean {
  const most = slipsIn(typed);
  if (most === 0 || word.length < typed.length - most) return false;
  for (let length = typed.length - most; length <= typed.length + most; length++)
    if (length <= word.length && slipsBetween(typed, word.slice(0, length), most) <= most) return true;
  return false;
}

/** Counts insertions, deletions, substitutions and swaps of neighbours, up to one more than `most`. */
function slipsBetween(from: string, to: string, most: number): number {
  if (from === to) return 0;
  const [head, other] = [from[0], to[0]];
  if (from === '' || to === '') return Math.max(from.length, to.length);
  if (head === other) return slipsBetween(from.slice(1), to.slice(1), most);
  if (most === 0) return 1;
  const left = most - 1;
  const isSwapped = head === to[1] && from[1] === other;
  return (
    1 +
    Math.min(
      slipsBetween(from.slice(1), to.slice(1), left),
      slipsBetween(from.slice(1), to, left),
      slipsBetween(from, to.slice(1), left),
      isSwapped ? slipsBetween(from.slice(2), to.slice(2), left) : left + 1,
    )
  );
}
