// Tests Airtable: tool, arguments → expected request; and records in pages, files and refusals against a fake Airtable
// that is written from its documentation.
import { describe, expect, it } from 'vitest';
import { airtable } from '../../integrations/airtable/manifest.ts';
import type { UpstreamCall } from '../../src/kit/integration.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type RequestRow, runAgainst, testRequests } from '../support/tool-requests.ts';

const base = { baseId: 'app1' };
const table = { ...base, table: 'My plans' };
const record = { ...table, recordId: 'rec1' };
const META = '/v0/meta/bases/app1/tables';
const AT = '/v0/app1/My%20plans';
const attachment = { id: 'att1', url: 'https://files.example/1', filename: 'a.txt', type: 'text/plain' };

const rows: readonly RequestRow[] = [
  ['airtable_whoami', {}, 'GET /v0/meta/whoami'],
  ['airtable_list_bases', { offset: 'itr1/2' }, 'GET /v0/meta/bases?offset=itr1/2'],
  ['airtable_get_base_schema', base, `GET ${META}`],
  [
    'airtable_create_table',
    { ...base, name: 'Plans', fields: [{ name: 'Name', type: 'singleLineText' }] },
    `POST ${META} {"name":"Plans","fields":[{"name":"Name","type":"singleLineText"}]}`,
  ],
  [
    'airtable_create_field',
    {
      ...base,
      tableId: 'tbl1',
      name: 'Done',
      type: 'checkbox',
      options: { icon: 'check', color: 'greenBright' },
    },
    `POST ${META}/tbl1/fields {"name":"Done","type":"checkbox","options":{"icon":"check","color":"greenBright"}}`,
  ],
  [
    'airtable_update_field',
    { ...base, tableId: 'tbl1', fieldId: 'fld1', name: 'Fertig' },
    `PATCH ${META}/tbl1/fields/fld1 {"name":"Fertig"}`,
  ],
  ['airtable_list_records', table, `POST ${AT}/listRecords {"pageSize":50}`],
  [
    'airtable_list_records',
    {
      ...table,
      filterByFormula: "{Größe}>2 & ''",
      view: 'Mine',
      fields: ['Name'],
      sort: [{ field: 'Due', direction: 'desc' }],
      pageSize: 10,
      offset: 'itr1/rec9',
    },
    `POST ${AT}/listRecords {"filterByFormula":"{Größe}>2 & ''","view":"Mine","fields":["Name"],"sort":[{"field":"Due","direction":"desc"}],"pageSize":10,"offset":"itr1/rec9"}`,
  ],
  ['airtable_get_record', record, `GET ${AT}/rec1`],
  [
    'airtable_create_records',
    { ...table, records: [{ fields: { Name: 'One' } }], typecast: true },
    `POST ${AT} {"records":[{"fields":{"Name":"One"}}],"typecast":true}`,
  ],
  [
    'airtable_update_records',
    { ...table, records: [{ id: 'rec1', fields: { Status: null } }] },
    `PATCH ${AT} {"records":[{"id":"rec1","fields":{"Status":null}}]}`,
  ],
  [
    'airtable_upsert_records',
    { ...table, records: [{ fields: { Email: 'ana@example.com', Age: 7 } }], performUpsert: ['Email'] },
    `PATCH ${AT} {"records":[{"fields":{"Email":"ana@example.com","Age":7}}],"performUpsert":{"fieldsToMergeOn":["Email"]}}`,
  ],
  [
    'airtable_delete_records',
    { ...table, records: ['rec1', 'rec2'] },
    `DELETE ${AT}?records[]=rec1&records[]=rec2`,
  ],
  ['airtable_list_comments', { ...record, offset: 'o' }, `GET ${AT}/rec1/comments?pageSize=50&offset=o`],
  [
    'airtable_add_comment',
    { ...record, text: 'Hello @[usr1]', parentCommentId: 'com1' },
    `POST ${AT}/rec1/comments {"text":"Hello @[usr1]","parentCommentId":"com1"}`,
  ],
  [
    'airtable_read_attachment',
    { ...record, field: 'Files' },
    [`GET ${AT}/rec1`, 'GET https://files.example/1'],
    [{ id: 'rec1', fields: { Files: [attachment] } }, new Response('x')],
  ],
  [
    'airtable_upload_attachment',
    { ...base, recordId: 'rec1', field: 'My files', filename: 'a.txt', content: 'x' },
    'POST /v0/app1/rec1/My%20files/uploadAttachment {"contentType":"application/octet-stream","filename":"a.txt","file":"eA=="}',
  ],
];

describe('Airtable', () => testRequests(airtable, rows));

