// What the tools of Google Sheets have in common.
import * as z from 'zod';
import type { Upstream } from '../../src/kit/integration.ts';
import { send, some, text } from '../google/oauth.ts';
import { parseA1 } from './a1.ts';

export const SPREADSHEET = '/spreadsheets/{spreadsheetId}';
export const spreadsheetId = text.describe(
  'Id of the spreadsheet, from gsheets_list_spreadsheets or the part of its address after /d/',
);
export const range = text.describe(
  "Range in A1 notation, such as Plan!A1:C10, or the name of a sheet for all of it, such as 'My plan'",
);
export const sheet = text.describe('Title of the sheet, from gsheets_get_spreadsheet');
export const rows = () =>
  z
    .array(z.array(z.unknown()))
    .describe('Rows of cells, such as [["Name","Sum"],["Ana","=SUM(B3:B9)"]]; null leaves a cell as it is');
export const inputOption = z
  .enum(['USER_ENTERED', 'RAW'])
  .default('USER_ENTERED')
  .describe('USER_ENTERED reads formulas, dates and numbers as if typed; RAW stores the values as given');
export const renderOption = z
  .enum(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
  .default('FORMATTED_VALUE')
  .describe('Values as people see them, as plain numbers, or the formulas');
export const dateOption = some.describe(
  'Dates of unformatted values: SERIAL_NUMBER (the default) or FORMATTED_STRING',
);

const Sheets = z.lazy(() =>
  z.object({
    sheets: z
      .array(z.object({ properties: z.object({ sheetId: z.int().default(0), title: z.string() }) }))
      .default([]),
  }),
);

/** Requests name a sheet by its number, people by its title. */
export async function findSheet(upstream: Upstream, id: string, title: string | undefined): Promise<number> {
  const query = { spreadsheetId: id, fields: 'sheets.properties(sheetId,title)' };
  const { sheets } = Sheets.parse(await send(upstream, `GET ${SPREADSHEET}`, query));
  const found = sheets.find(({ properties }) => title === undefined || properties.title === title);
  if (found !== undefined) return found.properties.sheetId;
  const titles = sheets.map(({ properties }) => properties.title).join(', ');
  throw new Error(`The spreadsheet has no sheet ${title ?? ''}. It has: ${titles}`);
}

/** Sends changes that apply together, or not at all. */
export function change(
  upstream: Upstream,
  id: string,
  ...requests: readonly Record<string, unknown>[]
): Promise<unknown> {
  return send(upstream, `POST ${SPREADSHEET}:batchUpdate`, { spreadsheetId: id, requests });
}

/** The range as requests name it: a sheet by its number, rows and columns counted from 0. */
export async function gridRange(upstream: Upstream, id: string, at: string) {
  const { title, cells } = parseA1(at);
  return { sheetId: await findSheet(upstream, id, title), ...cells };
}
