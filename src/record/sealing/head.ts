// The head of a segment: what is signed, and what is written elsewhere. decision: 039
import * as z from 'zod';
import { canonicalJson } from '../../json/canonical.ts';
import { type AuditSegment, FIRST_ROW_ID, type SegmentHead } from '../../ports/audit-segments.ts';
import type { Digest } from '../../ports/digest.ts';

/** The `previous` of the first segment. */
export const NOTHING_BEFORE = '0'.repeat(64);
/** Every id that the gateway gives is larger. */
export const BEFORE_ALL_ROWS = FIRST_ROW_ID - 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A head as it was written elsewhere. A line of the log has more members. */
export const SignedHead = z.object({
  v: z.literal(1),
  origin: z.string(),
  segment: z.int(),
  first: z.int(),
  last: z.int(),
  rows: z.int(),
  size: z.int(),
  root: sha256,
  previous: sha256,
  newest: z.int(),
  sealed: z.int(),
  key: z.string(),
  signature: z.string(),
});
export type SignedHead = z.infer<typeof SignedHead>;

/** The text that is signed: RFC 8785 makes it the same everywhere. */
export function headText(head: SegmentHead): string {
  const { origin, segment, first, last, rows, size, root, previous, newest, sealed, key } = head;
  return canonicalJson({
    v: 1,
    origin,
    segment,
    first,
    last,
    rows,
    size,
    root,
    previous,
    newest,
    sealed,
    key,
  });
}

export const headDigest = (head: SegmentHead, digest: Digest): string => digest.sha256(headText(head));

export function signedHead(segment: AuditSegment): SignedHead {
  const { origin, first, last, rows, size, root, previous, newest, sealed, key, signature } = segment;
  const numbers = { segment: segment.segment, first, last, rows, size };
  return { v: 1, origin, ...numbers, root, previous, newest, sealed, key, signature };
}

/** The text that is signed before the rows of a segment are deleted because of their age. */
export const pruningText = ({ segment, root }: SegmentHead, at: number, key: string): string =>
  canonicalJson({ v: 1, pruned: segment, root, at, key });
