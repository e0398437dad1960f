// Values of cells: read, written, appended and cleared.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { row, send, texts } from '../google/oauth.ts';
import { dateOption, inputOption, range, renderOption, rows, SPREADSHEET, spreadsheetId } from './fields.ts';
import { parseA1 } from './a1.ts';

const VALUES = `${SPREADSHEET}/values`;
const READ = { valueRenderOption: renderOption, dateTimeRenderOption: dateOption };
const Values = z.lazy(() =>
  z.looseObject({
    range: z.string().default(''),
    values: z.array(z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))).default([]),
  }),
);

export const values: readonly Tool[] = [
  row('gsheets_read_range', `GET ${VALUES}/{range}`, 'Read the values of a range as rows of cells', () => ({
    spreadsheetId,
    range,
    ...READ,
  })),
  row(
    'gsheets_read_ranges',
    `GET ${VALUES}:batchGet`,
    'Read the values of several ranges of a spreadsheet at once',
    () => ({
      spreadsheetId,
      ranges: texts.describe('Ranges in A1 notation, such as ["Plan!A1:C10","Costs!B:B"]'),
      ...READ,
    }),
  ),
  tool(
    'gsheets_find_rows',
    'Find rows of a table by the values of its columns; the first row of the range names the columns',
    () => ({
      spreadsheetId,
      range,
      where: z
        .record(z.string(), z.string())
        .optional()
        .describe('Text that each column contains, such as {"Status":"open"}; every row without it'),
      maxRows: z.int().min(1).max(1000).default(50).describe('Rows to return, at most 1000'),
    }),
    async ({ where = {}, maxRows, ...args }, { upstream }) => {
      const found = Values.parse(await send(upstream, `GET ${VALUES}/{range}`, args));
      return findRows(found, where, maxRows);
    },
  ),
  row(
    'gsheets_write_range',
    `PUT ${VALUES}/{range}`,
    'Write rows of cells into a range, over what is there',
    () => ({ spreadsheetId, range, values: rows(), valueInputOption: inputOption }),
    { query: ['valueInputOption'] },
  ),
  row(
    'gsheets_write_ranges',
    `POST ${VALUES}:batchUpdate`,
    'Write rows of cells into several ranges of a spreadsheet at once',
    () => ({
      spreadsheetId,
      data: z
        .array(
          z.strictObject({
            range,
            values: rows(),
          }),
        )
        .describe('Ranges with their rows, such as [{"range":"Plan!A1","values":[["x"]]}]'),
      valueInputOption: inputOption,
    }),
  ),
  row(
    'gsheets_append_rows',
    `POST ${VALUES}/{range}:append`,
    'Append rows after the last row of a table',
    () => ({
      spreadsheetId,
      range: range.describe('Any range of the table, or the name of its sheet, such as Plan'),
      values: rows(),
      valueInputOption: inputOption,
      insertDataOption: z
        .enum(['INSERT_ROWS', 'OVERWRITE'])
        .default('INSERT_ROWS')
        .describe('Insert new rows, or write over the cells below the table'),
    }),
    { query: ['valueInputOption', 'insertDataOption'] },
  ),
  row(
    'gsheets_clear_range',
    `POST ${VALUES}/{range}:clear`,
    'Clear the values of a range; formats stay',
    () => ({ spreadsheetId, range }),
    { access: 'destroy' },
  ),
];

/** Trailing empty cells are missing in the answer, so a row may be shorter than the first one. */
function findRows(
  { range: read, values: all }: z.infer<typeof Values>,
  where: Readonly<Record<string, string>>,
  maxRows: number,
) {
  const columns = (all[0] ?? []).map((name, index) => String(name ?? '') || `column ${index + 1}`);
  const unknown = Object.keys(where).find((name) => !columns.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no column ${unknown}. The columns are: ${columns.join(', ')}`);
  const first = read === '' ? 0 : (parseA1(read).cells.startRowIndex ?? 0);
  const found = all.slice(1).flatMap((cells, index) => {
    const record = Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']));
    const fits = Object.entries(where).every(([name, wanted]) =>
      String(record[name] ?? '')
        .toLowerCase()
        .includes(wanted.toLowerCase()),
    );
    return fits ? [{ row: first + index + 2, values: record }] : [];
  });
  return { range: read, columns, found: found.length, rows: found.slice(0, maxRows) };
}
