// Tests Excel: tool, arguments → expected requests; then a workbook from the sign-in on, against a fake after the docs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { excel } from '../../integrations/excel/manifest.ts';
import { sent } from '../support/capture.ts';
import type { ApiCall } from '../support/fake-oauth-api.ts';
import { type FakeGraph, refuse, startGraph } from '../support/fake-graph.ts';

const BOOK = '/me/drive/items/f!1/workbook';
const LIB = '/drives/d/items/f!1/workbook';
const book = { fileId: 'f!1' };
const library = { ...book, driveId: 'd' };
const SHEET = `${BOOK}/worksheets/Gr%C3%B6%C3%9Fe%201`;
const sheet = { ...book, sheet: 'Größe 1' };
const none = [{ value: [] }];

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', { select: 'id' }, 'GET /me?$select=id'],
  [
    'find_workbooks',
    { query: "Ana's" },
    "GET /me/drive/root/search(q='Ana''s')?$top=20&$select=id,name,size,webUrl,lastModifiedDateTime,parentReference",
    none,
  ],
  ['list_worksheets', book, `GET ${BOOK}/worksheets?$select=id,name,position,visibility`, none],
  ['add_worksheet', { ...library, name: 'Größe' }, `POST ${LIB}/worksheets/add {"name":"Größe"}`],
  [
    'update_worksheet',
    { ...sheet, name: 'neu', position: 0, visibility: 'Hidden' },
    `PATCH ${SHEET} {"name":"neu","position":0,"visibility":"Hidden"}`,
  ],
  ['delete_worksheet', { ...book, sheet: '{00-1}' }, `DELETE ${BOOK}/worksheets/%7B00-1%7D`],
  [
    'read_range',
    { ...sheet, address: 'A1:B2' },
    `GET ${SHEET}/range(address='A1%3AB2')?$select=address,rowCount,columnCount,values`,
  ],
  [
    'read_range',
    { ...sheet, show: 'formulas' },
    `GET ${SHEET}/usedRange(valuesOnly=true)?$select=address,rowCount,columnCount,formulas`,
  ],
  [
    'write_range',
    { ...sheet, address: "'x'!A1:B1", values: [['ü', null]], numberFormat: [['0.00', null]] },
    `PATCH ${SHEET}/range(address='''x''!A1%3AB1') {"values":[["ü",null]],"numberFormat":[["0.00",null]]}`,
  ],
  [
    'clear_range',
    { ...sheet, address: 'A1' },
    `POST ${SHEET}/range(address='A1')/clear {"applyTo":"Contents"}`,
  ],
  ['recalculate', library, `POST ${LIB}/application/calculate {"calculationType":"Recalculate"}`],
  ['list_tables', book, `GET ${BOOK}/tables?$select=id,name,showHeaders,showTotals,style`, none],
  ['list_tables', sheet, `GET ${SHEET}/tables?$select=id,name,showHeaders,showTotals,style`, none],
  [
    'create_table',
    { ...book, address: 'Sheet1!A1:D5', hasHeaders: true },
    `POST ${BOOK}/tables/add {"address":"Sheet1!A1:D5","hasHeaders":true}`,
  ],
  [
    'list_table_rows',
    { ...library, table: 'T 1', from: 20, pageSize: 5 },
    [`GET ${LIB}/tables/T%201/headerRowRange?$select=values`, `GET ${LIB}/tables/T%201/rows?$top=5&$skip=20`],
    [{ values: [] }, { value: [] }],
  ],
  [
    'add_table_rows',
    {
      ...book,
      table: 'T',
      values: [
        ['ü', 1],
        [true, null],
      ],
    },
    `POST ${BOOK}/tables/T/rows/add {"values":[["ü",1],[true,null]]}`,
  ],
  [
    'update_table_row',
    { ...book, table: 'T', index: 3, values: [['ü', 1]] },
    `PATCH ${BOOK}/tables/T/rows/itemAt(index=3) {"values":[["ü",1]]}`,
  ],
  ['delete_table_row', { ...book, table: 'T', index: 3 }, `DELETE ${BOOK}/tables/T/rows/$/itemAt(index=3)`],
  ['list_table_columns', { ...book, table: 'T' }, `GET ${BOOK}/tables/T/columns?$select=id,name,index`, none],
];

