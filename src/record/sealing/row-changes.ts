// Says how the rows of a segment differ from those that were sealed, by the index of the segment.
import type { AuditSegment } from '../../ports/audit-segments.ts';
import { readRowIndex, writeRanges } from './row-index.ts';
import type { Problem, ProblemKind } from './problems.ts';

const MAX_NAMED_ROWS = 50;

/** Names some of the rows. */
export function nameRows(ids: readonly number[]): string {
  const named = writeRanges(ids.slice(0, MAX_NAMED_ROWS).toSorted((one, other) => one - other));
  return ids.length > MAX_NAMED_ROWS ? `${named} and ${ids.length - MAX_NAMED_ROWS} more` : named;
}

/** `parts` has a part of the content hash of each row that is there. */
export function compareRows(
  segment: AuditSegment,
  parts: ReadonlyMap<number, string>,
  count: number,
): Problem[] {
  const text = segment.row_index ?? '';
  // A part is longer than one character, so a text names fewer rows than it has characters.
  const sealed = readRowIndex(text, Math.min(segment.rows, text.length))?.parts ?? new Map<number, string>();
  const missing = [...sealed.keys()].filter((id) => !parts.has(id));
  const differing = [...parts].filter(([id, part]) => sealed.has(id) && sealed.get(id) !== part);
  const added = [...parts].filter(([id]) => !sealed.has(id));
  // The content of a row that is not at its place any more.
  const elsewhere = new Set([...missing, ...differing.map(([id]) => id)].map((id) => sealed.get(id)));
  const isMoved = ([, part]: [number, string]) => elsewhere.has(part);
  const idsOf = (rows: readonly [number, string][]) => rows.map(([id]) => id);
  const problems = [
    describe(segment, 'rows-missing', missing, 'was deleted', 'were deleted'),
    ...(sealed.size === 0
      ? []
      : [
          describe(
            segment,
            'rows-reordered',
            idsOf([...differing, ...added].filter(isMoved)),
            'has the content of another row',
            'have the content of other rows',
          ),
          describe(
            segment,
            'rows-changed',
            idsOf(differing.filter((row) => !isMoved(row))),
            'was changed',
            'were changed',
          ),
          describe(
            segment,
            'rows-extra',
            idsOf(added.filter((row) => !isMoved(row))),
            'was inserted',
            'were inserted',
          ),
        ]),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) return problems;
  const how =
    count === segment.rows ? 'its rows were changed' : `it has ${count} rows instead of ${segment.rows}`;
  return [{ kind: 'rows-differ', segment: segment.segment, text: `segment ${segment.segment}: ${how}` }];
}

function describe(
  { segment }: AuditSegment,
  kind: ProblemKind,
  ids: readonly number[],
  one: string,
  many: string,
): Problem | null {
  if (ids.length === 0) return null;
  const named = nameRows(ids);
  const text = ids.length === 1 ? `row ${named} ${one}` : `rows ${named} ${many}`;
  return { kind, segment, ids: named, text: `segment ${segment}: ${text}` };
}
