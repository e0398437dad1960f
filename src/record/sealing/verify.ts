// Checks the audit log against its segments: signatures, chain, and every row. It reads in portions. docs/audit.md
import { AUDIT_SEGMENT_SECONDS } from '../model/limits.ts';
import {
  type AuditSegment,
  FIRST_ROW_ID,
  LAST_ROW_ID,
  type RawAuditRow,
} from '../../ports/audit-segments.ts';
import type { Ports } from '../../ports/ports.ts';
import { createErasureList } from './erasure-list.ts';
import { BEFORE_ALL_ROWS, headDigest, headText, NOTHING_BEFORE, pruningText } from './head.ts';
import type { PublicAuditKey } from './key.ts';
import { hashRow, isCleared, isErased } from './leaf.ts';
import { createMerkleTree } from './merkle.ts';
import type { Problem, ProblemKind } from './problems.ts';
import { compareRows, nameRows } from './row-changes.ts';
import { partOf } from './row-index.ts';
import type { GivenHeads } from './given-heads.ts';

const SEGMENTS_AT_ONCE = 20;
const ROWS_AT_ONCE = 500;
const MAX_PROBLEMS = 1_000;
/** The rows beyond those of the segment that are named. */
const MAX_EXTRA_ROWS = 10_000;
/** A gateway that runs has sealed its first rows by then. */
const FIRST_SEAL_SECONDS = 2 * AUDIT_SEGMENT_SECONDS;

