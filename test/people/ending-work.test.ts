// Tests that everything that runs for a person ends when their access does, and that nothing of others does.
// reference: People; decision: 018
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRunningWork } from '../../src/auth/running-work.ts';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createNodeDigest } from '../../drivers/system/node-digest.ts';
import { createApp } from '../../src/app.ts';
import { createAccess } from '../../src/people/access.ts';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { fixtures } from '../support/fixtures.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { official, openServers } from '../support/local-servers.ts';
import { openMcpClients } from '../support/mcp-clients.ts';
import { call, modernHeaders, modernMeta } from '../support/mcp.ts';
import { PROVIDER, userWithRole } from '../support/people.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const ENDED = 'Your access to this gateway has ended';
const MAYBE = `${ENDED}. The call had begun, and may have taken effect`;

let upstream: HttpServer;
let app: TestApp;
let [owner, ana, bea]: TestUser[] = [];
let waiting: ServerResponse[];

beforeAll(async () => {
  upstream = await startHttpServer((_, response) => void waiting.push(response));
});
afterAll(() => upstream.close());

beforeEach(async () => {
  waiting = [];
  const url = `http://127.0.0.1:${upstream.port}/`;
  const slow = defineIntegration({
    name: 'slow',
    version: '1',
    displayName: 'Slow',
    description: 'Takes its time',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'slow_read',
        'Reads',
        () => ({}),
        async (_, { fetch }) => (await fetch(url)).text(),
      ),
      tool(
        'slow_write',
        'Writes twice',
        () => ({}),
        async (_, { fetch }) => {
          await fetch(url, { method: 'POST' }).catch(() => {});
          return (await fetch(url, { method: 'POST' })).text();
        },
        'write',
      ),
    ],
  });
  app = await createTestApp({
    env: { ...PROVIDER, UPSTREAM_MAP: `https://vaulted.example=http://127.0.0.1:${upstream.port}` },
    ports: { integrations: [slow, ...fixtures] },
  });
  owner = await userWithRole(app, 'owner@example.com', 'owner');
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
});
afterEach(() => app.close());

const required = (user: TestUser | undefined): TestUser => {
  if (user === undefined) throw new Error('nobody');
  return user;
};

async function setDisabled(disabled: boolean): Promise<void> {
  const response = await app.request(`/api/admin/people/${required(ana).id}`, {
    method: 'PATCH',
    headers: { ...required(owner).sessionHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ disabled }),
  });
  expect(response.status).toBe(200);
}
const disable = () => setDisabled(true);

/** Ends the access as another process does: this one only finds it in the store. */
async function disableElsewhere(): Promise<void> {
  const { id } = required(ana);
  const before = app.clock.now();
  const ending = { person: app.deps.digest.sha256(id), before, expires_at: before + 100_000 };
  await app.deps.store.people.disable(id, ending);
  app.clock.advance(1);
}

const items = (tools: readonly string[]) => tools.map((name) => ({ tool: name, args: {} }));
const json = { 'content-type': 'application/json' };

const rest = (tools: readonly string[], user = ana) =>
  app.request('/rest/slow', {
    method: 'POST',
    headers: { ...required(user).keyHeader, ...json },
    body: JSON.stringify({ executions: items(tools) }),
  });

const single = (name: string, user = ana) =>
  app.request(`/rest/slow/${name}`, {
    method: 'POST',
    headers: { ...required(user).sessionHeader, ...json },
    body: '{}',
  });

const mcp = (tools: readonly string[], headers: Record<string, string> = {}, meta: object = {}) =>
  app.request('/mcp', {
    method: 'POST',
    headers: { ...required(ana).keyHeader, ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...meta, name: 'execute_tools', arguments: { executions: items(tools) } },
    }),
  });
const modern = (tools: readonly string[]) =>
  mcp(tools, modernHeaders('tools/call', 'execute_tools'), { _meta: modernMeta });

