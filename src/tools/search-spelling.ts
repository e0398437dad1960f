// Finds the known word that a mistyped word most likely means: one error in a short word, two in a long one.
export type Spelling = { correct(word: string): Correction | undefined };
type Correction = { word: string; slips: number };

type SpellingEntry = { word: string; letters: number; uses: number };

const MIN_WORD_LENGTH = 4;
const LONG_WORD_LENGTH = 8;
const MAX_WORD_LENGTH = 32;

export function createSpelling(uses: ReadonlyMap<string, number>): Spelling {
  const byLength = new Map<number, SpellingEntry[]>();
  for (const [word, count] of uses) {
    if (word.length < MIN_WORD_LENGTH || word.length > MAX_WORD_LENGTH) continue;
    const entry = { word, letters: lettersOf(word), uses: count };
    const bucket = byLength.get(word.length);
    if (bucket === undefined) byLength.set(word.length, [entry]);
    else bucket.push(entry);
  }

  function correct(word: string): Correction | undefined {
    if (word.length < MIN_WORD_LENGTH || word.length > MAX_WORD_LENGTH) return undefined;
    const allowed = word.length < LONG_WORD_LENGTH ? 1 : 2;
    const letters = lettersOf(word);
    let best: { entry: SpellingEntry; slips: number } | undefined;
    for (let length = word.length - allowed; length <= word.length + allowed; length++) {
      for (const entry of byLength.get(length) ?? []) {
        if (bitCount(entry.letters ^ letters) > 2 * allowed || !startsAlike(word, entry.word)) continue;
        const slips = distance(word, entry.word);
        if (slips > allowed) continue;
        if (
          best === undefined ||
          slips < best.slips ||
          (slips === best.slips && entry.uses > best.entry.uses)
        ) {
          best = { entry, slips };
        }
      }
    }
    return best && { word: best.entry.word, slips: best.slips };
  }

  return { correct };
}

/** People rarely mistype the first letter, except when they swap it with the second. */
function startsAlike(word: string, other: string): boolean {
  return word[0] === other[0] || (word[0] === other[1] && word[1] === other[0]);
}

/** Packs the set of letters into bits. One typing error changes at most two of them. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at++) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function bitCount(bits: number): number {
  let left = bits;
  let count = 0;
  for (; left !== 0; left &= left - 1) count++;
  return count;
}

// Computes the optimal string alignment: insertion, deletion, substitution and transposition each cost one.
function distance(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          cell(previous, column) + 1,
          cell(current, column - 1) + 1,
          cell(previous, column - 1) + same,
          swapped ? cell(older, column - 2) + 1 : Infinity,
        ),
      );
    }
    older = previous;
    previous = current;
  }
  return cell(previous, to.length);
}

const cell = (row: readonly number[], column: number): number => row[column] ?? Infinity;
