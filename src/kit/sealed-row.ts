// Declares a stored row with sealed values, for what looks through all of them. decision: 024
import type { Place } from '../crypto/seal.ts';

export interface SealedRow {
  /** `name` is what people know the value by, where its place does not say. */
  values: readonly {
    /** Null where nothing is sealed. */
    text: string | null;
    place: Place;
    name?: Place;
    /** Set for what is gone within a day anyway: nobody needs to know that it cannot be opened. */
    isShortLived?: true;
  }[];
  /** The lease that guards the refresh of its token. Null where there is nothing to refresh. decision: 024 */
  lease: { name: string; seconds: number } | null;
  /** Writes new texts in the order of the values. Returns false when the row has changed since it was read. */
  swap: (texts: readonly (string | null)[]) => Promise<boolean>;
  /** Reads the row again. Null when it is gone. */
  again: () => Promise<SealedRow | null>;
}

const PAGE_ROWS = 50;

/** Reads a table page by page. `read` takes the last row of the page before. */
export async function* pagesOf<Row>(
  read: (after: Row | null, limit: number) => Promise<readonly Row[]>,
  toSealed: (row: Row) => SealedRow,
): AsyncGenerator<readonly SealedRow[], void, undefined> {
  for (
    let rows = await read(null, PAGE_ROWS);
    rows.length > 0;
    rows = await read(rows.at(-1) ?? null, PAGE_ROWS)
  )
    yield rows.map(toSealed);
}
