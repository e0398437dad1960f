// Tries to reach what belongs to one person as another member, as an administrator and as an owner.
// reference: Authentication; Administration of people
import { afterAll, describe, expect, it } from 'vitest';
import { CompiledQuery } from 'kysely';
import { createSqlStore } from '../../drivers/sql/store.ts';
import { tables } from '../../drivers/sql/tables.ts';
import { createJsonPieces } from '../../src/calls/results/json-pieces.ts';
import { SESSION } from '../../src/kit/actor.ts';
import { openEmptySqlite } from '../contracts/store/open.ts';
import { client, entry, importRecord, importTool, putToken, token } from '../contracts/store/records.ts';
import { smallWorld } from '../support/fixtures.ts';
import { publish } from '../support/jots.ts';
import { call } from '../support/mcp.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { askToShout, type Headers, makeKey, send } from '../support/policy.ts';
import { createTestApp } from '../support/test-app.ts';

const SECRET = 'a-value-of-ana-alone';

const { engine, close } = await openEmptySqlite();
const store = { ...createSqlStore(engine), close: () => Promise.resolve() };
const app = await createTestApp({ env: PROVIDER, ports: { integrations: smallWorld, store } });
afterAll(async () => {
  await app.close();
  await close();
});

const ana = await app.user('ana@example.com');
const { files, pending, results, clock } = app.deps;
const values = { region: 'eu', apiKey: SECRET, appKey: SECRET };
await send(app, ana.keyHeader, 'POST', '/api/auth/apikey/keyed', { values });
const namedKey = await makeKey(app, ana, { name: SECRET, rules: [{ tool: 'shout', decision: 'ask' }] });
const approvalId = await askToShout(app, namedKey.header, SECRET);
await publish(app, ana, 'report-of-ana', {}, { access: 'password', password: SECRET });
const { handle } = await files.save(ana.id, oneChunk(SECRET), {
  name: `${SECRET}.txt`,
  mimeTypes: ['text/plain'],
});
const saved = await results.save({ userId: ana.id, actor: SESSION }, createJsonPieces({ who: SECRET }), []);
const own = importRecord({ owner: ana.id, name: 'import_of_ana', display_name: SECRET });
await store.imports.create(own, [importTool(own, 0)], 5);
const setForm = { name: 'set-of-ana', title: SECRET, tools: ['shout'] };
await send(app, ana.sessionHeader, 'POST', '/api/sets', setForm);
await store.clients.put(client({ client_id: 'client-of-ana', client_name: SECRET }));
await putToken(
  store,
  token({ user_id: ana.id, client_id: 'client-of-ana', expires_at: clock.now() + 10_000 }),
);
const details = app.deps.callDetails.begin(ana.id);
details?.fill({ args: { text: SECRET }, result: SECRET });
await app.deps.callDetails.flush();
await store.audit.append([entry({ user_id: ana.id, error: SECRET, details: details?.id ?? null })]);
const [callOfAna] = await store.audit.list({ user_id: ana.id, limit: 1 });
const waits = {
  connection_id: 'waits',
  user_id: ana.id,
  integration: 'keyed',
  expires_at: clock.now() + 600,
};
await pending.put(waits, 5);
const curl = await call(app, ana.keyHeader, 'curl_session', { integrations: ['keyed'] });
await send(app, ana.sessionHeader, 'PUT', '/api/policy', {
  rules: [{ integration: 'echo', tool: SECRET.replaceAll('-', '_'), decision: 'block' }],
});

const strangers = {
  'another member': await app.user('ben@example.com'),
  'an administrator': await userWithRole(app, 'adam@example.com', 'administrator'),
  'an owner': await userWithRole(app, 'olga@example.com', 'owner'),
};

interface Try {
  what: string;
  method?: string;
  path: string;
  body?: object;
  /** The status of the refusal; 200 where the answer is the stranger's own, with nothing of Ana in it. */
  status: number | number[];
}

