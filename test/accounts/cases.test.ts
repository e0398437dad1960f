// Tests each row of the table of ambiguous cases in docs/reference/records.md. reference: Several accounts; decision: 028
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { APPROVAL_CASES } from './cases/approvals.ts';
import { CALL_CASES } from './cases/calls.ts';
import { CONNECTING_CASES } from './cases/connecting.ts';
import { CURL_CASES } from './cases/curl.ts';
import { IMPORT_CASES } from './cases/imports.ts';
import type { Case, Opened } from './cases/case.ts';

const CASES: readonly Case[] = [
  ...CALL_CASES,
  ...CURL_CASES,
  ...IMPORT_CASES,
  ...APPROVAL_CASES,
  ...CONNECTING_CASES,
];

const opened: Opened[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

it.each([...CASES])('$situation: $outcome', ({ run }) =>
  run((stand) => {
    opened.push(stand);
    return stand;
  }),
);

it('the table of docs/reference/records.md has exactly these rows', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/records.md'), 'utf8');
  const [, table = ''] = page.split('| Situation | Door | Outcome |\n|---|---|---|\n');
  const [rows = ''] = table.split('\n\n');
  expect(rows.split('\n')).toEqual(
    CASES.map(({ situation, door, outcome }) => `| ${situation} | ${door} | ${outcome} |`),
  );
});
