// Writes audit rows as NDJSON or CSV while they are sent. reference: Audit; decision: 036
import type { z } from 'zod';
import { toStream } from '../../http/to-stream.ts';
import { shownText } from '../../kit/shown-text.ts';
import type { Ports } from '../../ports/ports.ts';
import type { AuditAsked } from './look.ts';
import type { AuditExportQuery } from './row-schemas.ts';
import { type AuditRow, readAuditRows } from './page.ts';

type Cell = string | number | boolean | null;
type Cells = Record<string, Cell>;
type Format = z.infer<typeof AuditExportQuery>['format'];

export interface AuditExport {
  asked: AuditAsked;
  format: Format;
  /** Adds a column to the rows of a part. */
  extra?: { column: string; cells: (rows: readonly AuditRow[]) => Promise<readonly Cell[]> };
}

const encoder = new TextEncoder();
const CONTENT_TYPES: Record<Format, string> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8',
};

export function exportAudit(
  deps: Pick<Ports, 'store'>,
  { asked, format, extra }: AuditExport,
): { body: ReadableStream<Uint8Array<ArrayBuffer>>; headers: Record<string, string> } {
  async function* listParts() {
    const columns = extra === undefined ? COLUMNS : [...COLUMNS, extra.column];
    const lineOf = format === 'csv' ? toCsvLine : (row: Cells) => `${JSON.stringify(row)}\n`;
    if (format === 'csv') yield encoder.encode(toLine(columns));
    for await (const rows of readAuditRows(deps, asked)) {
      const cells = await extra?.cells(rows);
      const lines = rows.map((row, at) =>
        lineOf(
          extra === undefined
            ? describeRow(row)
            : { ...describeRow(row), [extra.column]: cells?.[at] ?? null },
        ),
      );
      yield encoder.encode(lines.join(''));
    }
  }

  return {
    body: toStream(listParts()),
    headers: {
      'Content-Type': CONTENT_TYPES[format],
      'Content-Disposition': `attachment; filename="audit.${format}"`,
    },
  };
}

function describeRow(row: AuditRow) {
  const { id, created_at, user_id, integration, tool, action, access, outcome, success, error } = row;
  const { duration_ms, actor, client_name, account, owner, request_id, approval, status, script } = row;
  return {
    id,
    created_at,
    time: new Date(created_at * 1000).toISOString(),
    user_id,
    integration,
    tool,
    action,
    access,
    account,
    owner,
    outcome,
    success,
    error,
    duration_ms,
    actor,
    client_name: shownText(client_name),
    request_id,
    approval,
    status,
    script,
  } satisfies Cells;
}

/** The names are those of a row that has nothing in it. */
const COLUMNS = Object.keys(
  describeRow({
    id: 0,
    user_id: '',
    integration: '',
    tool: '',
    action: 'EXECUTE',
    success: true,
    error: null,
    duration_ms: 0,
    created_at: 0,
    actor: null,
    outcome: null,
    account: null,
    owner: null,
    client_name: null,
    access: null,
    request_id: null,
    approval: null,
    status: null,
    details: null,
    script: null,
  }),
);

/** RFC 4180 */
const toCsvLine = (row: Cells): string => toLine(Object.values(row));

const toLine = (cells: readonly Cell[]): string => `${cells.map(toCell).join(',')}\r\n`;

function toCell(value: Cell): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  // A spreadsheet would run such a text as a formula, and agents choose texts.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
