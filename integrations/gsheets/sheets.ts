// Spreadsheets and their sheets, rows and columns.
import * as z from 'zod';
import { type Tool, tool, type Upstream } from '../../src/kit/integration.ts';
import { withoutUndefined } from '../../src/kit/without-empty.ts';
import { listFiles } from '../google/drive-files.ts';
import { flag, object, row, send, some, text, texts } from '../google/oauth.ts';
import { columnNumber } from './a1.ts';
import { change, findSheet, gridRange, range, sheet, SPREADSHEET, spreadsheetId } from './fields.ts';

const GRID = 'gridProperties(rowCount,columnCount,frozenRowCount,frozenColumnCount)';
const SHOWN = `spreadsheetId,spreadsheetUrl,properties(title,locale,timeZone),sheets.properties(sheetId,title,index,hidden,${GRID}),namedRanges(name,range)`;

const count = () => z.int().min(0).optional();
const Created = z.lazy(() => z.looseObject({ replies: z.array(z.unknown()).default([]) }));
const columnName = text.regex(/^[A-Za-z]{1,3}$/).describe('Letters of the column, such as C');
const dimension = () => ({
  sheet,
  dimension: z.enum(['ROWS', 'COLUMNS']).describe('Whether it is about rows or columns'),
  start: z.int().min(1).describe('First row or column, as a number: 1 is row 1 or column A'),
  count: z.int().min(1).default(1).describe('How many rows or columns'),
});

