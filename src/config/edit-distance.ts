// Computes the optimal string alignment of two words: insertion, deletion, substitution and transposition each cost one.
export function editDistance(from: string, to: string): number {
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