describe('the requests of Excel', () => {
  it.each(rows.map(([name, args, requests, answers]) => ({ name, args, requests, answers })))(
    'excel_$name $args',
    async ({ name, args, requests, answers }) => {
      expect(await sent(excel, `excel_${name}`, args, answers)).toEqual([requests].flat());
    },
  );

  it('names every tool', () => {
    const named = new Set(rows.map(([name]) => `excel_${name}`));
    expect(excel.tools.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
  });

  it('refuses values together with formulas, and several rows for one', async () => {
    const both = { ...sheet, address: 'A1', values: [[1]], formulas: [['=1']] };
    await expect(sent(excel, 'excel_write_range', both)).rejects.toThrow('not both');
    const two = { ...book, table: 'T', index: 0, values: [[1], [2]] };
    await expect(sent(excel, 'excel_update_table_row', two)).rejects.toThrow('values');
  });
});

describe('a workbook at OneDrive', () => {
  let graph: FakeGraph;
  beforeAll(async () => {
    graph = await startGraph('excel', answer);
  });
  afterAll(() => graph?.close());

  const table = [
    ['Ana', 3],
    ['Bob', 4],
    ['Cem', 5],
  ];

  function answer({ method, path, query, body }: ApiCall): Response {
    switch (`${method} ${path}`) {
      case "GET /me/drive/root/search(q='.xlsx')":
        return Response.json({
          value: [
            { id: 'f1', name: 'Plan.XLSX', size: 9, webUrl: 'https://x.org/1' },
            { id: 'f2', name: 'about.xlsx.txt', size: 9 },
          ],
        });
      case "GET /me/drive/items/f1/workbook/worksheets/Plan/range(address='A1%3AB2')":
        return Response.json({
          '@odata.type': '#microsoft.graph.workbookRange',
          address: 'Plan!A1:B2',
          rowCount: 2,
          columnCount: 2,
          values: [
            ['a', 1],
            ['', true],
          ],
        });
      case "PATCH /me/drive/items/f1/workbook/worksheets/Plan/range(address='A1%3AB2')":
        return Object(body).values.length === 2
          ? Response.json({ address: 'Plan!A1:B2', rowCount: 2, columnCount: 2, values: [['long']] })
          : refuse(400, 'The number of rows or columns in the input array does not match the range');
      case 'GET /me/drive/items/f1/workbook/tables/T/headerRowRange':
        return Response.json({ values: [['Name', 'Count']] });
      case 'GET /me/drive/items/f1/workbook/tables/T/rows': {
        const skip = Number(query['$skip']);
        const some = table.slice(skip, skip + Number(query['$top']));
        return Response.json({ value: some.map((row, at) => ({ index: skip + at, values: [row] })) });
      }
      case 'POST /me/drive/items/f1/workbook/tables/T/rows/add':
        return Response.json({ index: 3, values: Object(body).values }, { status: 201 });
      default:
        return refuse(404, `no ${method} ${path}`);
    }
  }

  it('finds workbooks only', async () => {
    expect(await graph.ana.run('excel_find_workbooks')).toEqual({
      items: [{ fileId: 'f1', name: 'Plan.XLSX', webUrl: 'https://x.org/1' }],
    });
  });

  it('reads and writes cells, and does not answer what was written', async () => {
    const place = { fileId: 'f1', sheet: 'Plan', address: 'A1:B2' };
    expect(await graph.ana.run('excel_read_range', place)).toEqual({
      address: 'Plan!A1:B2',
      rowCount: 2,
      columnCount: 2,
      values: [
        ['a', 1],
        ['', true],
      ],
    });
    const values = [
      ['x', 2],
      ['', null],
    ];
    expect(await graph.ana.run('excel_write_range', { ...place, values })).toEqual({
      written: 'Plan!A1:B2',
      rowCount: 2,
      columnCount: 2,
    });
    await expect(graph.ana.run('excel_write_range', { ...place, values: [['x']] })).rejects.toThrow(
      'does not match the range',
    );
  });

  it('lists the rows of a table page by page, with the names of its columns', async () => {
    const place = { fileId: 'f1', table: 'T', pageSize: 2 };
    expect(await graph.ana.run('excel_list_table_rows', place)).toEqual({
      columns: ['Name', 'Count'],
      items: [
        { index: 0, values: ['Ana', 3] },
        { index: 1, values: ['Bob', 4] },
      ],
      nextFrom: 2,
    });
    expect(await graph.ana.run('excel_list_table_rows', { ...place, from: 2 })).toEqual({
      columns: ['Name', 'Count'],
      items: [{ index: 2, values: ['Cem', 5] }],
    });
    const rows = [['Dan', 6]];
    expect(await graph.ana.run('excel_add_table_rows', { fileId: 'f1', table: 'T', values: rows })).toEqual({
      added: 1,
      index: 3,
    });
  });
});
