// Tests HubSpot: tool, arguments → expected requests; and records as a model reads them, against a fake that knows only
// the documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubspot } from '../../integrations/hubspot/manifest.ts';
import { sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

const OBJECTS = '/crm/objects/2026-03';
const DEALS = 'dealname,amount,dealstage,pipeline,closedate,hubspot_owner_id';
const NOTE = '"hs_note_body","hs_timestamp","hubspot_owner_id"';
const ana = { objectType: 'contacts', objectId: '7' };
const toCompany = { ...ana, toObjectType: 'companies', toObjectId: '9' };
const record = { id: '7', properties: {} };

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const rows: readonly Row[] = [
  ['whoami', {}, 'GET /account-info/2026-03/details'],
  [
    'search_records',
    {
      objectType: 'deals',
      query: 'größe',
      filters: [{ propertyName: 'amount', operator: 'GTE', value: '100' }],
      sortBy: '-createdate',
      after: '20',
    },
    `POST ${OBJECTS}/deals/search {"filterGroups":[{"filters":[{"propertyName":"amount","operator":"GTE","value":"100"}]}],"properties":["dealname","amount","dealstage","pipeline","closedate","hubspot_owner_id"],"sorts":[{"propertyName":"createdate","direction":"DESCENDING"}],"query":"größe","limit":20,"after":"20"}`,
    [{ results: [] }],
  ],
  [
    'search_records',
    { objectType: '2-123', properties: ['name'], sortBy: 'name', limit: 1 },
    `POST ${OBJECTS}/2-123/search {"filterGroups":[],"properties":["name"],"sorts":[{"propertyName":"name","direction":"ASCENDING"}],"limit":1}`,
    [{ results: [] }],
  ],
  [
    'list_records',
    { objectType: 'deals', associations: ['contacts', 'companies'], after: '5' },
    `GET ${OBJECTS}/deals?properties=${DEALS}&associations=contacts,companies&limit=20&after=5`,
    [{ results: [] }],
  ],
  ['list_records', { objectType: '2-123' }, `GET ${OBJECTS}/2-123?limit=20`, [{ results: [] }]],
  [
    'get_record',
    { objectType: 'contacts', objectId: 'ana@example.com', idProperty: 'email', properties: ['email'] },
    `GET ${OBJECTS}/contacts/ana%40example.com?properties=email&idProperty=email`,
    [record],
  ],
  [
    'create_record',
    { objectType: 'contacts', properties: { email: 'ana@example.com', lastname: 'Müller' } },
    `POST ${OBJECTS}/contacts {"properties":{"email":"ana@example.com","lastname":"Müller"},"associations":[]}`,
    [record],
  ],
  [
    'update_record',
    { objectType: 'deals', objectId: '7', properties: { dealstage: 'closedwon' } },
    `PATCH ${OBJECTS}/deals/7 {"properties":{"dealstage":"closedwon"}}`,
    [record],
  ],
  [
    'update_record',
    { ...ana, idProperty: 'email', properties: { phone: '' } },
    `PATCH ${OBJECTS}/contacts/7?idProperty=email {"properties":{"phone":""}}`,
    [record],
  ],
  ['archive_record', ana, `DELETE ${OBJECTS}/contacts/7`],
  [
    'list_activities',
    { ...ana, limit: 2 },
    [
      `GET ${OBJECTS}/contacts/7/associations/notes?limit=2`,
      `POST ${OBJECTS}/notes/batch/read {"inputs":[{"id":"1"},{"id":"2"}],"properties":[${NOTE}],"propertiesWithHistory":[]}`,
    ],
    [{ results: [{ toObjectId: 1 }, { toObjectId: '2' }] }, { results: [] }],
  ],
  [
    'list_activities',
    { ...ana, activity: 'calls', after: '3' },
    `GET ${OBJECTS}/contacts/7/associations/calls?limit=20&after=3`,
    [{ results: [] }],
  ],
  [
    'create_note',
    { ...ana, body: '**Größe** & more', timestamp: '2026-03-01T09:00:00Z', ownerId: '5' },
    `POST ${OBJECTS}/notes {"properties":{"hs_note_body":"<p><strong>Größe</strong> &amp; more</p>","hs_timestamp":"2026-03-01T09:00:00Z","hubspot_owner_id":"5"},"associations":[{"to":{"id":"7"},"types":[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":202}]}]}`,
    [record],
  ],
  [
    'create_task',
    {
      objectType: 'deals',
      objectId: '3',
      subject: 'Call',
      body: '- a',
      dueAt: '2026-03-01T09:00:00Z',
      type: 'CALL',
    },
    `POST ${OBJECTS}/tasks {"properties":{"hs_task_subject":"Call","hs_task_body":"<ul><li>a</li></ul>","hs_timestamp":"2026-03-01T09:00:00Z","hs_task_type":"CALL","hs_task_priority":"NONE","hs_task_status":"NOT_STARTED"},"associations":[{"to":{"id":"3"},"types":[{"associationCategory":"HUBSPOT_DEFINED","associationTypeId":216}]}]}`,
    [record],
  ],
  [
    'list_associations',
    { ...ana, toObjectType: 'companies' },
    `GET ${OBJECTS}/contacts/7/associations/companies?limit=20`,
    [{ results: [] }],
  ],
  ['associate_records', toCompany, `PUT ${OBJECTS}/contacts/7/associations/default/companies/9 {}`],
  ['remove_association', toCompany, `DELETE ${OBJECTS}/contacts/7/associations/companies/9`],
  ['list_pipelines', {}, 'GET /crm/pipelines/2026-03/deals', [{ results: [] }]],
  [
    'list_properties',
    { objectType: 'tickets', contains: 'stage' },
    'GET /crm/properties/2026-03/tickets',
    [{ results: [] }],
  ],
  [
    'list_owners',
    { email: 'ana@example.com' },
    'GET /crm/owners/2026-03?email=ana@example.com&limit=20',
    [{ results: [] }],
  ],
];

describe('hubspot', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    expect(await sent(hubspot, `hubspot_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `hubspot_${name}`));
    expect(names).toEqual(new Set(hubspot.tools.map(({ name }) => name)));
  });
});

const ANSWERS: Record<string, unknown> = {
  'GET /account-info/2026-03/details': { portalId: 7, timeZone: 'Europe/Berlin' },
  [`POST ${OBJECTS}/contacts/search`]: {
    total: 2,
    results: [
      {
        id: '1',
        properties: { email: 'ana@example.com', phone: null, company: '' },
        createdAt: '2026-01-01T00:00:00Z',
        updatedAt: '2026-03-01T00:00:00Z',
        archived: false,
        url: 'https://app.hubspot.com/contacts/7/record/0-1/1',
      },
    ],
    paging: { next: { after: '1', link: 'https://api.hubapi.com/…' } },
  },
  [`GET ${OBJECTS}/deals/3`]: {
    id: '3',
    properties: { dealname: 'Größe' },
    associations: {
      contacts: {
        results: [
          { id: '1', type: 'deal_to_contact' },
          { id: '1', type: 'buyer' },
        ],
      },
    },
  },
  [`GET ${OBJECTS}/contacts/1/associations/notes`]: {
    results: [{ toObjectId: '5', associationTypes: [] }],
    paging: { next: { after: '5' } },
  },
  [`POST ${OBJECTS}/notes/batch/read`]: {
    status: 'COMPLETE',
    results: [
      { id: '5', properties: { hs_note_body: '<p>Called <strong>Ana</strong></p><ol><li>one</li></ol>' } },
    ],
  },
  'GET /crm/properties/2026-03/deals': {
    results: [
      {
        name: 'dealstage',
        label: 'Deal Stage',
        type: 'enumeration',
        description: '',
        options: Array.from({ length: 52 }, (_, index) => ({
          label: `L${index}`,
          value: `v${index}`,
          hidden: false,
        })),
        modificationMetadata: { readOnlyValue: false },
      },
      { name: 'days_to_close', type: 'number', options: [], modificationMetadata: { readOnlyValue: true } },
    ],
  },
  [`GET ${OBJECTS}/contacts/1/associations/companies`]: {
    results: [
      { toObjectId: '9', associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 1, label: 'Primary' }] },
      { toObjectId: '8', associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: 279, label: null }] },
    ],
  },
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[`${request.method} ${request.url?.split('?')[0]}`];
    const isOurs = request.headers.authorization === 'Bearer pat-na1-ana';
    response.writeHead(isOurs ? (known === undefined ? 404 : 200) : 401, {
      'content-type': 'application/json',
    });
    const refusal = {
      status: 'error',
      message: isOurs ? 'resource not found' : 'not valid here',
      category: 'X',
    };
    response.end(JSON.stringify(isOurs && known !== undefined ? known : refusal));
  });
  const app = await createTestApp({
    env: { UPSTREAM_MAP: `https://api.hubapi.com=http://127.0.0.1:${server.port}` },
  });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const connected = await person.post('/api/auth/apikey/hubspot', { values: { token: 'pat-na1-ana' } });
  expect(connected).toMatchObject({ status: 200, body: { account: { id: '7', label: '7' } } });
  return person;
}

describe('a connection to HubSpot', () => {
  it('shows the members of records that say something, and the cursor of the next page', async () => {
    const person = await connect();
    expect(await person.run('hubspot_search_records', { objectType: 'contacts', query: 'ana' })).toEqual({
      total: 2,
      results: [
        {
          id: '1',
          url: 'https://app.hubspot.com/contacts/7/record/0-1/1',
          updatedAt: '2026-03-01T00:00:00Z',
          properties: { email: 'ana@example.com' },
        },
      ],
      after: '1',
    });
    expect(
      await person.run('hubspot_get_record', {
        objectType: 'deals',
        objectId: '3',
        associations: ['contacts'],
      }),
    ).toEqual({ id: '3', properties: { dealname: 'Größe' }, associations: { contacts: ['1'] } });
  });

  it('shows notes in Markdown, with the cursor of the links', async () => {
    const person = await connect();
    const args = { objectType: 'contacts', objectId: '1' };
    expect(await person.run('hubspot_list_activities', args)).toEqual({
      results: [{ id: '5', properties: { hs_note_body: 'Called **Ana**\n\n1. one' } }],
      after: '5',
    });
    expect(await person.run('hubspot_list_associations', { ...args, toObjectType: 'companies' })).toEqual({
      results: [{ id: '9', labels: ['Primary'] }, { id: '8' }],
    });
  });

  it('finds properties by a part of their name, and cuts long lists of options', async () => {
    const person = await connect();
    const found = Object(
      await person.run('hubspot_list_properties', { objectType: 'deals', contains: 'STAGE' }),
    );
    expect(found.results).toMatchObject([{ name: 'dealstage', options: { length: 50 }, moreOptions: 2 }]);
    expect(found.results[0]).not.toHaveProperty('readOnly');
    const all = await person.run('hubspot_list_properties', { objectType: 'deals', contains: 'close' });
    expect(all).toEqual({ results: [{ name: 'days_to_close', type: 'number', readOnly: true }] });
  });

  it("passes on HubSpot's message", async () => {
    const person = await connect();
    await expect(person.run('hubspot_get_record', { objectType: 'deals', objectId: '4' })).rejects.toThrow(
      '404: resource not found',
    );
  });
});
