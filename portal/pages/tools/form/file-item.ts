// Adds a file to a list that is written as JSON.
import type { FileItems } from './fields.ts';

/** Null when the draft is not a list. */
export function addFileItem(
  draft: string,
  { member, name: named }: FileItems,
  { reference, name }: { reference: string; name: string },
): string | null {
  const list = parseList(draft);
  if (list === null) return null;
  const item = { ...(named === undefined ? {} : { [named]: name }), [member]: reference };
  return JSON.stringify([...list, item], null, 2);
}

function parseList(draft: string): unknown[] | null {
  if (draft.trim() === '') return [];
  try {
    const value: unknown = JSON.parse(draft);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
