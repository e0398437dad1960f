// Tests Google Sheets: the requests of every tool, and the tools with logic against a fake of the documented API.
import { describe, expect, it } from 'vitest';
import { columnNumber, parseA1 } from '../../integrations/gsheets/a1.ts';
import { gsheets } from '../../integrations/gsheets/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';

const s = { spreadsheetId: 's1' };
const SHEETS = {
  sheets: [{ properties: { title: 'Übersicht' } }, { properties: { sheetId: 7, title: 'Plan' } }],
};
const FIND = 'GET /spreadsheets/s1?fields=sheets.properties(sheetId,title)';
const UPDATE = 'POST /spreadsheets/s1:batchUpdate';
const LISTED =
  'orderBy=modifiedTime desc&fields=nextPageToken,files(id,name,modifiedTime,webViewLink,owners(emailAddress))&includeItemsFromAllDrives=true&supportsAllDrives=true';
const OF_TYPE = "mimeType = 'application/vnd.google-apps.spreadsheet' and trashed = false";

const TABLE: [tool: string, args: object, requests: string | string[]][] = [
  ['whoami', {}, 'GET /userinfo'],
  ['list_spreadsheets', {}, `GET /files?q=${OF_TYPE}&${LISTED}&pageSize=20`],
  [
    'list_spreadsheets',
    { name: "Ana's \\ Plan", folderId: 'f1', pageSize: 5, pageToken: 'p2' },
    `GET /files?q=${OF_TYPE} and name contains 'Ana\\'s \\\\ Plan' and 'f1' in parents&${LISTED}&pageSize=5&pageToken=p2`,
  ],
  [
    'get_spreadsheet',
    s,
    'GET /spreadsheets/s1?fields=spreadsheetId,spreadsheetUrl,properties(title,locale,timeZone),sheets.properties(sheetId,title,index,hidden,gridProperties(rowCount,columnCount,frozenRowCount,frozenColumnCount)),namedRanges(name,range)',
  ],
  [
    'create_spreadsheet',
    { title: 'Kosten', sheets: ['2026', '2027'] },
    'POST /spreadsheets?fields=spreadsheetId,spreadsheetUrl,sheets.properties(sheetId,title) {"properties":{"title":"Kosten"},"sheets":[{"properties":{"title":"2026"}},{"properties":{"title":"2027"}}]}',
  ],
  [
    'read_range',
    { ...s, range: 'Plan!A1:C10' },
    'GET /spreadsheets/s1/values/Plan!A1%3AC10?valueRenderOption=FORMATTED_VALUE',
  ],
  [
    'read_range',
    {
      ...s,
      range: "'Über sicht'!B:B",
      valueRenderOption: 'UNFORMATTED_VALUE',
      dateTimeRenderOption: 'FORMATTED_STRING',
    },
    "GET /spreadsheets/s1/values/'%C3%9Cber%20sicht'!B%3AB?valueRenderOption=UNFORMATTED_VALUE&dateTimeRenderOption=FORMATTED_STRING",
  ],
  [
    'read_ranges',
    { ...s, ranges: ['Plan!A1:B2', 'C'] },
    'GET /spreadsheets/s1/values:batchGet?ranges=Plan!A1:B2&ranges=C&valueRenderOption=FORMATTED_VALUE',
  ],
  ['find_rows', { ...s, range: 'Plan' }, 'GET /spreadsheets/s1/values/Plan'],
  [
    'write_range',
    { ...s, range: 'Plan!A1', values: [['Größe', 3, null, '=SUM(A1:A2)']] },
    'PUT /spreadsheets/s1/values/Plan!A1?valueInputOption=USER_ENTERED {"values":[["Größe",3,null,"=SUM(A1:A2)"]]}',
  ],
  [
    'write_ranges',
    { ...s, data: [{ range: 'Plan!A1', values: [['x']] }], valueInputOption: 'RAW' },
    'POST /spreadsheets/s1/values:batchUpdate {"data":[{"range":"Plan!A1","values":[["x"]]}],"valueInputOption":"RAW"}',
  ],
  [
    'append_rows',
    { ...s, range: 'Plan', values: [['a'], ['b']] },
    'POST /spreadsheets/s1/values/Plan:append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS {"values":[["a"],["b"]]}',
  ],
  ['clear_range', { ...s, range: 'Plan!A2:C' }, 'POST /spreadsheets/s1/values/Plan!A2%3AC:clear {}'],
  [
    'add_sheet',
    { ...s, title: 'Neu' },
    `${UPDATE} {"requests":[{"addSheet":{"properties":{"title":"Neu"}}}]}`,
  ],
  [
    'add_sheet',
    { ...s, title: 'Neu', copyOf: 'Plan' },
    [FIND, `${UPDATE} {"requests":[{"duplicateSheet":{"sourceSheetId":7,"newSheetName":"Neu"}}]}`],
  ],
  [
    'update_sheet',
    { ...s, sheet: 'Plan', title: 'Alt', hidden: false, frozenRowCount: 1 },
    [
      FIND,
      `${UPDATE} {"requests":[{"updateSheetProperties":{"properties":{"sheetId":7,"title":"Alt","hidden":false,"gridProperties":{"frozenRowCount":1}},"fields":"title,hidden,gridProperties.frozenRowCount"}}]}`,
    ],
  ],
  [
    'delete_sheet',
    { ...s, sheet: 'Übersicht' },
    [FIND, `${UPDATE} {"requests":[{"deleteSheet":{"sheetId":0}}]}`],
  ],
  [
    'insert_rows_or_columns',
    { ...s, sheet: 'Plan', dimension: 'ROWS', start: 3, count: 2 },
    [
      FIND,
      `${UPDATE} {"requests":[{"insertDimension":{"range":{"sheetId":7,"dimension":"ROWS","startIndex":2,"endIndex":4},"inheritFromBefore":true}}]}`,
    ],
  ],
  [
    'insert_rows_or_columns',
    { ...s, sheet: 'Plan', dimension: 'COLUMNS', start: 1 },
    [
      FIND,
      `${UPDATE} {"requests":[{"insertDimension":{"range":{"sheetId":7,"dimension":"COLUMNS","startIndex":0,"endIndex":1},"inheritFromBefore":false}}]}`,
    ],
  ],
  [
    'delete_rows_or_columns',
    { ...s, sheet: 'Plan', dimension: 'ROWS', start: 5 },
    [
      FIND,
      `${UPDATE} {"requests":[{"deleteDimension":{"range":{"sheetId":7,"dimension":"ROWS","startIndex":4,"endIndex":5}}}]}`,
    ],
  ],
  [
    'sort_range',
    { ...s, range: 'Plan!A2:D100', by: [{ column: 'C', descending: true }, { column: 'a' }] },
    [
      FIND,
      `${UPDATE} {"requests":[{"sortRange":{"range":{"sheetId":7,"startRowIndex":1,"endRowIndex":100,"startColumnIndex":0,"endColumnIndex":4},"sortSpecs":[{"dimensionIndex":2,"sortOrder":"DESCENDING"},{"dimensionIndex":0,"sortOrder":"ASCENDING"}]}}]}`,
    ],
  ],
  [
    'replace_text',
    { ...s, find: 'alt', replacement: 'neu', matchCase: true },
    `${UPDATE} {"requests":[{"findReplace":{"find":"alt","replacement":"neu","matchCase":true,"allSheets":true}}]}`,
  ],
  [
    'replace_text',
    { ...s, find: '^a', replacement: 'b', sheet: 'Plan', searchByRegex: true },
    [
      FIND,
      `${UPDATE} {"requests":[{"findReplace":{"find":"^a","replacement":"b","searchByRegex":true,"sheetId":7}}]}`,
    ],
  ],
  [
    'format_range',
    {
      ...s,
      range: 'A1:B1',
      bold: true,
      backgroundColor: '#ff0033',
      wrap: true,
      numberFormat: '"USD" #,##0.00',
    },
    [
      FIND,
      `${UPDATE} {"requests":[{"repeatCell":{"range":{"sheetId":0,"startRowIndex":0,"endRowIndex":1,"startColumnIndex":0,"endColumnIndex":2},"cell":{"userEnteredFormat":{"backgroundColorStyle":{"rgbColor":{"red":1,"green":0,"blue":0.2}},"wrapStrategy":"WRAP","numberFormat":{"type":"NUMBER","pattern":"\\"USD\\" #,##0.00"},"textFormat":{"bold":true}}},"fields":"userEnteredFormat.textFormat.bold,userEnteredFormat.backgroundColorStyle,userEnteredFormat.wrapStrategy,userEnteredFormat.numberFormat"}}]}`,
    ],
  ],
  [
    'batch_update',
    { ...s, requests: [{ mergeCells: { mergeType: 'MERGE_ALL' } }] },
    `${UPDATE} {"requests":[{"mergeCells":{"mergeType":"MERGE_ALL"}}]}`,
  ],
];

