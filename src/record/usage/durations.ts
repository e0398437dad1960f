// Sorts durations into ranges, and estimates percentiles from the numbers of calls in them. reference: Usage
import { DURATION_EDGES } from '../../ports/usage.ts';

export type Durations = readonly number[];

export interface Percentiles {
  p50: number;
  p95: number;
  p99: number;
}

export const RANGES = DURATION_EDGES.length + 1;

export const noDurations = (): number[] => Array.from({ length: RANGES }, () => 0);

/** Returns the range of a duration: the first whose edge is not below it. */
export function rangeOf(milliseconds: number): number {
  const range = DURATION_EDGES.findIndex((edge) => milliseconds <= edge);
  return range === -1 ? DURATION_EDGES.length : range;
}

/** Returns null when no call ran. */
export function percentilesOf(durations: Durations): Percentiles | null {
  const calls = durations.reduce((sum, count) => sum + count, 0);
  if (calls === 0) return null;
  const at = (part: number) => valueAt(durations, part * calls);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Takes the calls of a range as spread evenly over it. */
function valueAt(durations: Durations, rank: number): number {
  let below = 0;
  for (const [range, calls] of durations.entries()) {
    if (calls > 0 && below + calls >= rank) {
      const [low, high] = edgesOf(range);
      return Math.round(low + ((high - low) * (rank - below)) / calls);
    }
    below += calls;
  }
  return edgesOf(durations.length - 1)[1];
}

/** The last range has no upper edge, so its calls count as those at its lower edge. */
function edgesOf(range: number): [number, number] {
  const low = DURATION_EDGES[range - 1] ?? 0;
  return [low, DURATION_EDGES[range] ?? low];
}
