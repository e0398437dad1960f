// Tests Supabase: tool, arguments → expected request; and logs and functions, against a fake that knows only the
// documented requests.
import { describe, expect, it, onTestFinished } from 'vitest';
import { supabase } from '../../integrations/supabase/manifest.ts';
import { run, sent } from '../support/capture.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { createPerson, type Person } from '../support/person.ts';
import { createTestApp } from '../support/test-app.ts';

type Row = readonly [name: string, args: object, request: string, answer?: unknown];

const P = '/v1/projects/abc';
const ref = { ref: 'abc' };
const PROJECT = { id: 'abc', ref: 'abc', name: 'shop', region: 'eu-central-1', status: 'ACTIVE_HEALTHY' };
const BRANCH = { id: 'b1', name: 'next', project_ref: 'def', is_default: false, status: 'MIGRATIONS_PASSED' };
const FUNCTION = { id: 'f1', slug: 'send-mail', name: 'send-mail', status: 'ACTIVE', version: 2 };
const span = 'iso_timestamp_start=2026-03-01T08:00:00Z&iso_timestamp_end=2026-03-01T09:00:00Z';

const rows: readonly Row[] = [
  ['list_organizations', {}, 'GET /v1/organizations', []],
  ['list_projects', {}, 'GET /v1/projects', [PROJECT]],
  ['get_project', ref, `GET ${P}`, PROJECT],
  [
    'get_logs',
    {
      ...ref,
      source: 'auth_logs',
      search: "it's",
      start: '2026-03-01T08:00:00Z',
      end: '2026-03-01T09:00:00Z',
      limit: 5,
    },
    `GET ${P}/analytics/endpoints/logs.all?sql=select id, timestamp, event_message from auth_logs where strpos(event_message, 'it\\'s') > 0 order by timestamp desc limit 5&${span}`,
    { result: [] },
  ],
  ['get_advisors', { ...ref, type: 'security' }, `GET ${P}/advisors/security`, { lints: [] }],
  ['list_functions', ref, `GET ${P}/functions`, [FUNCTION]],
  [
    'deploy_function',
    { ...ref, slug: 'send-mail', content: 'Deno.serve()' },
    `POST ${P}/functions/deploy?slug=send-mail`,
    FUNCTION,
  ],
  ['list_branches', ref, `GET ${P}/branches`, [BRANCH]],
  [
    'create_branch',
    { ...ref, branchName: 'next', gitBranch: 'feat/x', persistent: true, withData: false },
    `POST ${P}/branches {"branch_name":"next","git_branch":"feat/x","persistent":true,"with_data":false}`,
    BRANCH,
  ],
  ['merge_branch', { branchId: 'b1' }, 'POST /v1/branches/b1/merge {}'],
  ['delete_branch', { branchId: 'b1' }, 'DELETE /v1/branches/b1'],
  [
    'query',
    { ...ref, query: 'select $1', parameters: ['größe'] },
    `POST ${P}/database/query/read-only {"query":"select $1","parameters":["größe"]}`,
  ],
  ['execute_sql', { ...ref, query: 'delete from a' }, `POST ${P}/database/query {"query":"delete from a"}`],
  ['list_migrations', ref, `GET ${P}/database/migrations`, [{ version: '20260301', name: 'a' }]],
  [
    'apply_migration',
    { ...ref, name: 'a', query: 'create table a ()' },
    `POST ${P}/database/migrations {"name":"a","query":"create table a ()"}`,
  ],
];

