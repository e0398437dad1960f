// Sheets and their cells.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { withoutUndefined } from '../../src/kit/without-empty.ts';
import { page, pageSize, readPage, send, text } from '../microsoft/graph.ts';
import { address, cells, RANGE, sheet, workbook, workbookAt } from './place.ts';

const Range = z.lazy(() =>
  z.object({
    address: z.string().nullish(),
    rowCount: z.number().nullish(),
    columnCount: z.number().nullish(),
    values: z.unknown().optional(),
    text: z.unknown().optional(),
    formulas: z.unknown().optional(),
    numberFormat: z.unknown().optional(),
  }),
);

const showRange = (payload: unknown): Record<string, unknown> => withoutUndefined(Range.parse(payload));

const show = z
  .enum(['values', 'text', 'formulas', 'numberFormat'])
  .default('values')
  .describe('What of the cells: values, the text as it is shown, formulas, or number formats');
const SHAPE = 'address,rowCount,columnCount';

export const ranges: readonly Tool[] = [
  tool(
    'excel_find_workbooks',
    'Find Excel workbooks in OneDrive by name or content',
    () => ({
      query: text.default('.xlsx').describe('Words of the name or content; all workbooks by default'),
      pageSize: pageSize(200),
      page,
    }),
    async ({ query, pageSize: $top, page: cursor }, { upstream }) => {
      const found = await readPage(upstream, "GET /me/drive/root/search(q='{q}')", {
        place: { q: query.replaceAll("'", "''") },
        query: { $top, $select: 'id,name,size,webUrl,lastModifiedDateTime,parentReference' },
        page: cursor,
        show: ({ id, name, webUrl, lastModifiedDateTime }) => ({
          fileId: id,
          name,
          webUrl,
          lastModifiedDateTime,
        }),
      });
      const isWorkbook = (each: unknown) => /\.xls[xm]$/i.test(String(Object(each).name));
      return { ...found, items: found.items.filter(isWorkbook) };
    },
  ),
  tool(
    'excel_list_worksheets',
    'List the sheets of a workbook',
    () => ({ ...workbook, page }),
    ({ page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${workbookAt(place)}/worksheets`, {
        place,
        query: { $select: 'id,name,position,visibility' },
        page: cursor,
      }),
  ),
  tool(
    'excel_add_worksheet',
    'Add a sheet to a workbook',
    () => ({ ...workbook, name: text.max(31).describe('Name of the sheet, at most 31 characters') }),
    (args, { upstream }) => send(upstream, `POST ${workbookAt(args)}/worksheets/add`, args),
    'write',
  ),
  tool(
    'excel_update_worksheet',
    'Rename, move, hide or show a sheet',
    () => ({
      ...workbook,
      sheet,
      name: text.max(31).optional().describe('New name, at most 31 characters'),
      position: z.int().min(0).optional().describe('New place among the sheets, from 0'),
      visibility: z.enum(['Visible', 'Hidden', 'VeryHidden']).optional().describe('Whether people see it'),
    }),
    (args, { upstream }) => send(upstream, `PATCH ${workbookAt(args)}/worksheets/{sheet}`, args),
    'write',
  ),
  tool(
    'excel_delete_worksheet',
    'Delete a sheet with everything in it',
    () => ({ ...workbook, sheet }),
    (args, { upstream }) => send(upstream, `DELETE ${workbookAt(args)}/worksheets/{sheet}`, args),
    'destroy',
  ),
  tool(
    'excel_read_range',
    'Read cells of a sheet; all cells in use without an address',
    () => ({ ...workbook, sheet, address: address.optional(), show }),
    async ({ show: what, ...args }, { upstream }) => {
      const place = args.address === undefined ? 'worksheets/{sheet}/usedRange(valuesOnly=true)' : RANGE;
      const request = `GET ${workbookAt(args)}/${place}` as const;
      return showRange(await send(upstream, request, { ...args, $select: `${SHAPE},${what}` }));
    },
  ),
  tool(
    'excel_write_range',
    'Write values, formulas or number formats to cells of a sheet',
    () => ({
      ...workbook,
      sheet,
      address,
      values: cells
        .optional()
        .describe('Rows of cells, as many as the address has; null leaves a cell as it is, "" empties it'),
      formulas: cells.optional().describe('Rows of formulas such as =SUM(A1:A9), instead of values'),
      numberFormat: cells.optional().describe('Rows of formats such as 0.00 or dd.mm.yyyy'),
    }),
    async (args, { upstream }) => {
      if (args.values !== undefined && args.formulas !== undefined)
        throw new Error('Give values or formulas, not both: a value that begins with = is a formula');
      const {
        address: at,
        rowCount,
        columnCount,
      } = Range.parse(await send(upstream, `PATCH ${workbookAt(args)}/${RANGE}`, args));
      return { written: at, rowCount, columnCount };
    },
    'write',
  ),
  tool(
    'excel_clear_range',
    'Empty cells of a sheet: their contents, their formats, or both',
    () => ({
      ...workbook,
      sheet,
      address,
      applyTo: z.enum(['All', 'Formats', 'Contents']).default('Contents').describe('What to remove'),
    }),
    async (args, { upstream }) => {
      await send(upstream, `POST ${workbookAt(args)}/${RANGE}/clear`, args);
      return { cleared: true };
    },
    'destroy',
  ),
  tool(
    'excel_recalculate',
    'Calculate the formulas of a workbook again',
    () => ({
      ...workbook,
      calculationType: z
        .enum(['Recalculate', 'Full', 'FullRebuild'])
        .default('Recalculate')
        .describe('Recalculate what changed, or everything'),
    }),
    async (args, { upstream }) => {
      await send(upstream, `POST ${workbookAt(args)}/application/calculate`, args);
      return { calculated: true };
    },
    'write',
  ),
];
