// Finds names that differ from a written name by a few typing errors.
import { editDistance } from '../config/edit-distance.ts';

/** A name of fewer letters may have one typing error, a longer one two. */
const LONG_NAME = 8;

export type NearName = { name: string; slips: number };

export interface NameList {
  /** Returns the names that are near, the nearest first. With `integration`, they are names of that integration. */
  near: (written: string, integration?: string) => NearName[];
}

type Entry = { name: string; plain: string; integration: string; at: number };

/** Makes a list of names with what people may write for each. */
export function createNameList(
  names: readonly (readonly [name: string, written: string, integration: string])[],
): NameList {
  const entries = names.map(([name, written, integration], at) => ({
    name,
    plain: plainOf(written),
    integration,
    at,
  }));
  const byLength: ReadonlyMap<number, readonly Entry[]> = Map.groupBy(entries, ({ plain }) => plain.length);

  return {
    near(written, integration) {
      const wanted = plainOf(written);
      const allowed = wanted.length < LONG_NAME ? 1 : 2;
      const lengths = Array.from({ length: 2 * allowed + 1 }, (_, at) => wanted.length - allowed + at);
      return lengths
        .flatMap((length) => byLength.get(length) ?? [])
        .filter((entry) => integration === undefined || entry.integration === integration)
        .map((entry) => ({ ...entry, slips: editDistance(wanted, entry.plain) }))
        .filter(({ slips }) => slips <= allowed && slips < wanted.length / 2)
        .toSorted((one, other) => one.slips - other.slips || one.at - other.at);
    },
  };
}

const plainOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
