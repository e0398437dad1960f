// Parses which part of a file a request wants. RFC 9110 §14
export type RequestedRange =
  | { kind: 'whole' }
  | { kind: 'part'; offset: number; length: number }
  | { kind: 'unsatisfiable' };

const WHOLE = { kind: 'whole' } as const;

/** Accepts one range of bytes, and ignores everything else. */
export function parseRange(
  range: string | undefined,
  ifRange: string | undefined,
  etag: string,
  size: number,
): RequestedRange {
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return WHOLE;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.replaceAll(' ', '')) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return WHOLE;
  const offset = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(Number(last) + 1, size);
  if (first !== '' && last !== '' && Number(last) < offset) return WHOLE;
  return offset < end ? { kind: 'part', offset, length: end - offset } : { kind: 'unsatisfiable' };
}

/** Uses the weak comparison. RFC 9110 §13.1.2 */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag);
}
