// Keeps tables of docs/mcp-servers.md: a test compares the row of what it saw, or writes it with WRITE_COUNTERPARTS=1.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExpectStatic } from 'vitest';
import { ROOT } from '../support/gateway-process.ts';

const PAGE = join(ROOT, 'docs/mcp-servers.md');

export interface Table {
  add(cells: readonly string[], expect: ExpectStatic): void;
  /** Writes what was seen in the place of the rows of the same servers. */
  write(): void;
}

/** The table whose first line begins with the text. Its columns begin with a name, two of a kind and version, and a mode. */
export function openTable(heading: string): Table {
  const isWritten = process.env['WRITE_COUNTERPARTS'] === '1';
  const rows: string[] = [];
  /** The server with the first part of its version, and the mode. */
  const keyOf = (row: string) => row.replace(/( \| v?\d+)[^|]* \| ([^|]+) \|.*/, '$1 $2');
  return {
    add(cells, expect) {
      const row = `| ${cells.join(' | ')} |`;
      rows.push(row);
      if (!isWritten) expect(readFileSync(PAGE, 'utf8').split('\n')).toContain(row);
    },

    write() {
      if (!isWritten) return;
      const lines = readFileSync(PAGE, 'utf8').split('\n');
      const first = lines.findIndex((line) => line.startsWith(heading)) + 2;
      const length = lines.slice(first).findIndex((line) => !line.startsWith('|'));
      const seen = new Set(rows.map(keyOf));
      const kept = lines.slice(first, first + length).filter((row) => !seen.has(keyOf(row)));
      const written = [...kept, ...rows].toSorted((one, other) => one.localeCompare(other));
      writeFileSync(PAGE, lines.toSpliced(first, length, ...written).join('\n'));
    },
  };
}
