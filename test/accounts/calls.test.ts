// Tests which account a call uses where a person has several, and what is refused. decision: 038
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let upstream: HttpServer;
let base: string;
let stop: () => Promise<void>;
/** The credential of each request that reached the service. */
let sent: string[];

beforeEach(async () => {
  sent = [];
  upstream = await startHttpServer(({ headers }, response) => {
    sent.push(String(headers.authorization));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  app = await createTestApp({
    env: { UPSTREAM_MAP: `https://us.posthog.com=http://127.0.0.1:${upstream.port}` },
  });
  ana = await app.user();
  const proxy = createCurlProxy(app.deps, {});
  const beside = { proxy, jotFiles: createJotFiles(app.deps), clock: app.deps.clock };
  const server = await serve(createApp(app.deps).fetch, beside, 0);
  base = `http://127.0.0.1:${server.port}`;
  stop = async () => {
    await server.stop();
    await proxy.close();
  };
});
afterEach(async () => {
  await stop();
  await app.deps.audit.flush();
  await app.close();
  await upstream.close();
});

async function connect(...labels: string[]): Promise<void> {
  for (const account of labels) {
    const credential = { accessToken: `key-${account}`, account };
    await app.deps.vault.save(ana.id, 'posthog', credential);
    app.clock.advance(1);
  }
}

async function setDefault(label: string, use: 'reads' | 'writes'): Promise<void> {
  const rows = await app.deps.store.connections.of(ana.id, 'posthog');
  const row = rows.find((each) => each.label === label);
  if (row === undefined) throw new Error(`there is no account ${label}`);
  await app.deps.store.connections.setDefault(row, use, true);
}

interface Ended {
  error?: string;
  account?: string;
  accounts?: string[];
}
type Door = (method: string, account?: string) => Promise<Ended>;

const execution = (method: string, account?: string) => ({
  tool: 'posthog_request',
  args: { method, path: '/api/things' },
  ...(account === undefined ? {} : { account }),
});
const post = async (path: string, body: unknown) => {
  const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
  return (await app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};
const doors: Record<string, Door> = {
  'MCP, single': async (...asked) =>
    (await call(app, ana.keyHeader, 'execute_tools', { executions: execution(...asked) })).results[0],
  'MCP, batch': async (...asked) =>
    (await call(app, ana.keyHeader, 'execute_tools', { executions: [execution(...asked)] })).results[0],
  'REST, single': async (...asked) => post('/rest/posthog', execution(...asked)),
  'REST, batch': async (...asked) =>
    (await post('/rest/posthog', { executions: [execution(...asked)] })).results[0],
  'REST, address of the tool': async (method, account) => {
    const query = account === undefined ? '' : `?account=${encodeURIComponent(account)}`;
    return post(`/rest/posthog/posthog_request${query}`, execution(method).args);
  },
};

const rawCall = async (token: string, method: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${base}/c/posthog/api/things`, { method, headers });
  return { status: response.status, body: await response.json() };
};
const session = async (more: object = {}) =>
  call(app, ana.keyHeader, 'curl_session', { integrations: ['posthog'], ...more });

/** What a call without an account, or with one, ends in. `uses` is the label whose credential is sent. */
const CASES = [
  { what: 'a read without an account', method: 'GET', uses: 'work' },
  { what: 'a read with a default', method: 'GET', reads: 'home', uses: 'home' },
  { what: 'a write without an account', method: 'POST', error: 'AMBIGUOUS_ACCOUNT' },
  { what: 'a deletion without an account', method: 'DELETE', error: 'AMBIGUOUS_ACCOUNT' },
  { what: 'a write with a default for reads', method: 'POST', reads: 'home', error: 'AMBIGUOUS_ACCOUNT' },
  { what: 'a write with a default for writes', method: 'POST', writes: 'home', uses: 'home' },
  { what: 'a read with a default for writes', method: 'GET', writes: 'home', uses: 'work' },
  { what: 'a write that names its account', method: 'POST', named: 'club', uses: 'club' },
  { what: 'a label against the default', method: 'DELETE', writes: 'home', named: 'work', uses: 'work' },
  { what: 'an unknown label', method: 'GET', named: 'nobody', error: 'UNKNOWN_ACCOUNT' },
] satisfies Case[];
interface Case {
  what: string;
  method: string;
  reads?: string;
  writes?: string;
  named?: string;
  uses?: string;
  error?: string;
}
const LABELS = ['work', 'home', 'club'];

async function prepare({ reads, writes }: Case): Promise<void> {
  await connect(...LABELS);
  if (reads !== undefined) await setDefault(reads, 'reads');
  if (writes !== undefined) await setDefault(writes, 'writes');
}

describe.each(Object.entries(doors))('three accounts over %s', (_, run) => {
  it.each<Case>(CASES)('$what', async (asked) => {
    await prepare(asked);
    const ended = await run(asked.method, asked.named);
    if (asked.uses === undefined) {
      expect(ended).toMatchObject({ error: asked.error, accounts: LABELS });
      expect(sent).toEqual([]);
    } else {
      expect(ended.account).toBe(asked.uses);
      expect(sent).toEqual([`Bearer key-${asked.uses}`]);
    }
    await app.deps.audit.flush();
    const [row] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
    expect(row).toMatchObject({ account: asked.uses ?? null, error: asked.error ?? null });
  });

  it('one account answers to its label, without naming it', async () => {
    await connect('work');
    expect(await run('POST', 'work')).not.toHaveProperty('account');
    expect(await run('POST', 'home')).toMatchObject({ error: 'UNKNOWN_ACCOUNT', accounts: ['work'] });
    expect(sent).toEqual(['Bearer key-work']);
  });
});

describe('an integration without sign-in', () => {
  it.each([
    ['MCP', (body: object) => call(app, ana.keyHeader, 'execute_tools', { executions: [body] })],
    ['REST', (body: object) => post('/rest/time', { executions: [body] })],
  ])('has no accounts to name over %s', async (_, run) => {
    const tool = 'time_now';
    const { results } = await run({ tool, args: {}, account: 'work' });
    expect(results).toEqual([
      {
        error: 'UNKNOWN_ACCOUNT',
        integration: 'time',
        message: 'Time needs no sign-in, so it has no accounts. Leave "account" out of the call.',
        accounts: [],
      },
    ]);
    expect((await run({ tool, args: {} })).results[0]).toHaveProperty('result');
  });
});

describe('three accounts over /c', () => {
  it.each<Case>(CASES)('$what', async (asked) => {
    await prepare(asked);
    const { named } = asked;
    const issued = await session(named === undefined ? {} : { account: named });
    if (issued.token === undefined) {
      expect(issued).toMatchObject({ error: asked.error, accounts: LABELS });
      return;
    }
    const { status, body } = await rawCall(issued.token, asked.method);
    if (asked.uses === undefined) {
      expect({ status, body }).toMatchObject({ status: 409, body: { error: asked.error, accounts: LABELS } });
      expect(sent).toEqual([]);
    } else expect(sent).toEqual([`Bearer key-${asked.uses}`]);
  });

  it('a token for an account ends when that account is disconnected and connected again', async () => {
    await connect('work', 'home');
    const { token } = await session({ account: 'work' });
    await app.deps.store.connections.delete(ana.id, 'posthog', '');
    await connect('work');
    expect(await rawCall(token, 'GET')).toMatchObject({ status: 409, body: { error: 'NOT_CONNECTED' } });
    expect(sent).toEqual([]);
  });
});
