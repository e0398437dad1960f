// Splits a sentence with several wishes: "find the customer and refund the last invoice".
import type { Index } from './joined-index.ts';
import { splitWords, stem } from './stems.ts';
import { isTellingStem } from './text-words.ts';

const BETWEEN = /[.;!?]+\s+|,?\s+(?:and|then|und|et|dann|puis)(?:\s+(?:then|also|dann|auch|puis))?\s+/iu;
const MAX_WISHES = 4;
const MIN_WORDS = 2;

/** Returns the wishes in their order, or none where the sentence has only one. Each begins with what to do. */
export function readWishes({ vocabulary }: Index, query: string): string[] {
  const parts = query.split(BETWEEN).slice(0, MAX_WISHES);
  return parts.length > 1 && parts.every(isWish) ? parts : [];

  function isWish(part: string): boolean {
    const stems = splitWords(part).map(stem);
    const [first] = stems.filter(isTellingStem);
    const isDeed = stems.slice(0, 2).some((each) => vocabulary.actions.actionOf(each) !== undefined);
    return first !== undefined && isDeed && stems.filter(isTellingStem).length >= MIN_WORDS;
  }
}