describe('supabase', () => {
  it.each(rows.map((row) => [row[0], row] as const))('%s sends the request', async (_, row) => {
    const [name, args, request, answer] = row;
    const answers = answer === undefined ? [] : [answer];
    expect(await sent(supabase, `supabase_${name}`, args, answers)).toEqual([request]);
  });

  it('asks for tables by a query that can change nothing', async () => {
    const [line = ''] = await sent(supabase, 'supabase_list_tables', { ...ref, schemas: ['public', 'auth'] });
    expect(line).toContain(`POST ${P}/database/query/read-only {"query":"select c.table_schema`);
    expect(line).toContain('"parameters":["public,auth"]}');
  });

  it('has a row here for every tool', () => {
    const names = new Set(['supabase_list_tables', ...rows.map(([name]) => `supabase_${name}`)]);
    expect(names).toEqual(new Set(supabase.tools.map(({ name }) => name)));
  });

  it('counts SQL that may delete as such, and SQL that only reads as reading', () => {
    const access = Object.fromEntries(supabase.tools.map((tool) => [tool.name, tool.access]));
    expect(access).toMatchObject({
      supabase_query: 'read',
      supabase_list_tables: 'read',
      supabase_execute_sql: 'destroy',
      supabase_apply_migration: 'destroy',
    });
  });

  it('sends the code of a function in a form', async () => {
    let form = new FormData();
    await run(
      supabase,
      'supabase_deploy_function',
      { ...ref, slug: 'send-mail', verifyJwt: false, content: 'größe' },
      {
        userId: 'u',
        clock: createFakeClock(),
        files: createMemoryFiles(),
        async upstream({ body, headers }) {
          form = await new Response(body as BodyInit, { headers: headers ?? {} }).formData();
          return Response.json(FUNCTION);
        },
        fetch: async () => new Response(null, { status: 404 }),
      },
    );
    const [metadata, file] = [form.get('metadata'), form.get('file')];
    if (!(file instanceof File)) throw new Error('no file');
    const said = metadata instanceof File ? await metadata.text() : String(metadata);
    expect(JSON.parse(said)).toEqual({ name: 'send-mail', entrypoint_path: 'index.ts', verify_jwt: false });
    expect([file.name, await file.text()]).toEqual(['index.ts', 'größe']);
  });
});

const ORIGIN = 'https://api.supabase.com';
const ANSWERS: Record<string, unknown> = {
  '/v1/organizations': [{ id: 'o1', slug: 'acme', name: 'Acme' }],
  '/v1/projects/abc': {
    ...PROJECT,
    database: { host: 'db.abc.supabase.co', version: '17.1', postgres_engine: '17' },
  },
  '/v1/projects/abc/analytics/endpoints/logs.all': { result: [{ id: 'l1', event_message: 'größe' }] },
  '/v1/projects/def/analytics/endpoints/logs.all': { error: { code: 400, message: 'Unrecognized name' } },
};

/** Connects to a fake that refuses every request that is not among the answers. */
async function connect(): Promise<Person> {
  const server = await startHttpServer((request, response) => {
    const known = ANSWERS[(request.url ?? '').split('?')[0] ?? ''];
    const isAna = request.headers.authorization === 'Bearer sbp_ana';
    const status = isAna ? (known === undefined || request.method !== 'GET' ? 404 : 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(status === 200 ? known : { message: 'Project not found' }));
  });
  const app = await createTestApp({ env: { UPSTREAM_MAP: `${ORIGIN}=http://127.0.0.1:${server.port}` } });
  onTestFinished(async () => {
    await app.close();
    await server.close();
  });
  const person = await createPerson(app);
  const refused = await person.post('/api/auth/apikey/supabase', { values: { token: 'sbp_other' } });
  expect(refused.status).toBe(400);
  const connected = await person.post('/api/auth/apikey/supabase', { values: { token: 'sbp_ana' } });
  expect(connected.status).toBe(200);
  return person;
}

describe('a connection to Supabase', () => {
  it('shows a project, and logs of the last hour', async () => {
    const person = await connect();
    expect(await person.run('supabase_get_project', ref)).toEqual({
      ...PROJECT,
      database: { host: 'db.abc.supabase.co', version: '17.1' },
    });
    const logs = await person.run('supabase_get_logs', { ...ref, source: 'edge_logs' });
    expect(logs).toEqual([{ id: 'l1', event_message: 'größe' }]);
  });

  it("passes on Supabase's message, also one with status 200", async () => {
    const person = await connect();
    await expect(person.run('supabase_get_logs', { ref: 'def', source: 'edge_logs' })).rejects.toThrow(
      'Unrecognized name',
    );
    await expect(person.run('supabase_get_project', { ref: 'other' })).rejects.toThrow(
      '404: Project not found',
    );
  });
});