async function resultsOf(response: Response): Promise<unknown[]> {
  const body = await response.json();
  return (body.results ?? JSON.parse(body.result.content[0].text).results) as unknown[];
}

/** Resolves when this many requests are at the upstream. */
const atUpstream = (count: number) => expect.poll(() => waiting.length).toBe(count);
const leftUpstream = (count: number) =>
  expect.poll(() => waiting.filter(({ destroyed }) => destroyed).length).toBe(count);

async function audited(user = ana) {
  await app.deps.audit.flush();
  return app.deps.store.audit.list({ user_id: required(user).id, limit: 50 });
}

describe('executions of a person who is disabled', () => {
  it('leave open how an approved write ended that was sent', async () => {
    const asAna = (method: string, path: string, body: object) =>
      app.request(path, {
        method,
        headers: { ...required(ana).sessionHeader, ...json },
        body: JSON.stringify(body),
      });
    await asAna('PUT', '/api/policy', { rules: [{ tool: 'slow_write', decision: 'ask' }] });
    const [asked] = (await resultsOf(await rest(['slow_write']))) as { approval: { id: string } }[];
    await asAna('POST', `/api/approvals/${asked?.approval.id}`, { decision: 'approve' });
    const answer = rest(['slow_write']);
    await atUpstream(1);
    await disable();
    expect(await resultsOf(await answer)).toEqual([expect.objectContaining({ message: MAYBE })]);
    const rows = await app.deps.store.approvals.list({ user_id: required(ana).id, limit: 10 });
    expect(rows).toEqual([expect.objectContaining({ id: asked?.approval.id, state: 'unknown' })]);
  });

  it.each([
    ['a batch over REST', rest],
    ['a batch over MCP', (tools: readonly string[]) => mcp(tools)],
    ['a batch over MCP of 2026-07-28', modern],
  ])('%s: everything under way ends and nothing else begins', async (_, send) => {
    const tools = [
      ...Array.from({ length: 8 }, (__, n) => (n === 0 ? 'slow_write' : 'slow_read')),
      'slow_write',
    ];
    const answer = send(tools);
    await atUpstream(8);
    await disable();
    const results = await resultsOf(await answer);
    const ended = { error: 'ACCESS_ENDED', integration: 'slow', message: ENDED };
    expect(results).toEqual(tools.map((__, n) => (n === 0 ? { ...ended, message: MAYBE } : ended)));
    await leftUpstream(8);
    expect(waiting).toHaveLength(8);
    const rows = await audited();
    expect(rows).toHaveLength(9);
    for (const row of rows) expect(row).toMatchObject({ success: false, error: 'ACCESS_ENDED' });
    expect(rows.map(({ tool: name, outcome }) => `${name} ${outcome}`).toSorted()).toEqual([
      ...Array.from({ length: 7 }, () => 'slow_read error'),
      'slow_write error',
      'slow_write unknown',
    ]);
  });

  it.each([
    ['slow_read', ENDED],
    ['slow_write', MAYBE],
  ])('a single %s over REST answers 401', async (name, message) => {
    const answer = single(name);
    await atUpstream(1);
    await disable();
    const response = await answer;
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      error: 'ACCESS_ENDED',
      integration: 'slow',
      tool: name,
      message,
    });
    await leftUpstream(1);
    expect(await audited()).toHaveLength(1);
  });

  it('ends when another process has disabled the person', async () => {
    const answers = [single('slow_read'), single('slow_write'), mcp(['slow_read'])];
    await atUpstream(3);
    await disableElsewhere();
    await Promise.all(answers);
    await leftUpstream(3);
    expect(await audited()).toHaveLength(3);
  });

  it('leaves the calls of everybody else alone', async () => {
    const mine = single('slow_read');
    const others = [single('slow_read', bea), rest(['slow_write'], bea)];
    await atUpstream(3);
    await disableElsewhere();
    await mine;
    await leftUpstream(1);
    for (const response of waiting) response.end('done');
    // The write sends a second request.
    await atUpstream(4);
    for (const response of waiting) response.end('done');
    for (const answer of others) expect((await answer).status).toBe(200);
    expect((await audited(bea)).map(({ success }) => success)).toEqual([true, true]);
  });

  it('begins nothing when the access ends while the body of the request is read', async () => {
    const body = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = body.writable.getWriter();
    const answer = app.request('/rest/slow', {
      method: 'POST',
      headers: { ...required(ana).keyHeader, ...json },
      body: body.readable,
      duplex: 'half',
    } as RequestInit);
    await writer.write(new TextEncoder().encode('{"tool":"slow_write",'));
    await disable();
    await writer.write(new TextEncoder().encode('"args":{}}'));
    await writer.close();
    expect((await answer).status).toBe(401);
    expect(waiting).toHaveLength(0);
  });

  it('lets a person who was enabled again work as before', async () => {
    const answer = single('slow_read');
    await atUpstream(1);
    await disable();
    await answer;
    await setDisabled(false);
    app.clock.advance(1);
    const session = await app.deps.sessions.issue(required(ana));
    const again = { ...required(ana), sessionHeader: { authorization: `Bearer ${session}` } };
    const next = single('slow_read', again);
    await atUpstream(2);
    // The list is looked at meanwhile, and holds the ending that is over.
    await app.deps.runningWork.check();
    waiting[1]?.end('read');
    expect(await (await next).json()).toMatchObject({ result: 'read' });
  });

  it('ends what runs for a person who deletes themselves, and tells them', async () => {
    const answer = single('slow_read');
    await atUpstream(1);
    const { status } = await app.request('/api/me', {
      method: 'DELETE',
      headers: { ...required(ana).sessionHeader, ...json },
      body: JSON.stringify({ email: required(ana).email }),
    });
    expect(status).toBe(202);
    expect((await answer).status).toBe(401);
  });
});