export interface Verified {
  segments: number;
  rows: number;
  prunedSegments: number;
  prunedRows: number;
  erasedRows: number;
  unsealedRows: number;
  /** When the oldest row that is not sealed was written. */
  unsealedSince: number | null;
  heads: number;
  problems: Problem[];
  moreProblems: number;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'store'>;

export async function verifyAudit(
  { clock, digest, store }: Needs,
  keys: readonly PublicAuditKey[],
  given: GivenHeads,
): Promise<Verified> {
  const segments = store.auditSegments;
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  const erasures = createErasureList(segments, keyOf);
  const found: Verified = {
    segments: 0,
    rows: 0,
    prunedSegments: 0,
    prunedRows: 0,
    erasedRows: 0,
    unsealedRows: 0,
    unsealedSince: null,
    heads: given.count,
    problems: [],
    moreProblems: 0,
  };

  const isLate = (since: number): boolean => clock.now() - since >= FIRST_SEAL_SECONDS;

  function report(...problems: readonly Problem[]): void {
    for (const problem of problems) {
      if (found.problems.length < MAX_PROBLEMS) found.problems.push(problem);
      else found.moreProblems++;
    }
  }

  async function checkSignature(segment: AuditSegment): Promise<void> {
    const key = keyOf.get(segment.key);
    const number = segment.segment;
    if (key === undefined)
      report(
        problem('unknown-key', number, `is signed with ${segment.key}, which is none of the given keys`),
      );
    else if (!(await key.verify(headText(segment), segment.signature)))
      report(problem('signature', number, 'has a signature that does not fit: its head was changed'));
  }

  function checkChain(segment: AuditSegment, before: AuditSegment | null): void {
    const number = segment.segment;
    const expected = (before?.segment ?? 0) + 1;
    if (number > expected) {
      const which = number - 1 === expected ? `${expected} is` : `${expected} to ${number - 1} are`;
      return report({ kind: 'missing-segment', segment: expected, text: `segment ${which} missing` });
    }
    const previous = before === null ? NOTHING_BEFORE : headDigest(before, digest);
    if (number !== expected || segment.previous !== previous)
      report(problem('chain', number, 'does not follow the segment before it'));
    else if (segment.first > segment.last || segment.first <= (before?.last ?? BEFORE_ALL_ROWS))
      report(problem('chain', number, 'covers rows of the segment before it'));
    else if (segment.size !== (before?.size ?? 0) + segment.rows)
      report(problem('chain', number, 'does not count the rows before it'));
  }

  /** Returns whether the rows are still to be checked. */
  async function checkPruning(segment: AuditSegment, after: number): Promise<boolean> {
    const { segment: number, pruned_at, pruned_key, pruned_signature } = segment;
    if (pruned_at === null) return true;
    found.prunedSegments++;
    found.prunedRows += segment.rows;
    const text = pruningText(segment, pruned_at, pruned_key ?? '');
    const isSigned = await keyOf.get(pruned_key ?? '')?.verify(text, pruned_signature ?? '');
    if (isSigned !== true) {
      report(problem('pruned-by-hand', number, 'is marked as pruned, and nobody signed that'));
      return true;
    }
    // While the index is there, the gateway is still deleting.
    if (segment.row_index !== null) return false;
    const [extra] = await segments.rows(after, segment.last, 1);
    if (extra !== undefined)
      report({
        ...problem('rows-extra', number, `is pruned, and row ${extra.id} was inserted`),
        ids: `${extra.id}`,
      });
    return false;
  }

  const isRightlyErased = (row: RawAuditRow) =>
    isCleared(row) && erasures.has(String(row['user_id']), row.id);

  /** Reads and hashes the rows of a segment. */
  async function checkRows(segment: AuditSegment, after: number) {
    const tree = createMerkleTree(digest);
    const parts = new Map<number, string>();
    const byHand: number[] = [];
    let [count, erased] = [0, 0];
    for (let from = after; ;) {
      const rows = await segments.rows(from, segment.last, ROWS_AT_ONCE);
      for (const row of rows) {
        const hashed = hashRow(row, digest);
        tree.add(hashed.leaf);
        if (parts.size < segment.rows + MAX_EXTRA_ROWS) parts.set(row.id, partOf(hashed));
        if (isErased(row)) erased++;
        if (isErased(row) && !isRightlyErased(row)) byHand.push(row.id);
      }
      count += rows.length;
      const last = rows.at(-1);
      if (last === undefined || rows.length < ROWS_AT_ONCE) break;
      from = last.id;
    }
    const isWhole = count === segment.rows && tree.root() === segment.root;
    const problems = isWhole ? [] : compareRows(segment, parts, count);
    if (byHand.length > 0) problems.push(erasedByHand(segment, byHand));
    return { erased, problems };
  }

  /** A running gateway may erase and prune at the same time, so what does not fit is read again. */
  async function checkSegmentRows(segment: AuditSegment, after: number): Promise<void> {
    let checked = await checkRows(segment, after);
    if (checked.problems.length > 0) {
      report(...(await erasures.read()));
      const [again] = await segments.page(segment.segment - 1, 1);
      if (again?.pruned_at !== segment.pruned_at) {
        if (again?.segment === segment.segment && !(await checkPruning(again, after))) return;
      }
      checked = await checkRows(segment, after);
    }
    found.rows += segment.rows;
    found.erasedRows += checked.erased;
    report(...checked.problems);
  }

  /** A row with such an id is in no segment, so only a count can find it. */
  async function checkIds(): Promise<void> {
    const rows = await segments.countForeign();
    if (rows > 0)
      report({
        kind: 'rows-extra',
        segment: null,
        text: `${rows === 1 ? '1 row has an id' : `${rows} rows have ids`} below ${FIRST_ROW_ID} or above ${LAST_ROW_ID}, which the gateway never gives: somebody inserted ${rows === 1 ? 'it' : 'them'}`,
      });
  }

  report(...given.problems, ...(await erasures.read()));
  await checkIds();
  let before: AuditSegment | null = null;
  for (;;) {
    const page: AuditSegment[] = await segments.page(
      before?.segment ?? Number.MIN_SAFE_INTEGER,
      SEGMENTS_AT_ONCE,
    );
    for (const segment of page) {
      found.segments++;
      await checkSignature(segment);
      checkChain(segment, before);
      report(...given.compare(segment));
      const follows = segment.segment === (before?.segment ?? 0) + 1;
      // The rows of a missing segment are not those of the next one.
      const after: number = follows ? (before?.last ?? BEFORE_ALL_ROWS) : segment.first - 1;
      if (await checkPruning(segment, after)) await checkSegmentRows(segment, after);
      before = segment;
    }
    if (page.length < SEGMENTS_AT_ONCE) break;
  }
  report(...given.rest());
  const end = before?.last ?? BEFORE_ALL_ROWS;
  found.unsealedRows = await segments.countAfter(end);
  found.unsealedSince = timeOf((await segments.rows(end, LAST_ROW_ID, 1))[0]);
  if (before === null && found.unsealedSince !== null && isLate(found.unsealedSince))
    report({
      kind: 'nothing-sealed',
      segment: null,
      text: `there are rows older than ${FIRST_SEAL_SECONDS / 60} minutes, and no segment: if the gateway has run since, segments were removed`,
    });
  return found;
}

const problem = (kind: ProblemKind, segment: number, text: string): Problem => ({
  kind,
  segment,
  text: `segment ${segment} ${text}`,
});

function erasedByHand({ segment }: AuditSegment, ids: readonly number[]): Problem {
  const named = nameRows(ids);
  return {
    ...problem('erased-by-hand', segment, `has rows that no signed erasure names: ${named}`),
    ids: named,
  };
}

function timeOf(row: RawAuditRow | undefined): number | null {
  const time = row?.['created_at'];
  return typeof time === 'number' ? time : null;
}