export const sheets: readonly Tool[] = [
  listFiles('gsheets_list_spreadsheets', 'spreadsheets', 'application/vnd.google-apps.spreadsheet'),
  row(
    'gsheets_get_spreadsheet',
    `GET ${SPREADSHEET}`,
    'Get the title of a spreadsheet, its sheets with their sizes, and its named ranges',
    () => ({
      spreadsheetId,
      fields: text.default(SHOWN).describe('Fields to return, or * for all without the cells'),
    }),
  ),
  tool(
    'gsheets_create_spreadsheet',
    'Create a spreadsheet, with sheets of given titles',
    () => ({
      title: text.describe('Title of the spreadsheet'),
      sheets: texts.optional().describe('Titles of its sheets; one sheet by default'),
    }),
    ({ title, sheets: titles }, { upstream }) =>
      send(
        upstream,
        'POST /spreadsheets',
        {
          fields: 'spreadsheetId,spreadsheetUrl,sheets.properties(sheetId,title)',
          properties: { title },
          sheets: titles?.map((each) => ({ properties: { title: each } })),
        },
        { query: ['fields'] },
      ),
    'write',
  ),
  tool(
    'gsheets_add_sheet',
    'Add a sheet to a spreadsheet, empty or as a copy of another sheet',
    () => ({
      spreadsheetId,
      title: text.describe('Title of the new sheet'),
      copyOf: some.describe('Title of the sheet to copy'),
    }),
    async ({ spreadsheetId: id, title, copyOf }, { upstream }) => {
      const request =
        copyOf === undefined
          ? { addSheet: { properties: { title } } }
          : {
              duplicateSheet: {
                sourceSheetId: await findSheet(upstream, id, copyOf),
                newSheetName: title,
              },
            };
      return Created.parse(await change(upstream, id, request)).replies[0];
    },
    'write',
  ),
  tool(
    'gsheets_update_sheet',
    'Rename, move, hide or resize a sheet, or freeze its first rows and columns',
    () => ({
      spreadsheetId,
      sheet,
      title: some.describe('New title'),
      index: count().describe('New position, 0 for the first'),
      hidden: flag.describe('true hides the sheet, false shows it'),
      frozenRowCount: count().describe('Rows at the top that stay when scrolling'),
      frozenColumnCount: count().describe('Columns on the left that stay when scrolling'),
      rowCount: count().describe('Number of rows; fewer rows lose their cells'),
      columnCount: count().describe('Number of columns; fewer columns lose their cells'),
    }),
    async ({ spreadsheetId: id, sheet: named, title, index, hidden, ...grid }, { upstream }) => {
      const plain = withoutUndefined({ title, index, hidden });
      const gridProperties = withoutUndefined(grid);
      const fields = [
        ...Object.keys(plain),
        ...Object.keys(gridProperties).map((key) => `gridProperties.${key}`),
      ].join(',');
      if (fields === '') throw new Error('Say what to change: title, index, hidden or a count');
      const sheetId = await findSheet(upstream, id, named);
      const properties = { sheetId, ...plain, gridProperties };
      return change(upstream, id, { updateSheetProperties: { properties, fields } });
    },
    // Fewer rows lose their cells.
    'destroy',
  ),
  tool(
    'gsheets_delete_sheet',
    'Delete a sheet with everything in it',
    () => ({ spreadsheetId, sheet }),
    async ({ spreadsheetId: id, sheet: named }, { upstream }) =>
      change(upstream, id, { deleteSheet: { sheetId: await findSheet(upstream, id, named) } }),
    'destroy',
  ),
  tool(
    'gsheets_insert_rows_or_columns',
    'Insert empty rows or columns',
    () => ({ spreadsheetId, ...dimension() }),
    async ({ spreadsheetId: id, ...place }, { upstream }) => {
      const interval = await dimensionRange(upstream, id, place);
      return change(upstream, id, {
        insertDimension: { range: interval, inheritFromBefore: interval.startIndex > 0 },
      });
    },
    'write',
  ),
  tool(
    'gsheets_delete_rows_or_columns',
    'Delete rows or columns with their cells',
    () => ({ spreadsheetId, ...dimension() }),
    async ({ spreadsheetId: id, ...place }, { upstream }) =>
      change(upstream, id, { deleteDimension: { range: await dimensionRange(upstream, id, place) } }),
    'destroy',
  ),
  tool(
    'gsheets_sort_range',
    'Sort the rows of a range by one or more columns',
    () => ({
      spreadsheetId,
      range: range.describe('Range to sort, without its head, such as Plan!A2:D100'),
      by: z
        .array(z.strictObject({ column: columnName, descending: flag.describe('true for Z to A') }))
        .min(1)
        .describe('Columns to sort by, such as [{"column":"C","descending":true}]'),
    }),
    async ({ spreadsheetId: id, range: at, by }, { upstream }) => {
      const sortSpecs = by.map(({ column, descending }) => ({
        dimensionIndex: columnNumber(column) - 1,
        sortOrder: descending === true ? 'DESCENDING' : 'ASCENDING',
      }));
      return change(upstream, id, { sortRange: { range: await gridRange(upstream, id, at), sortSpecs } });
    },
    'write',
  ),
  tool(
    'gsheets_replace_text',
    'Find a text in the cells and replace it everywhere, in one sheet or in all',
    () => ({
      spreadsheetId,
      find: text.describe('Text to look for, or a regular expression with searchByRegex'),
      replacement: text.describe('Text in its place'),
      sheet: some.describe('Title of the only sheet to change; all sheets by default'),
      matchCase: flag.describe('true tells A and a apart'),
      matchEntireCell: flag.describe('true takes only cells that contain nothing else'),
      searchByRegex: flag.describe('true reads find as a regular expression'),
      includeFormulas: flag.describe('true looks into formulas too'),
    }),
    async ({ spreadsheetId: id, sheet: named, ...find }, { upstream }) => {
      const where =
        named === undefined ? { allSheets: true } : { sheetId: await findSheet(upstream, id, named) };
      const request = { findReplace: { ...find, ...where } };
      return Created.parse(await change(upstream, id, request)).replies[0];
    },
    'write',
  ),
  row(
    'gsheets_batch_update',
    `POST ${SPREADSHEET}:batchUpdate`,
    'Send requests of the Sheets API that no other tool covers, such as addChart, mergeCells or setDataValidation',
    () => ({
      spreadsheetId,
      requests: z
        .array(object)
        .describe('Requests of spreadsheets.batchUpdate, which apply together or not at all'),
    }),
    { access: 'destroy' },
  ),
];

async function dimensionRange(
  upstream: Upstream,
  id: string,
  place: { sheet: string; dimension: string; start: number; count: number },
) {
  const startIndex = place.start - 1;
  return {
    sheetId: await findSheet(upstream, id, place.sheet),
    dimension: place.dimension,
    startIndex,
    endIndex: startIndex + place.count,
  };
}