const TRIES: Try[] = [
  { what: 'lists connections', path: '/api/connections', status: 200 },
  { what: 'checks the connection', method: 'POST', path: '/api/connections/keyed/check', status: 404 },
  { what: 'disconnects', method: 'DELETE', path: '/api/connections/keyed', status: [200, 404] },
  {
    what: 'disconnects and revokes',
    method: 'DELETE',
    path: '/api/connections/keyed?revoke=true',
    status: [200, 404],
  },
  {
    what: 'renames the account',
    method: 'PATCH',
    path: '/api/connections/keyed/accounts/first',
    body: { label: 'x' },
    status: 404,
  },
  {
    what: 'makes the account a default',
    method: 'PATCH',
    path: '/api/connections/keyed/accounts/first',
    body: { default: true },
    status: 404,
  },
  { what: 'exports a session', path: '/api/integrations/jar/session/export', status: 404 },
  { what: 'reads the key', path: '/api/keys/reveal', status: 200 },
  { what: 'lists named keys', path: '/api/agent-keys', status: 200 },
  { what: 'deletes the named key', method: 'DELETE', path: `/api/agent-keys/${namedKey.id}`, status: 404 },
  { what: 'lists approvals', path: '/api/approvals?state=pending', status: 200 },
  { what: 'reads the approval', path: `/api/approvals/${approvalId}`, status: 404 },
  {
    what: 'approves the call',
    method: 'POST',
    path: `/api/approvals/${approvalId}`,
    body: { decision: 'approve' },
    status: 404,
  },
  {
    what: 'denies the call',
    method: 'POST',
    path: `/api/approvals/${approvalId}`,
    body: { decision: 'deny' },
    status: 404,
  },
  { what: 'lists clients', path: '/api/agents', status: 200 },
  { what: 'revokes the client', method: 'DELETE', path: '/api/agents/client-of-ana', status: 200 },
  {
    what: 'limits the client',
    method: 'PATCH',
    path: '/api/agents/client-of-ana',
    body: { access: 'read' },
    status: 404,
  },
  { what: 'reads the rules', path: '/api/policy', status: 200 },
  { what: 'lists jots', path: '/api/jots', status: 200 },
  {
    what: 'opens the jot',
    method: 'PATCH',
    path: '/api/jots/report-of-ana',
    body: { access: 'public' },
    status: 404,
  },
  { what: 'deletes the jot', method: 'DELETE', path: '/api/jots/report-of-ana', status: 404 },
  { what: 'lists files', path: '/api/files', status: 200 },
  { what: 'reads the file', path: `/f/${handle}`, status: 404 },
  { what: 'deletes the file', method: 'DELETE', path: `/api/files/${handle}`, status: 404 },
  { what: 'lists imports', path: '/api/imports', status: 200 },
  { what: 'reads the import', path: '/api/imports/import_of_ana', status: 404 },
  {
    what: 'changes the import',
    method: 'PATCH',
    path: '/api/imports/import_of_ana',
    body: { displayName: 'x' },
    status: 404,
  },
  { what: 'checks the import', method: 'POST', path: '/api/imports/import_of_ana/check', status: 404 },
  {
    what: 'accepts its tools',
    method: 'POST',
    path: '/api/imports/import_of_ana/accept',
    body: { all: true },
    status: 404,
  },
  { what: 'deletes the import', method: 'DELETE', path: '/api/imports/import_of_ana', status: 404 },
  { what: 'describes the import', path: '/rest/import_of_ana', status: 404 },
  {
    what: 'calls the import',
    method: 'POST',
    path: '/rest/import_of_ana',
    body: { tool: 'x', args: {} },
    status: 404,
  },
  { what: 'connects the import', path: '/api/auth/import_of_ana', status: 404 },
  {
    what: 'gives the import a key',
    method: 'POST',
    path: '/api/auth/apikey/import_of_ana',
    body: { values: {} },
    status: 404,
  },
  { what: 'looks at the page of the import', path: '/api/integrations/import_of_ana', status: 404 },
  { what: 'lists sets', path: '/api/sets', status: 200 },
  { what: 'reads the set', path: '/api/sets/set-of-ana', status: 404 },
  {
    what: 'changes the set',
    method: 'PATCH',
    path: '/api/sets/set-of-ana',
    body: { title: 'x' },
    status: 404,
  },
  { what: 'deletes the set', method: 'DELETE', path: '/api/sets/set-of-ana', status: 404 },
  { what: 'takes its functions', path: '/api/sets/set-of-ana/functions?for=openai', status: 404 },
  { what: 'describes the set', path: '/sets/set-of-ana/openapi.json', status: 404 },
  { what: 'runs its tool', method: 'POST', path: '/sets/set-of-ana/tools/shout', body: {}, status: 404 },
  {
    what: 'speaks to the set',
    method: 'POST',
    path: '/mcp/sets/set-of-ana',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    status: 404,
  },
  { what: 'lists tools', path: '/api/tools', status: 200 },
  { what: 'lists integrations', path: '/api/integrations', status: 200 },
  { what: 'reads the calls', path: '/api/audit', status: 200 },
  { what: 'asks for the calls of Ana', path: `/api/audit?user_id=${ana.id}&person=${ana.id}`, status: 200 },
  { what: 'reads about themselves', path: '/api/me', status: 200 },
  { what: 'exports themselves', path: '/api/me/export', status: 200 },
  {
    what: 'deletes Ana as themselves',
    method: 'DELETE',
    path: '/api/me',
    body: { email: ana.email },
    status: 400,
  },
  { what: 'lists what REST has', path: '/rest', status: 200 },
  {
    what: 'calls with the connection',
    method: 'POST',
    path: '/rest/keyed',
    body: { tool: 'whoami', args: {} },
    status: 409,
  },
];