describe('other work of a person who is disabled', () => {
  it('ends wait_for_connection with an error in its stream', async () => {
    // The other clock of these tests does not wait.
    const real = await createTestApp({ env: PROVIDER, ports: { clock: createSystemClock(setImmediate) } });
    const cy = await real.user('cy@example.com');
    const { connectionId } = await call(real, cy.keyHeader, 'connect', { integration: 'github' });
    const response = await real.request('/mcp', {
      method: 'POST',
      headers: cy.keyHeader,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait_for_connection', arguments: { connectionId, timeoutSec: 900 } },
      }),
    });
    await createAccess(real.deps).disable(cy.id);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32001, message: ENDED },
    });
    await real.close();
  });

  it('answers 401 to a request of the portal that still runs', async () => {
    const answer = app.request('/api/imports/preview', {
      method: 'POST',
      headers: { ...required(ana).sessionHeader, ...json },
      body: JSON.stringify({ address: `http://127.0.0.1:${upstream.port}/openapi.json` }),
    });
    await expect.poll(() => waiting.length).toBeGreaterThan(0);
    await disable();
    const response = await answer;
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: 'ACCESS_ENDED', message: ENDED });
  });

  it('cuts an upload of a file and of a jot, and takes their tokens no more', async () => {
    const offers = await call(app, required(ana).keyHeader, 'execute_tools', {
      executions: [
        { tool: 'upload_file', args: {} },
        { tool: 'upload_file', args: {} },
        { tool: 'deploy_jot', args: { name: 'first' } },
        { tool: 'deploy_jot', args: { name: 'second' } },
      ],
    });
    const paths: string[] = offers.results.map(
      ({ result }: { result: { uploadUrl: string } }) => new URL(result.uploadUrl).pathname,
    );
    const [file = '', nextFile = '', jot = '', nextJot = ''] = paths;
    const begin = (path: string) => {
      const body = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
      const init = { method: 'POST', body: body.readable, duplex: 'half' } as RequestInit;
      return { answer: app.request(path, init), written: body.writable.getWriter().write(new Uint8Array(1)) };
    };
    const uploads = [begin(file), begin(jot)];
    await Promise.all(uploads.map(({ written }) => written));
    await expect.poll(() => app.deps.runningWork.count(required(ana).id)).toBe(2);
    await disable();
    for (const { answer } of uploads) {
      const response = await answer;
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ error: 'ACCESS_ENDED' });
    }
    for (const path of [nextFile, nextJot])
      expect((await app.request(path, { method: 'POST', body: new Uint8Array(8) })).status).toBe(404);
  });

  it.each([
    ['a kept file', async () => `/f/${(await keepFile()).handle}`],
    ['the export of the person', async () => '/api/me/export'],
  ])('cuts the download of %s', async (_, pathOf) => {
    const path = await pathOf();
    const response = await app.request(path, { headers: required(ana).sessionHeader });
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    await disable();
    await expect(
      (async () => {
        for (;;) if ((await reader?.read())?.done !== false) return 'whole';
      })(),
    ).rejects.toThrow(ENDED);
    expect(app.deps.runningWork.count(required(ana).id)).toBe(0);
  });

  async function keepFile() {
    const bytes = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        controller.enqueue(new Uint8Array(512 * 1024));
        if (++pulled === 8) controller.close();
      },
    });
    let pulled = 0;
    return app.deps.files.save(required(ana).id, bytes, { name: 'large', mimeTypes: [] });
  }

  it('ends what is held for the person, at the latest in the round of maintenance', async () => {
    const ended: string[] = [];
    const { runningWork } = app.deps;
    runningWork.hold(required(ana).id, () => ended.push('ana'));
    runningWork.hold(required(bea).id, () => ended.push('bea'));
    await disableElsewhere();
    await maintainOnce(app.deps);
    expect(ended).toEqual(['ana']);
  });
});

