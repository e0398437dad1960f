// Names a column for each range of durations.
import { DURATION_EDGES } from '../../src/ports/usage.ts';

export type DurationColumn = `d${number}`;

export const DURATION_COLUMNS: readonly DurationColumn[] = Array.from(
  { length: DURATION_EDGES.length + 1 },
  (_, range): DurationColumn => `d${range}`,
);
