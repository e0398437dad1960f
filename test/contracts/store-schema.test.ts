// Tests that docs/storage.md describes the schema.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { tables } from '../../drivers/sql/tables.ts';

const page = await readFile(new URL('../../docs/storage.md', import.meta.url), 'utf8');
const sections = page.split(/^## /m).slice(1);

/** Returns the first two cells of each row below a table's head. */
const documentedColumns = (section: string) =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, column, type]) => [column, type]);

describe('docs/storage.md', () => {
  it('lists every table in order', () => {
    expect(sections.map((section) => section.split('\n')[0])).toStrictEqual(Object.keys(tables));
  });

  it.each(Object.entries(tables))(
    'lists every column, type and index of %s',
    (table, { columns, indexes = {} }) => {
      const section = sections.find((text) => text.startsWith(`${table}\n`)) ?? '';
      expect(documentedColumns(section)).toStrictEqual(Object.entries(columns));
      expect(Object.keys(indexes).filter((index) => !section.includes(`\`${index}\``))).toEqual([]);
    },
  );
});
