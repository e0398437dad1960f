// Tests Salesforce: tool, arguments → expected requests; records and reports as a model reads them; and the sign-in, whose
// token response says where the API is.
import { getRequestListener } from '@hono/node-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { salesforce } from '../../integrations/salesforce/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createTestApp } from '../support/test-app.ts';

const API = '/services/data/v66.0';
const page = { totalSize: 0, done: true, records: [] };
const one = { object: 'Lead', id: '00Q1' };
const report = { reportMetadata: {}, reportExtendedMetadata: {}, factMap: {} };

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /services/oauth2/userinfo'],
  [
    'query',
    { soql: "SELECT Id FROM Account WHERE Name LIKE 'Grö%'" },
    `GET ${API}/query?q=SELECT Id FROM Account WHERE Name LIKE 'Grö%'`,
    [page],
  ],
  ['query', { cursor: '01g-200' }, `GET ${API}/query/01g-200`, [page]],
  [
    'search',
    { query: 'größe', objects: ['Account'], limit: 5 },
    `POST ${API}/parameterizedSearch {"q":"größe","in":"ALL","fields":["Id","Name"],"sobjects":[{"name":"Account"}],"overallLimit":5}`,
    [{ searchRecords: [] }],
  ],
  ['list_objects', { contains: 'inv' }, `GET ${API}/sobjects`, [{ sobjects: [] }]],
  [
    'describe_object',
    { object: 'Lead' },
    `GET ${API}/sobjects/Lead/describe`,
    [{ name: 'Lead', label: 'Lead', fields: [] }],
  ],
  ['list_recent', { limit: 3 }, `GET ${API}/recent?limit=3`, [[]]],
  ['get_record', { ...one, fields: ['Id', 'Name'] }, `GET ${API}/sobjects/Lead/00Q1?fields=Id,Name`],
  [
    'create_record',
    { object: 'Lead', fields: { LastName: 'Müller', Company: 'Größe AG' } },
    `POST ${API}/sobjects/Lead {"LastName":"Müller","Company":"Größe AG"}`,
  ],
  [
    'update_record',
    { ...one, fields: { Status: 'Working', Phone: null } },
    `PATCH ${API}/sobjects/Lead/00Q1 {"Status":"Working","Phone":null}`,
  ],
  ['delete_record', one, `DELETE ${API}/sobjects/Lead/00Q1`],
  ['list_reports', {}, `GET ${API}/analytics/reports`, [[]]],
  ['run_report', { reportId: '00O1' }, `GET ${API}/analytics/reports/00O1?includeDetails=true`, [report]],
  [
    'read_file',
    { versionId: '0681' },
    [
      `GET ${API}/sobjects/ContentVersion/0681?fields=PathOnClient`,
      `GET ${API}/sobjects/ContentVersion/0681/VersionData`,
    ],
    [{ PathOnClient: 'a.txt' }, new Response('größe')],
  ],
  [
    'upload_file',
    { filename: 'größe.v1.txt', content: 'hi', recordId: '0011' },
    `POST ${API}/sobjects/ContentVersion {"Title":"größe.v1","PathOnClient":"größe.v1.txt","VersionData":"aGk=","FirstPublishLocationId":"0011"}`,
  ],
];

