// Tables and their rows.
import * as z from 'zod';
import { type Tool, tool } from '../../src/kit/integration.ts';
import { object, page, pageSize, readPage, send, some, text } from '../microsoft/graph.ts';
import { cells, table, workbook, workbookAt } from './place.ts';

const ROWS = 'tables/{table}/rows';
const index = () => z.int().min(0).describe('index of the row, from excel_list_table_rows');
const row = cells
  .length(1)
  .describe('One row of cells, such as [["Ana", 3, true]], as many as the table has columns');

const Rows = z.lazy(() => z.object({ index: z.number().optional(), values: z.array(z.array(z.unknown())) }));

export const tables: readonly Tool[] = [
  tool(
    'excel_list_tables',
    'List the tables of a workbook or a sheet',
    () => ({
      ...workbook,
      sheet: some.describe('Only the tables of this sheet, by name or id; all without it'),
      page,
    }),
    ({ page: cursor, ...place }, { upstream }) => {
      const sheet = place.sheet === undefined ? '' : '/worksheets/{sheet}';
      return readPage(upstream, `GET ${workbookAt(place)}${sheet}/tables`, {
        place,
        query: { $select: 'id,name,showHeaders,showTotals,style' },
        page: cursor,
      });
    },
  ),
  tool(
    'excel_create_table',
    'Turn cells into a table',
    () => ({
      ...workbook,
      address: text.describe('Cells with their sheet, such as Sheet1!A1:D5'),
      hasHeaders: z.boolean().describe('true when the first row has the names of the columns'),
    }),
    (args, { upstream }) => send(upstream, `POST ${workbookAt(args)}/tables/add`, args),
    'write',
  ),
  tool(
    'excel_list_table_rows',
    'List the rows of a table, with the names of its columns',
    () => ({
      ...workbook,
      table,
      from: z.int().min(0).default(0).describe('nextFrom of the previous answer, to continue'),
      pageSize: pageSize(1000),
    }),
    async ({ pageSize: $top, from: $skip, ...place }, { upstream }) => {
      const at = `${workbookAt(place)}/tables/{table}` as const;
      const header = Rows.parse(
        await send(upstream, `GET ${at}/headerRowRange`, { ...place, $select: 'values' }),
      );
      const { value } = z
        .object({ value: z.array(Rows) })
        .parse(await send(upstream, `GET ${at}/rows`, { ...place, $top, $skip }));
      const items = value.map(({ index: number, values }) => ({ index: number, values: values[0] ?? [] }));
      // Excel sends no link to the next page.
      const more = items.length === $top ? { nextFrom: $skip + $top } : {};
      return { columns: header.values[0] ?? [], items, ...more };
    },
  ),
  tool(
    'excel_add_table_rows',
    'Add rows to a table',
    () => ({
      ...workbook,
      table,
      values: cells
        .min(1)
        .describe('Rows of cells, such as [["Ana", 3], ["Bob", 4]], as many as the table has columns'),
      index: z.int().min(0).optional().describe('Where to put them, from 0; at the end by default'),
    }),
    async (args, { upstream }) => {
      const made = await send(upstream, `POST ${workbookAt(args)}/${ROWS}/add`, args);
      return { added: args.values.length, index: object.parse(made)['index'] };
    },
    'write',
  ),
  tool(
    'excel_update_table_row',
    'Change a row of a table',
    () => ({ ...workbook, table, index: index(), values: row }),
    ({ values, ...place }, { upstream }) =>
      send(upstream, `PATCH ${workbookAt(place)}/${ROWS}/itemAt(index={index})`, { ...place, values }),
    'write',
  ),
  tool(
    'excel_delete_table_row',
    'Delete a row of a table; the rows below it move up',
    () => ({ ...workbook, table, index: index() }),
    (place, { upstream }) =>
      send(upstream, `DELETE ${workbookAt(place)}/${ROWS}/$/itemAt(index={index})`, place),
    'destroy',
  ),
  tool(
    'excel_list_table_columns',
    'List the columns of a table',
    () => ({ ...workbook, table, page }),
    ({ page: cursor, ...place }, { upstream }) =>
      readPage(upstream, `GET ${workbookAt(place)}/tables/{table}/columns`, {
        place,
        query: { $select: 'id,name,index' },
        page: cursor,
      }),
  ),
];
