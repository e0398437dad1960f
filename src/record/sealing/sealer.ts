// Seals the rows of the audit log in segments, a bounded number in each round. Every row is in exactly one segment.
// decision: 039
import {
  AUDIT_SEAL_LEASE_SECONDS,
  AUDIT_SEAL_ROUND_MS,
  AUDIT_SEGMENT_ROWS,
  AUDIT_SEGMENT_SECONDS,
  AUDIT_SEGMENTS_PER_ROUND,
} from '../model/limits.ts';
import { createPace, type Pace } from '../../memory/pace.ts';
import { withLease } from '../../memory/with-lease.ts';
import { type AuditSegment, LAST_ROW_ID, type SegmentHead } from '../../ports/audit-segments.ts';
import type { Ports } from '../../ports/ports.ts';
import { BEFORE_ALL_ROWS, headDigest, headText, NOTHING_BEFORE } from './head.ts';
import type { AuditKey } from './key.ts';
import { type HashedRow, hashRow } from './leaf.ts';
import { createMerkleTree } from './merkle.ts';
import { writeRowIndex } from './row-index.ts';

/** How many rows are read and hashed before other work runs. */
const PORTION_ROWS = 200;
const CUT_TRIES = 20;
const CUT_PAUSE_MS = 50;

export interface SealingLimits {
  /** The rows of a full segment. */
  rows: number;
  /** A segment that is not full is closed when its first row is this old. */
  seconds: number;
  segmentsPerRound: number;
}

export const SEALING_LIMITS: SealingLimits = {
  rows: AUDIT_SEGMENT_ROWS,
  seconds: AUDIT_SEGMENT_SECONDS,
  segmentsPerRound: AUDIT_SEGMENTS_PER_ROUND,
};

export type SealNeeds = Pick<Ports, 'clock' | 'config' | 'digest' | 'log' | 'random' | 'store'>;

interface Read {
  rows: HashedRow[];
  /** When the newest row was written. */
  newest: number;
}

/** Returns the part of a maintenance round that seals. */
export function createSealer(
  deps: SealNeeds,
  key: AuditKey,
  limits: SealingLimits = SEALING_LIMITS,
): (stop?: AbortSignal) => Promise<void> {
  const { clock, config, digest, log } = deps;
  const segments = deps.store.auditSegments;
  /** The newest segment that this process has seen: whoever takes segments away cannot take this. */
  let seen: AuditSegment | null = null;
  let wasRefused = '';

  /** Says once why nothing is sealed. */
  function refuse(reason: string): null {
    if (wasRefused !== reason) log.write('error', 'audit rows are not sealed', { reason });
    wasRefused = reason;
    return null;
  }

  /** Returns the segment to follow, or null when nothing may be sealed. */
  async function readEnd(): Promise<{ newest: AuditSegment | null } | null> {
    const newest = await segments.newest();
    if (seen !== null && (newest?.segment ?? 0) < seen.segment)
      return refuse(`segment ${seen.segment} was sealed and is gone: check the database, then restart`);
    const isOurs = newest?.key === key.id;
    if (isOurs && !(await key.verify(headText(newest), newest.signature)))
      return refuse(`the signature of segment ${newest.segment} does not fit: check the database`);
    seen = newest;
    wasRefused = '';
    return { newest };
  }

  /** Whether the rows after this one fill a segment, or are old enough for one. */
  async function isDue(after: number): Promise<boolean> {
    const [oldest] = await segments.rows(after, LAST_ROW_ID, 1);
    if (oldest === undefined) return false;
    // A time in the future comes from a wrong clock, and would keep the segment open.
    const age = Math.abs(clock.now() - Number(oldest['created_at']));
    return age >= limits.seconds || (await segments.idAfter(after, limits.rows)) !== null;
  }

  /** Returns an id up to which no row can appear any more. Null while a writer is not done. */
  async function settledCut(): Promise<number | null> {
    const cut = await segments.cut();
    if (cut === null) return null;
    for (let tried = 0; !(await segments.areDone(cut.writers)); tried++) {
      if (tried === CUT_TRIES) return null;
      await clock.sleep(CUT_PAUSE_MS);
    }
    return cut.last;
  }

  async function readRows(after: number, last: number, pace: Pace): Promise<Read> {
    const rows: HashedRow[] = [];
    let newest = 0;
    for (let from = after; rows.length < limits.rows;) {
      const portion = await segments.rows(from, last, Math.min(PORTION_ROWS, limits.rows - rows.length));
      for (const row of portion) {
        rows.push(hashRow(row, digest));
        newest = Math.max(newest, Math.floor(Number(row['created_at'])) || 0);
      }
      from = portion.at(-1)?.id ?? last;
      if (portion.length === 0) break;
      await pace.pause();
    }
    return { rows, newest };
  }

  /** Seals one segment. Returns whether there may be another one to seal now. */
  async function sealNext(pace: Pace): Promise<boolean> {
    const end = await readEnd();
    if (end === null) return false;
    const after = end.newest?.last ?? BEFORE_ALL_ROWS;
    const last = (await isDue(after)) ? await settledCut() : null;
    if (last === null || last <= after) return false;
    const { rows, newest } = await readRows(after, last, pace);
    const [first, final] = [rows.at(0), rows.at(-1)];
    if (first === undefined || final === undefined) return false;
    const tree = createMerkleTree(digest);
    for (const { leaf } of rows) tree.add(leaf);
    const head: SegmentHead = {
      origin: config.SERVER_PUBLIC_URL,
      segment: (end.newest?.segment ?? 0) + 1,
      first: first.id,
      last: final.id,
      rows: rows.length,
      size: (end.newest?.size ?? 0) + rows.length,
      root: tree.root(),
      previous: end.newest === null ? NOTHING_BEFORE : headDigest(end.newest, digest),
      newest,
      sealed: clock.now(),
      key: key.id,
    };
    const segment: AuditSegment = {
      ...head,
      signature: await key.sign(headText(head)),
      row_index: writeRowIndex(rows),
      pruned_at: null,
      pruned_key: null,
      pruned_signature: null,
      delivered_at: null,
    };
    // Another process may have sealed the same rows, when this one lost its lease in between.
    if (!(await segments.add(segment))) return false;
    seen = segment;
    return true;
  }

  return async function seal(stop) {
    const newest = await segments.newest();
    const isAsBefore = newest?.segment === seen?.segment;
    // Most rounds of a quiet gateway end here, without a lease.
    if (isAsBefore && !(await isDue(newest?.last ?? BEFORE_ALL_ROWS))) return;
    await withLease(deps, 'audit seal', AUDIT_SEAL_LEASE_SECONDS, async () => {
      const pace = createPace(clock, AUDIT_SEAL_ROUND_MS, stop);
      for (let sealed = 0; sealed < limits.segmentsPerRound; sealed++)
        if (!pace.hasTime() || !(await sealNext(pace))) return;
    });
  };
}