describe('/c for a person who is disabled', () => {
  let base: string;
  let headers: Record<string, string>;
  let close: () => Promise<void>;
  beforeEach(async () => {
    const { deps } = app;
    await deps.vault.save(required(ana).id, 'vaulted', { accessToken: 'upstream-token' });
    const proxy = createCurlProxy(deps);
    const beside = { proxy, jotFiles: createJotFiles(deps), clock: deps.clock };
    const server = await serve(createApp(deps).fetch, beside, 0);
    base = `http://127.0.0.1:${server.port}`;
    const session = await call(app, required(ana).keyHeader, 'curl_session', { integrations: ['vaulted'] });
    headers = { authorization: `Bearer ${session.token}` };
    close = async () => {
      await server.stop();
      await proxy.close();
    };
  });
  afterEach(() => close());

  it('answers 401 to a request that waits for its upstream, and notes a write as unknown', async () => {
    const answers = ['GET', 'POST'].map((method) => fetch(`${base}/c/vaulted/x`, { method, headers }));
    await atUpstream(2);
    await disable();
    for (const answer of answers) {
      const response = await answer;
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: 'ACCESS_ENDED', message: ENDED });
    }
    await leftUpstream(2);
    const rows = (await audited()).filter(({ action }) => action === 'CURL');
    expect(rows.map(({ tool: name, error, outcome }) => `${name} ${error} ${outcome}`).toSorted()).toEqual([
      'GET /x ACCESS_ENDED error',
      'POST /x ACCESS_ENDED unknown',
    ]);
    expect((await fetch(`${base}/c/vaulted/x`, { headers })).status).toBe(401);
  });

  it('cuts a response that streams', async () => {
    const answer = fetch(`${base}/c/vaulted/x`, { headers });
    await atUpstream(1);
    waiting[0]?.writeHead(200);
    waiting[0]?.write('the first part');
    const response = await answer;
    const whole = expect(response.text()).rejects.toThrow();
    await disableElsewhere();
    await whole;
    await leftUpstream(1);
    await expect
      .poll(async () => (await audited()).filter(({ action }) => action === 'CURL'))
      .toMatchObject([{ success: false, error: 'ACCESS_ENDED', outcome: 'error' }]);
  });

  it('cuts an upload', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        await delay(5);
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const init = { method: 'PUT', headers, body, duplex: 'half' } as RequestInit;
    const answer = fetch(`${base}/c/vaulted/x`, init).then(
      ({ status }) => status,
      () => 'cut',
    );
    await atUpstream(1);
    const closed = once(waiting[0] as ServerResponse, 'close');
    await disable();
    expect([401, 'cut']).toContain(await answer);
    await closed;
  });
});

