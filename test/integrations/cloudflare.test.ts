// Tests Cloudflare: tool, arguments → expected requests; and its lists as a model reads them, against a fake that knows
// only the documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { cloudflare } from '../../integrations/cloudflare/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, requests: string | string[], answers?: unknown[]];

const RECORD = { id: 'r1', type: 'A', name: 'www.example.com', content: '192.0.2.1', ttl: 1, proxied: true };
const DEPLOYMENT = { id: 'd1', url: 'https://d1.shop.pages.dev', environment: 'preview', aliases: null };
const list = [{ result: [], success: true, errors: [], messages: [] }];
const one = (result: unknown) => ({ result, success: true, errors: [], messages: [] });
const account = { accountId: 'a1' };
const zone = { zoneId: 'z1' };
const pages = { ...account, projectName: 'shop' };
const A = '/accounts/a1';

const rows: readonly Row[] = [
  ['list_accounts', { page: 2 }, 'GET /accounts?page=2&per_page=20', list],
  [
    'list_zones',
    { name: 'example.com', status: 'active' },
    'GET /zones?name=example.com&status=active&page=1&per_page=20',
    list,
  ],
  [
    'list_dns_records',
    { ...zone, type: 'TXT', search: 'größe', perPage: 5 },
    'GET /zones/z1/dns_records?type=TXT&search=größe&page=1&per_page=5',
    list,
  ],
  [
    'create_dns_record',
    { ...zone, type: 'MX', name: '@', content: 'mail.example.com', priority: 10, comment: 'Post' },
    'POST /zones/z1/dns_records {"type":"MX","name":"@","ttl":1,"content":"mail.example.com","priority":10,"comment":"Post"}',
    [one(RECORD)],
  ],
  [
    'update_dns_record',
    { ...zone, recordId: 'r1', content: '192.0.2.2', ttl: 300 },
    [
      'GET /zones/z1/dns_records/r1',
      'PATCH /zones/z1/dns_records/r1 {"type":"A","name":"www.example.com","ttl":300,"content":"192.0.2.2"}',
    ],
    [one(RECORD), one(RECORD)],
  ],
  ['delete_dns_record', { ...zone, recordId: 'r1' }, 'DELETE /zones/z1/dns_records/r1', [one({ id: 'r1' })]],
  [
    'purge_cache',
    { ...zone, files: ['https://example.com/a.css'] },
    'POST /zones/z1/purge_cache {"files":["https://example.com/a.css"]}',
    [one({ id: 'z1' })],
  ],
  [
    'purge_cache',
    { ...zone, everything: true },
    'POST /zones/z1/purge_cache {"purge_everything":true}',
    [one({ id: 'z1' })],
  ],
  ['list_workers', account, `GET ${A}/workers/scripts`, list],
  [
    'read_worker',
    { ...account, scriptName: 'api' },
    `GET ${A}/workers/scripts/api/content/v2`,
    [new Response('export default {}', { headers: { 'content-type': 'text/javascript' } })],
  ],
  [
    'list_worker_deployments',
    { ...account, scriptName: 'api' },
    `GET ${A}/workers/scripts/api/deployments`,
    [one({ deployments: [] })],
  ],
  ['list_pages_projects', { ...account, page: 2 }, `GET ${A}/pages/projects?page=2`, list],
  [
    'list_pages_deployments',
    { ...pages, env: 'production' },
    `GET ${A}/pages/projects/shop/deployments?env=production&page=1&per_page=20`,
    list,
  ],
  [
    'get_pages_logs',
    { ...pages, deploymentId: 'd1' },
    `GET ${A}/pages/projects/shop/deployments/d1/history/logs`,
    [one({ data: [], total: 0 })],
  ],
  [
    'retry_pages_deployment',
    { ...pages, deploymentId: 'd1' },
    `POST ${A}/pages/projects/shop/deployments/d1/retry {}`,
    [one(DEPLOYMENT)],
  ],
  [
    'list_r2_buckets',
    { ...account, nameContains: 'log', cursor: 'c' },
    `GET ${A}/r2/buckets?name_contains=log&per_page=50&cursor=c`,
    [one({ buckets: [] })],
  ],
  ['list_kv_namespaces', account, `GET ${A}/storage/kv/namespaces?page=1&per_page=20`, list],
  [
    'list_kv_keys',
    { ...account, namespaceId: 'n1', prefix: 'a:', cursor: 'c' },
    `GET ${A}/storage/kv/namespaces/n1/keys?prefix=a:&limit=100&cursor=c`,
    list,
  ],
  [
    'read_kv_value',
    { ...account, namespaceId: 'n1', key: 'a/ä' },
    `GET ${A}/storage/kv/namespaces/n1/values/a%2F%C3%A4`,
    [new Response('größe')],
  ],
];

