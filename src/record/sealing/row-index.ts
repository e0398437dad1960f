// Names the rows of a segment in little space, so that a verifier can say which of them changed. It proves nothing: the root does.
import type { HashedRow } from './leaf.ts';

/** The part of a content hash that is kept for each row. */
const PART = 12;

export interface RowIndex {
  /** The part by the id of its row. */
  parts: ReadonlyMap<number, string>;
}

export const partOf = ({ content }: Pick<HashedRow, 'content'>): string => content.slice(0, PART);

/** `1-3,7 ` and the parts of the four rows. */
export function writeRowIndex(rows: readonly HashedRow[]): string {
  return `${writeRanges(rows.map(({ id }) => id))} ${rows.map(partOf).join('')}`;
}

/** Returns null for a text that was changed into something else. */
export function readRowIndex(text: string, most: number): RowIndex | null {
  const [ranges = '', parts = ''] = text.split(' ');
  const ids = readRanges(ranges, most);
  if (ids === null || parts.length !== ids.length * PART) return null;
  return { parts: new Map(ids.map((id, at) => [id, parts.slice(at * PART, (at + 1) * PART)])) };
}

/** Writes ids, in order, as ranges. */
export function writeRanges(ids: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const range = ranges.at(-1);
    if (range !== undefined && range[1] === id - 1) range[1] = id;
    else ranges.push([id, id]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}

/** Returns the ids of ranges, or null when the text has none or more than `most`. */
export function readRanges(text: string, most: number): number[] | null {
  const ids: number[] = [];
  for (const range of text.split(',')) {
    const [, from, to = from] = /^(-?\d{1,15})(?:-(-?\d{1,15}))?$/.exec(range) ?? [];
    if (from === undefined || Number(to) - Number(from) >= most) return null;
    for (let id = Number(from); id <= Number(to); id++) ids.push(id);
    if (ids.length > most) return null;
  }
  return ids;
}
