// Compares two lists of lines or words: what both have, what was removed and what was added.
export interface Hunk {
  kind: 'same' | 'changed';
  /** Equal to `after` when the kind is `same`. */
  before: string[];
  after: string[];
}

/** Bounds the work: the table of the comparison has this many cells at most. */
const MAX_CELLS = 4_000_000;

export function compare(before: readonly string[], after: readonly string[]): Hunk[] {
  const start = countCommon(before, after, (list, index) => list[index]);
  const rest = [before.slice(start), after.slice(start)] as const;
  const end = countCommon(rest[0], rest[1], (list, index) => list[list.length - 1 - index]);
  const middle = [rest[0].slice(0, rest[0].length - end), rest[1].slice(0, rest[1].length - end)] as const;
  return [
    ...same(before.slice(0, start)),
    ...compareMiddle(middle[0], middle[1]),
    ...same(rest[0].slice(rest[0].length - end)),
  ];
}

function countCommon(
  one: readonly string[],
  other: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(one.length, other.length);
  let count = 0;
  while (count < most && at(one, count) === at(other, count)) count++;
  return count;
}

function same(lines: readonly string[]): Hunk[] {
  return lines.length === 0 ? [] : [{ kind: 'same', before: [...lines], after: [...lines] }];
}

/** Finds the longest common subsequence. Two very long texts count as changed as a whole. */
function compareMiddle(before: readonly string[], after: readonly string[]): Hunk[] {
  if (before.length === 0 && after.length === 0) return [];
  const isTooLong = before.length * after.length > MAX_CELLS;
  if (isTooLong || before.length === 0 || after.length === 0)
    return [{ kind: 'changed', before: [...before], after: [...after] }];

  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));

  const hunks: Hunk[] = [];
  let row = 0;
  let column = 0;
  while (row < before.length || column < after.length) {
    const from = { row, column };
    while (row < before.length && column < after.length && before[row] === after[column]) {
      row++;
      column++;
    }
    if (row > from.row) {
      hunks.push(...same(before.slice(from.row, row)));
      continue;
    }
    while (
      (row < before.length || column < after.length) &&
      !(row < before.length && column < after.length && before[row] === after[column])
    ) {
      if (
        column >= after.length ||
        (row < before.length && lengthAt(row + 1, column) >= lengthAt(row, column + 1))
      )
        row++;
      else column++;
    }
    hunks.push({
      kind: 'changed',
      before: before.slice(from.row, row),
      after: after.slice(from.column, column),
    });
  }
  return hunks;
}

/** Splits a text into words, each with the space before it. Joined again they are the text. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+/g) ?? [];
}

/** Writes JSON in lines. Keys are sorted, because their order means nothing. */
export function linesOf(value: unknown): string[] {
  return JSON.stringify(sortKeys(value), null, 2).split('\n');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]): [string, unknown] => [key, sortKeys(member)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