describe('the session of a person with a local server', () => {
  it('ends with their access, also during a call, and that of another person goes on', async () => {
    const { localServers, close } = await openServers({
      everything: { ...official('everything'), shared: false },
    });
    const held = new Map<string, () => void>();
    const { clients, reach, ...stand } = openMcpClients({
      localServers,
      hold: (userId, onEnded) => {
        held.set(userId, onEnded);
        return () => held.delete(userId);
      },
    });
    const list = (userId: string) => clients.list(reach('stdio:everything', { key: `import ${userId}  ` }));
    await list('ana');
    await list('bea');
    expect([...held.keys()]).toEqual(['ana', 'bea']);
    held.get('ana')?.();
    // The session is let go when its process has ended.
    await expect.poll(() => [...held.keys()]).toEqual(['bea']);
    expect((await list('bea')).tools.length).toBeGreaterThan(0);
    await stand.close();
    expect(held.size).toBe(0);
    await close();
  });
});

describe('the register of running work', () => {
  it('looks at the list for each request alone where timers end with their request', async () => {
    const clock = createFakeClock();
    const list = new Map<string, number>();
    const work = createRunningWork({
      clock,
      digest: createNodeDigest(),
      log: { shows: () => false, write: () => {} },
      endings: { list: async () => list },
      isIsolated: true,
    });
    work.begin('ana').end();
    const running = work.begin('ana');
    list.set(createNodeDigest().sha256('ana'), clock.now());
    await expect.poll(() => running.ended.aborted).toBe(true);
    running.end();
  });

  it('reads no list for work that ends at once, and one for everybody while something runs', async () => {
    let reads = 0;
    const clock = createFakeClock();
    const lists: Map<string, number>[] = [new Map()];
    const work = createRunningWork({
      clock,
      digest: createNodeDigest(),
      log: { shows: () => false, write: () => {} },
      endings: { list: async () => (reads++, lists.at(-1) ?? new Map()) },
    });
    for (let n = 0; n < 1000; n++) work.begin('ana').end();
    expect(reads).toBe(0);
    const running = ['ana', 'bea', 'cy'].map((id) => work.begin(id));
    lists.push(new Map([[createNodeDigest().sha256('bea'), clock.now()]]));
    await expect.poll(() => running.map(({ ended }) => ended.aborted)).toEqual([false, true, false]);
    expect(reads).toBe(1);
    for (const each of running) each.end();
  });

  it('ends followed work as it ends work with a signal, until the work is over', () => {
    const work = createRunningWork({
      clock: createFakeClock(),
      digest: createNodeDigest(),
      log: { shows: () => false, write: () => {} },
      endings: { list: async () => new Map() },
    });
    const ended: string[] = [];
    const leave = work.follow('ana', () => ended.push('over'));
    work.follow('ana', () => ended.push('running'));
    leave();
    work.stop('ana', { person: createNodeDigest().sha256('ana'), before: 1 });
    expect([ended, work.count('ana')]).toEqual([['running'], 1]);
  });

  it('ends no work for an ending that was over before the work began', async () => {
    const clock = createFakeClock();
    const work = createRunningWork({
      clock,
      digest: createNodeDigest(),
      log: { shows: () => false, write: () => {} },
      endings: { list: async () => new Map([[createNodeDigest().sha256('ana'), clock.now() - 60]]) },
    });
    const running = work.begin('ana');
    await work.check();
    await work.check();
    expect(running.ended.aborted).toBe(false);
    running.end();
  });
});