describe('the requests of Google Sheets', () => {
  it.each(TABLE)('gsheets_%s %j', async (name, args, requests) => {
    const answers = Array.isArray(requests) ? [SHEETS] : [];
    expect(await sent(gsheets, `gsheets_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('names every tool', () => {
    expect(new Set(TABLE.map(([name]) => `gsheets_${name}`))).toEqual(
      new Set(gsheets.tools.map(({ name }) => name)),
    );
  });
});

describe('A1 notation', () => {
  it.each([
    ['Plan!B2', 'Plan', { startRowIndex: 1, endRowIndex: 2, startColumnIndex: 1, endColumnIndex: 2 }],
    ["'It''s mine'!A:C", "It's mine", { startColumnIndex: 0, endColumnIndex: 3 }],
    ['Plan!2:5', 'Plan', { startRowIndex: 1, endRowIndex: 5 }],
    ['Plan!$A$5:AA', 'Plan', { startRowIndex: 4, startColumnIndex: 0, endColumnIndex: 27 }],
    ['A1:B2', undefined, { startRowIndex: 0, endRowIndex: 2, startColumnIndex: 0, endColumnIndex: 2 }],
    ['Übersicht', 'Übersicht', {}],
    ["'A1'", 'A1', {}],
    ['Web', 'Web', {}],
    ['Web!C4', 'Web', { startRowIndex: 3, endRowIndex: 4, startColumnIndex: 2, endColumnIndex: 3 }],
  ])('%s names a sheet and an interval of cells', (range, title, cells) => {
    expect(parseA1(range)).toEqual({ title, cells });
  });

  it.each(['Plan!', 'Plan!A1:B2:C3', 'Plan!1A', 'Plan!B', 'Plan!:', "'Plan"])('refuses %s', (range) => {
    expect(() => parseA1(range)).toThrow('is not a range such as Plan!A1:C10');
  });

  it('counts columns as spreadsheets do', () => {
    for (const [letters, number] of [
      ['A', 1],
      ['Z', 26],
      ['AA', 27],
      ['AZ', 52],
      ['ZZ', 702],
      ['AAA', 703],
    ] as const)
      expect(columnNumber(letters)).toBe(number);
  });
});

/** Knows one spreadsheet, and refuses every other request. */
async function use(tool: string, args: object) {
  const calls: UpstreamCall[] = [];
  const upstream = async (call: UpstreamCall) => {
    calls.push(call);
    const { method, path, at } = call;
    if (at === 'account' && path === '/userinfo')
      return Response.json({ sub: '7', email: 'ana@example.com' });
    if (at !== undefined || !path.startsWith('/spreadsheets/s1'))
      return Response.json({ error: { message: 'Requested entity was not found.' } }, { status: 404 });
    if (method === 'GET' && path === '/spreadsheets/s1') return Response.json(SHEETS);
    if (method === 'GET' && path === '/spreadsheets/s1/values/Plan!A3%3AC9')
      return Response.json({
        range: 'Plan!A3:C9',
        majorDimension: 'ROWS',
        values: [['Name', '', 'Status'], ['Ana', '3', 'Open'], ['Bo'], ['Cy', '1', 'reopened'], []],
      });
    if (method === 'POST' && path === '/spreadsheets/s1:batchUpdate')
      return Response.json({ spreadsheetId: 's1', replies: [{ findReplace: { occurrencesChanged: 2 } }] });
    return Response.json({ error: { message: 'Unable to parse range' } }, { status: 400 });
  };
  const result = await run(gsheets, `gsheets_${tool}`, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream,
    fetch: () => Promise.reject(new Error('no address is fetched')),
  });
  return { result, calls };
}

describe('a table in a sheet', () => {
  const table = { ...s, range: 'Plan!A3:C9' };

  it('is read as rows with the names of its columns and their numbers in the sheet', async () => {
    const { result } = await use('find_rows', { ...table, maxRows: 2 });
    expect(result).toEqual({
      range: 'Plan!A3:C9',
      columns: ['Name', 'column 2', 'Status'],
      found: 4,
      rows: [
        { row: 4, values: { Name: 'Ana', 'column 2': '3', Status: 'Open' } },
        { row: 5, values: { Name: 'Bo', 'column 2': '', Status: '' } },
      ],
    });
  });

  it('is searched by parts of its values', async () => {
    const { result } = await use('find_rows', { ...table, where: { Status: 'OPEN', Name: 'c' } });
    expect(result).toMatchObject({ found: 1, rows: [{ row: 6, values: { Name: 'Cy' } }] });
  });

  it('names its columns when one is asked for that it does not have', async () => {
    await expect(use('find_rows', { ...table, where: { State: 'open' } })).rejects.toThrow(
      'There is no column State. The columns are: Name, column 2, Status',
    );
  });
});

describe('a change of a sheet', () => {
  it('names the sheets when there is none of the title', async () => {
    await expect(use('delete_sheet', { ...s, sheet: 'Plan 2' })).rejects.toThrow(
      'The spreadsheet has no sheet Plan 2. It has: Übersicht, Plan',
    );
  });

  it('says how often a text was replaced', async () => {
    const { result } = await use('replace_text', { ...s, find: 'a', replacement: 'b' });
    expect(result).toEqual({ findReplace: { occurrencesChanged: 2 } });
  });

  it.each([
    ['update_sheet', { sheet: 'Plan' }, 'Say what to change'],
    ['format_range', { range: 'Plan!A1' }, 'Say what to format'],
  ])('by gsheets_%s has to say what changes', async (tool, args, message) => {
    await expect(use(tool, { ...s, ...args })).rejects.toThrow(message);
  });

  it("passes on Google's own errors", async () => {
    await expect(use('read_range', { ...s, range: 'Nowhere!A1' })).rejects.toThrow(
      '400: {"message":"Unable to parse range"}',
    );
    await expect(use('get_spreadsheet', { spreadsheetId: 's2' })).rejects.toThrow('404: ');
  });
});

describe('the account of Google Sheets', () => {
  it('is asked at OpenID Connect, not at the API of spreadsheets', async () => {
    const { result, calls } = await use('whoami', {});
    expect(result).toEqual({ sub: '7', email: 'ana@example.com' });
    expect(calls).toMatchObject([{ at: 'account', path: '/userinfo' }]);
  });
});