describe('cloudflare', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, requests, answers] = row;
    expect(await sent(cloudflare, `cloudflare_${name}`, args, answers)).toEqual([requests].flat());
  });

  it('has a row here for every tool', () => {
    const names = new Set(rows.map(([name]) => `cloudflare_${name}`));
    expect(names).toEqual(new Set(cloudflare.tools.map(({ name }) => name)));
  });

  it.each([[{}], [{ everything: true, hosts: ['example.com'] }]])(
    'purges only what exactly one argument says: %j',
    async (args) => {
      await expect(sent(cloudflare, 'cloudflare_purge_cache', { ...zone, ...args })).rejects.toThrow(
        'Give exactly one of',
      );
    },
  );

  it('reads every module of a Worker', async () => {
    const form = new FormData();
    form.set('index.js', new Blob(['import "größe"'], { type: 'application/javascript+module' }), 'index.js');
    form.set('a.wasm', new Blob([new Uint8Array([0, 97])], { type: 'application/wasm' }), 'a.wasm');
    const files = createMemoryFiles();
    const read = await run(
      cloudflare,
      'cloudflare_read_worker',
      { ...account, scriptName: 'api' },
      {
        userId: 'u',
        clock: createFakeClock(),
        files,
        upstream: async () => new Response(form),
        fetch: async () => new Response(null, { status: 404 }),
      },
    );
    expect(read).toMatchObject({
      modules: [
        { name: 'index.js', encoding: 'text', content: 'import "größe"' },
        { name: 'a.wasm', file: { name: 'a.wasm', bytes: 2 } },
      ],
    });
  });
});

const ORIGIN = 'https://api.cloudflare.com';
const ANSWERS: Record<string, unknown> = {
  'GET /user/tokens/verify': one({ id: 't1', status: 'active' }),
  'GET /zones/z1/dns_records?page=1&per_page=20': {
    ...one([{ ...RECORD, comment: null, tags: [], settings: {}, created_on: '2026-03-01T09:00:00Z' }]),
    result_info: { page: 1, per_page: 20, count: 1, total_count: 21, total_pages: 2 },
  },
  'GET /accounts/a1/storage/kv/namespaces/n1/keys?limit=100': {
    ...one([{ name: 'k', metadata: { a: 1 } }]),
    result_info: { count: 1, cursor: 'next' },
  },
  'GET /accounts/a1/r2/buckets?per_page=50': {
    ...one({ buckets: [{ name: 'logs', creation_date: '2026-03-01T09:00:00Z' }] }),
    result_info: { cursor: '', per_page: 50 },
  },
  'GET /accounts/a1/pages/projects/shop/deployments/d1/history/logs': one({
    data: [
      { ts: '2026-03-01T09:00:00Z', line: 'Cloning' },
      { ts: '2026-03-01T09:00:01Z', line: 'größe failed' },
    ],
    total: 2,
  }),
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/^\/client\/v4/, '');
    const known = ANSWERS[`${request.method} ${path}`];
    const status = request.headers.authorization === 'Bearer t-ana' ? (known === undefined ? 404 : 200) : 400;
    response.writeHead(status, { 'content-type': 'application/json' });
    const errors = [{ code: 7003, message: 'Could not route to the zone' }];
    response.end(
      JSON.stringify(status === 200 ? known : { result: null, success: false, errors, messages: [] }),
    );
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const refused = await person.post('/api/auth/apikey/cloudflare', { values: { token: 'nonsense' } });
  expect(refused.status).toBe(400);
  const connected = await person.post('/api/auth/apikey/cloudflare', { values: { token: 't-ana' } });
  expect(connected).toMatchObject({ status: 200, body: { status: 'ok' } });
  return person;
}

describe('a connection to Cloudflare', () => {
  it('shows records without what is empty, and the next page', async () => {
    const person = await connect();
    expect(await person.run('cloudflare_list_dns_records', zone)).toEqual({
      records: [RECORD],
      total: 21,
      nextPage: 2,
    });
  });

  it('shows the cursor of the next page, if there is one', async () => {
    const person = await connect();
    expect(await person.run('cloudflare_list_kv_keys', { ...account, namespaceId: 'n1' })).toEqual({
      keys: [{ name: 'k', metadata: { a: 1 } }],
      cursor: 'next',
    });
    expect(await person.run('cloudflare_list_r2_buckets', account)).toEqual({
      buckets: [{ name: 'logs', creation_date: '2026-03-01T09:00:00Z' }],
    });
  });

  it('shows a build log as text', async () => {
    const person = await connect();
    expect(await person.run('cloudflare_get_pages_logs', { ...pages, deploymentId: 'd1' })).toEqual({
      log: '2026-03-01T09:00:00Z Cloning\n2026-03-01T09:00:01Z größe failed',
      total: 2,
    });
  });

  it("passes on Cloudflare's message", async () => {
    const person = await connect();
    await expect(person.run('cloudflare_list_dns_records', { zoneId: 'other' })).rejects.toThrow(
      'Could not route to the zone',
    );
  });
});