const BYTES = new Uint8Array([0, 1, 2, 255]);
const PEOPLE = ['Ana', 'Bo', 'Cy'].map((Name, at) => ({
  id: `rec${at}`,
  createdTime: '2026-03-01',
  fields: { Name },
}));
let stored: Record<string, unknown>[] = [];

function refuse(status: number, type: string, message: string): Response {
  return Response.json({ error: { type, message } }, { status });
}

/** Answers as Airtable does, and refuses everything that its documentation does not describe. */
async function answer({ method, at, path, body }: UpstreamCall): Promise<Response> {
  const given = typeof body === 'string' ? JSON.parse(body) : {};
  if (at === 'content' && method === 'POST' && path === '/v0/app1/rec1/Files/uploadAttachment') {
    const { contentType, filename, file } = given;
    const bytes = Buffer.from(file, 'base64');
    stored.push({
      id: 'att9',
      url: 'https://files.example/9',
      filename,
      type: contentType,
      size: bytes.length,
    });
    return Response.json({ id: 'rec1', fields: { fld1: stored } });
  }
  if (at !== undefined) return refuse(404, 'NOT_FOUND', 'Not found');
  if (method === 'POST' && path === '/v0/app1/People/listRecords') {
    if (given.filterByFormula === '{')
      return refuse(422, 'INVALID_FILTER_BY_FORMULA', 'The formula is invalid');
    const start = Number(given.offset ?? 0);
    const end = start + given.pageSize;
    const rest = end < PEOPLE.length ? { offset: String(end) } : {};
    return Response.json({ records: PEOPLE.slice(start, end), ...rest });
  }
  if (method === 'GET' && path === '/v0/app1/People/rec1')
    return Response.json({ id: 'rec1', fields: { Files: stored, Name: 'Ana' } });
  return refuse(
    403,
    'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
    'Invalid permissions, or the model was not found.',
  );
}

const use = (name: string, args: object, files = createMemoryFiles()): Promise<unknown> =>
  runAgainst(airtable, name, args, {
    files,
    upstream: answer,
    fetch: async (url) =>
      new Response(BYTES, { status: String(url) === 'https://files.example/9' ? 200 : 410 }),
  });

describe('a table in Airtable', () => {
  const people = { baseId: 'app1', table: 'People' };

  it('returns its records in pages', async () => {
    const first = await use('airtable_list_records', { ...people, pageSize: 2 });
    expect(first).toMatchObject({ records: [{ fields: { Name: 'Ana' } }, { id: 'rec1' }], offset: '2' });
    const rest = await use('airtable_list_records', { ...people, pageSize: 2, offset: '2' });
    expect(rest).toEqual({ records: [PEOPLE[2]] });
  });

  it('takes a kept file into a field, and hands it out as one', async () => {
    stored = [];
    const files = createMemoryFiles();
    const { handle } = await files.save({ bytes: BYTES, name: 'a.bin', mimeType: 'application/x-a' });
    const place = { baseId: 'app1', recordId: 'rec1', field: 'Files' };
    await use('airtable_upload_attachment', { ...place, filename: 'b.bin', file: `file:${handle}` }, files);
    expect(stored).toMatchObject([{ filename: 'b.bin', type: 'application/x-a', size: 4 }]);
    expect(await use('airtable_read_attachment', { ...people, ...place }, files)).toMatchObject({
      id: 'att9',
      name: 'b.bin',
      mimeType: 'application/x-a',
      file: { name: 'b.bin', bytes: 4 },
    });
  });

  it.each(['Name', 'Nothing'])('says when the field %s has no file', async (field) => {
    await expect(use('airtable_read_attachment', { ...people, recordId: 'rec1', field })).rejects.toThrow(
      `The field "${field}" of this record has no such attachment`,
    );
  });

  it("passes on Airtable's own errors", async () => {
    await expect(use('airtable_list_records', { ...people, filterByFormula: '{' })).rejects.toThrow(
      '422: {"type":"INVALID_FILTER_BY_FORMULA","message":"The formula is invalid"}',
    );
    await expect(use('airtable_get_base_schema', { baseId: 'app2' })).rejects.toThrow('403: ');
  });

  it.each([
    ['airtable_delete_records', { ...people, records: [] }],
    ['airtable_delete_records', { ...people, records: Array.from({ length: 11 }, (_, at) => `rec${at}`) }],
    ['airtable_create_records', { ...people, records: [{ Name: 'Ana' }] }],
    ['airtable_upsert_records', { ...people, records: [{ fields: {} }], performUpsert: [] }],
  ])('is not asked when %s gets the arguments %j', async (name, args) => {
    await expect(use(name, args)).rejects.toThrow(/records|performUpsert/);
  });
});