const tries = TRIES.flatMap((attempt) => Object.keys(strangers).map((who) => ({ who, ...attempt })));

/** The rows of Ana. Calls of strangers add rows of their own. */
async function readAna(): Promise<string> {
  const texts: string[] = [];
  for (const table of Object.keys(tables)) {
    const { rows } = await engine.run(CompiledQuery.raw(`select * from ${table}`));
    texts.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`));
  }
  return texts.filter((text) => text.includes(ana.id)).join('\n');
}

const before = await readAna();

async function* oneChunk(text: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(text);
}

function expectNothingOfAna(text: string): void {
  for (const trace of [
    SECRET,
    SECRET.replaceAll('-', '_'),
    ana.id,
    ana.apiKey,
    namedKey.key,
    'of_ana',
    'of-ana',
  ])
    expect(text).not.toContain(trace);
}

async function ask(headers: Headers, { method = 'GET', path, body }: Try) {
  const response = await app.request(path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

describe('what belongs to Ana', () => {
  it.each(tries)('stays closed when $who $what', async ({ who, ...attempt }) => {
    const stranger = strangers[who as keyof typeof strangers];
    const answer = await ask(stranger.sessionHeader, attempt);
    expect([attempt.status].flat()).toContain(answer.status);
    // The name in a refusal is the one that the stranger has typed.
    if (answer.status === 200) expectNothingOfAna(answer.text);
    else expect(answer.text).not.toContain(SECRET);
  });

  it('opens her call to administrators without its contents, and to members not at all', async () => {
    const attempt = { what: '', path: `/api/calls/${callOfAna?.id}`, status: 200 };
    const missing = { ...attempt, path: '/api/calls/987654321' };
    const { sessionHeader } = strangers['another member'];
    expect(await ask(sessionHeader, attempt)).toStrictEqual(await ask(sessionHeader, missing));
    expect((await ask(sessionHeader, attempt)).status).toBe(404);
    for (const who of ['an administrator', 'an owner'] as const) {
      const opened = JSON.parse((await ask(strangers[who].sessionHeader, attempt)).text);
      // The text of the error is part of the audit of everybody.
      const { error, ...shown } = opened;
      expect(error).toBe(SECRET);
      expect(shown.details).toStrictEqual({ state: 'private' });
      expect(JSON.stringify(shown)).not.toContain(SECRET);
    }
  });

  it.each(Object.keys(strangers))('stays closed to the meta-tools of %s', async (who) => {
    const { keyHeader } = strangers[who as keyof typeof strangers];
    expect(
      await call(app, keyHeader, 'wait_for_connection', { connectionId: 'waits', timeoutSec: 1 }),
    ).toEqual({
      error: 'Unknown connectionId',
    });
    expect(await call(app, keyHeader, 'read_result', { handle: saved.handle })).toMatchObject({
      error: 'Unknown handle',
    });
    const executions = [
      { tool: 'get_file', args: { file: `file:${handle}` } },
      { tool: 'update_jot', args: { name: 'report-of-ana', access: 'public' } },
      { tool: 'delete_jot', args: { name: 'report-of-ana' } },
    ];
    const { results: outcomes } = await call(app, keyHeader, 'execute_tools', { executions });
    for (const outcome of outcomes) expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(outcomes.every((outcome: object) => 'error' in outcome)).toBe(true);
    const seen = await call(app, keyHeader, 'search_tools', { query: 'import_of_ana' });
    expect(seen.tools).toEqual([]);
    expect(JSON.stringify(await call(app, keyHeader, 'list_integrations'))).not.toContain('of_ana');
  });

  it('is not opened by a curl token, a named key or a token for something else', async () => {
    const bearer = { authorization: `Bearer ${curl.token}` };
    for (const path of ['/api/me', '/api/connections', '/api/keys/reveal', '/rest'])
      expect((await ask(bearer, { what: '', path, status: 401 })).status).toBe(401);
    for (const path of ['/api/keys/reveal', '/api/files', '/api/jots', '/api/approvals', '/api/me/export'])
      expect((await ask(namedKey.header, { what: '', path, status: 403 })).status).toBe(403);
  });

  it('is as it was before all of this', async () => {
    const now = await readAna();
    // Only calls of her own change when a key was last used.
    const steady = (text: string) => text.replace(/"last_used_at":\d+/g, '');
    expect(steady(now)).toBe(steady(before));
    const jot = await ask({}, { what: '', path: '/j/report-of-ana/', status: 401 });
    expect(jot.status).toBe(401);
  });
});