describe('salesforce', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    expect(await sent(salesforce, `salesforce_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `salesforce_${name}`));
    expect(names).toEqual(new Set(salesforce.tools.map(({ name }) => name)));
  });
});

/** Runs a tool against one answer. */
async function shown(name: string, args: object, answer: unknown): Promise<unknown> {
  return run(salesforce, `salesforce_${name}`, args, {
    userId: 'u',
    clock: createFakeClock(),
    files: createMemoryFiles(),
    upstream: async () => Response.json(answer),
    fetch: async () => Response.error(),
  });
}

describe('what Salesforce answers', () => {
  it('shows records without their addresses, inner queries as lists, and the cursor of the next page', async () => {
    const answer = {
      totalSize: 300,
      done: false,
      nextRecordsUrl: `${API}/query/01gAA-200`,
      records: [
        {
          attributes: { type: 'Account', url: `${API}/sobjects/Account/0011` },
          Id: '0011',
          Fax: null,
          Owner: { attributes: { type: 'User', url: 'x' }, Name: 'Ana' },
          Contacts: {
            totalSize: 1,
            done: true,
            records: [{ attributes: { type: 'Contact', url: 'x' }, LastName: 'Müller' }],
          },
        },
      ],
    };
    expect(await shown('query', { soql: 'SELECT …' }, answer)).toEqual({
      totalSize: 300,
      records: [
        {
          type: 'Account',
          Id: '0011',
          Owner: { type: 'User', Name: 'Ana' },
          Contacts: [{ type: 'Contact', LastName: 'Müller' }],
        },
      ],
      cursor: '01gAA-200',
    });
    await expect(shown('query', {}, answer)).rejects.toThrow('Give either soql or cursor');
  });

  it('lists the fields that match, which are required, and their active values', async () => {
    const field = { type: 'picklist', createable: true, updateable: true, nillable: false };
    const answer = {
      name: 'Lead',
      label: 'Lead',
      fields: [
        {
          name: 'Status',
          label: 'Lead Status',
          ...field,
          picklistValues: [
            { value: 'Open', active: true },
            { value: 'Old', active: false },
          ],
        },
        { name: 'LastStatusChange', label: 'Changed', type: 'datetime', nillable: false, createable: false },
        {
          name: 'OwnerId',
          label: 'Owner',
          ...field,
          type: 'reference',
          defaultedOnCreate: true,
          referenceTo: ['User'],
        },
      ],
    };
    expect(await shown('describe_object', { object: 'Lead', contains: 'status' }, answer)).toEqual({
      name: 'Lead',
      label: 'Lead',
      fields: [
        { name: 'Status', label: 'Lead Status', type: 'picklist', required: true, values: ['Open'] },
        { name: 'LastStatusChange', label: 'Changed', type: 'datetime', readOnly: true },
      ],
    });
  });

  it('shows a report as rows and totals by group', async () => {
    const cell = (label: string) => ({ label, value: label });
    const answer = {
      allData: false,
      attributes: { reportName: 'Pipeline' },
      reportMetadata: { detailColumns: ['NAME', 'AMOUNT'], aggregates: ['s!AMOUNT'] },
      reportExtendedMetadata: {
        detailColumnInfo: { NAME: { label: 'Name' }, AMOUNT: { label: 'Amount' } },
        aggregateColumnInfo: { 's!AMOUNT': { label: 'Sum of Amount' } },
      },
      groupingsDown: {
        groupings: [{ key: '0', label: 'West', groupings: [{ key: '0_0', label: 'Open', groupings: [] }] }],
      },
      factMap: {
        '0_0!T': { rows: [{ dataCells: [cell('Größe'), cell('5')] }], aggregates: [cell('5')] },
        'T!T': { rows: [], aggregates: [cell('5')] },
      },
    };
    expect(await shown('run_report', { reportId: '00O1' }, answer)).toEqual({
      name: 'Pipeline',
      columns: ['Name', 'Amount'],
      groups: [
        { group: 'West / Open', rows: [['Größe', '5']], totals: { 'Sum of Amount': '5' } },
        { totals: { 'Sum of Amount': '5' } },
      ],
      truncated: true,
    });
  });
});

describe('a sign-in to Salesforce', () => {
  /** Signs in while the token response names this address of the API, and returns where the browser lands. */
  async function signIn(instanceUrl: string | undefined) {
    const seen: string[] = [];
    const listener = getRequestListener(async (request) => {
      const { pathname } = new URL(request.url);
      seen.push(pathname);
      if (pathname === '/services/oauth2/token')
        return Response.json({ access_token: 'a-token', refresh_token: 'r', instance_url: instanceUrl });
      const isOurs = request.headers.get('authorization') === 'Bearer a-token';
      if (!isOurs || pathname !== '/services/oauth2/userinfo')
        return new Response('Bad_OAuth_Token', { status: 403 });
      return Response.json({ user_id: '0057', preferred_username: 'ana@example.com', name: 'Ana' });
    });
    const server = await startHttpServer((incoming, outgoing) => void listener(incoming, outgoing));
    const to = `http://127.0.0.1:${server.port}`;
    const app = await createTestApp({
      env: {
        SALESFORCE_CLIENT_ID: 'id',
        SALESFORCE_CLIENT_SECRET: 'secret',
        UPSTREAM_MAP: `https://login.salesforce.com=${to},https://acme.my.salesforce.com=${to}`,
      },
    });
    onTestFinished(async () => {
      await app.close();
      await server.close();
    });
    const { sessionHeader: headers } = await app.user();
    const begun = await (await app.request('/api/auth/salesforce', { headers })).json();
    const { searchParams, origin } = new URL(Reflect.get(Object(begun), 'url'));
    expect(origin).toBe('https://login.salesforce.com');
    const back = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '' });
    const done = await app.request(`/api/auth/plugin/salesforce/callback?${back.toString()}`);
    const found = await (
      await app.request('/api/connections/salesforce/check', { method: 'POST', headers })
    ).json();
    return { landed: done.headers.get('location'), page: await done.text(), found, seen };
  }

  it('calls the API where the token response says that it is', async () => {
    const { landed, found } = await signIn('https://acme.my.salesforce.com');
    expect(landed).toBe('http://localhost:3000#connected=salesforce');
    expect(found).toMatchObject({ status: 'ok', account: { id: '0057', label: 'ana@example.com' } });
  });

  it.each([
    ['is missing', undefined],
    ['is not of Salesforce', 'https://salesforce.com.evil.example'],
    ['only ends like one', 'https://evilsalesforce.com'],
    ['is not encrypted', 'http://acme.my.salesforce.com'],
    ['has a port', 'https://acme.my.salesforce.com:8443'],
  ])('sends the token nowhere when the address of the API %s', async (_, instanceUrl) => {
    const { landed, page: said, seen } = await signIn(instanceUrl);
    expect(landed).toBeNull();
    expect(said).toContain('did not say where the API of this account is');
    expect(seen).toEqual(['/services/oauth2/token']);
  });
});
