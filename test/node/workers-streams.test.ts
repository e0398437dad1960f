// Tests what stays open for long in a gateway of several processes: raw streams, waiting calls and the live view, also when
// the other process has the news, and when a process is killed meanwhile. decision: 010
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { useTools } from '../clients/use-tools.ts';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { openDoor, pidOf, type WorkerDoor } from '../support/each-worker.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { openRaw } from '../support/raw-stream.ts';
import { waitUntil } from '../support/wait.ts';
import { call } from '../support/mcp.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';

const MODERN = '2026-07-28';
const PIECES = 200;
const TIME = { tool: 'time_now', args: {} };
const LARGE_BYTES = 48 * 1024 * 1024;

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: World;
let upstream: HttpServer;
let site: Site;
let gateway: Gateway;
let doors: [WorkerDoor, WorkerDoor];
let owner: Person;
/** The answers of the upstream that are open, by their path. */
const flowing = new Map<string, ServerResponse>();
/** The bodies of the POST requests that were sent to the upstream as JSON. */
let posted: string[] = [];
/** The upstream answers no tool, and notes what it was asked. */
let isSilent = false;
const held: string[] = [];

beforeAll(async () => {
  world = await openWorld();
  upstream = await startHttpServer((request, response) => void serve(request, response));
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  if (path.startsWith('/echo')) {
    response.writeHead(200).flushHeaders();
    return void request.pipe(response);
  }
  if (path.startsWith('/emails') && isSilent) return void held.push(path);
  if (path.startsWith('/flow')) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    return void flowing.set(path, response);
  }
  const hash = createHash('sha256');
  let body = '';
  for await (const chunk of request) {
    hash.update(chunk);
    if (body.length < 10_000) body += chunk;
  }
  if (path.startsWith('/digest')) return void response.end(hash.digest('hex'));
  posted.push(body);
  response.setHeader('content-type', 'application/json').end('{"id":"sent"}');
}

/** The world's own upstream answers a whole body at once. */
function mapOf({ env }: World): string {
  const others = (env['UPSTREAM_MAP'] ?? '').split(',').filter((entry) => !entry.includes('resend'));
  return [...others, `https://api.resend.com=http://127.0.0.1:${upstream.port}`].join(',');
}

async function openGateway(env: Record<string, string>): Promise<void> {
  site = await openSite();
  gateway = await site.start({
    env: { ...world.env, UPSTREAM_MAP: mapOf(world), ...env, WORKERS: '2' },
  });
  await gateway.says('"worker":2');
  doors = [openDoor(gateway, 1), openDoor(gateway, 2)];
}

async function closeGateway(): Promise<void> {
  await Promise.all(doors.map((door) => door.close()));
  await site.close();
}

const frontOf = (door: WorkerDoor): Running => ({
  publicUrl: gateway.base,
  request: door.request,
  proxies: true,
  close: async () => {},
});

async function send(
  door: WorkerDoor,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
) {
  const response = await door.request(path, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** Connects the person and returns a token for raw HTTP. */
async function sessionOf(person: Person): Promise<string> {
  await send(doors[0], 'POST', '/api/auth/apikey/resend', { values: { apiKey: 're_1' } }, person.session);
  return (await call(frontOf(doors[0]), person.key, 'curl_session', { integrations: ['resend'] })).token;
}

/** Calls `wait_for_connection` and returns when the answer has begun. */
async function beginWait(door: WorkerDoor, key: Record<string, string>, connectionId: string) {
  const params = { name: 'wait_for_connection', arguments: { connectionId, timeoutSec: 50 } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await door.request('/mcp', { method: 'POST', headers: key, body });
  expect(response.status).toBe(200);
  return { answer: async () => textOf((await response.json()).result) };
}

function streamsRaw(): void {
  let token: string;
  beforeAll(async () => {
    token = await sessionOf(await world.person(frontOf(doors[0]), 'ana'));
  });

  it('passes small pieces on at once in both directions, in both processes at the same time', async () => {
    const talk = async (door: WorkerDoor) => {
      const raw = await openRaw(gateway, door, token, 'POST', '/echo');
      for (let piece = 0; piece < PIECES; piece++) {
        const text = `${door.worker} says ${piece}\n`;
        raw.write(text);
        expect(await raw.read(text.length)).toBe(text);
      }
      raw.end();
      expect(await raw.ended).toBeNull();
    };
    await Promise.all([...doors, ...doors].map(talk));
  });

  it('passes an event stream on event by event, in both processes at the same time', async () => {
    const paths = doors.map((door) => `/flow/${door.worker}`);
    const streams = await Promise.all(
      doors.map((door, at) => openRaw(gateway, door, token, 'GET', paths[at] ?? '')),
    );
    for (let event = 0; event < PIECES; event++)
      await Promise.all(
        streams.map(async (stream, at) => {
          const text = `data: ${event}\n\n`;
          flowing.get(paths[at] ?? '')?.write(text);
          expect(await stream.read(text.length)).toBe(text);
        }),
      );
    expect(streams.map(({ response }) => response.headers['content-type'])).toEqual([
      'text/event-stream',
      'text/event-stream',
    ]);
    for (const path of paths) flowing.get(path)?.end();
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([null, null]);
  });

  it('loses no byte of large bodies, in both processes and directions at the same time', async () => {
    const body = randomBytes(LARGE_BYTES);
    const digest = createHash('sha256').update(body).digest('hex');
    const headers = { authorization: `Bearer ${token}` };
    const up = async (door: WorkerDoor) =>
      (await door.request('/c/resend/digest', { method: 'POST', headers, body })).text();
    const round = async (door: WorkerDoor) => {
      const answer = await door.request('/c/resend/echo', { method: 'POST', headers, body });
      return createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex');
    };
    expect(await Promise.all(doors.flatMap((door) => [up(door), round(door)]))).toEqual(
      Array.from({ length: 4 }, () => digest),
    );
  });
}

function waitsForNews(): void {
  const pairs = () =>
    [
      [doors[0], doors[1]],
      [doors[1], doors[0]],
    ] as const;

  it('serves both generations of the SDK unmodified, in each process and over both', async () => {
    const { key } = await world.person(frontOf(doors[1]), 'cy');
    const address = new URL('/mcp', gateway.base);
    let turn = 0;
    const ways = [
      fetchOf(doors[0]),
      fetchOf(doors[1]),
      // Every request goes to the process that had not the last one.
      ((url, init) => fetchOf(doors[turn++ % 2] ?? doors[0])(url, init)) as typeof fetch,
      fetch,
    ];
    for (const way of ways) {
      const options = { fetch: way, requestInit: { headers: key } };
      const old = new OldClient({ name: 'test', version: '1.0.0' });
      await old.connect(new OldTransport(address, options) as never);
      await useTools(old);
      await old.close();
      for (const mode of ['legacy', { pin: MODERN }] as const) {
        const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(address, options));
        await useTools(client);
        await client.close();
      }
    }
  });

  it('begins to answer a wait at once, and ends it when the other process has the callback', async () => {
    const { key } = await world.person(frontOf(doors[0]), 'di');
    for (const [waits, called] of pairs()) {
      const asked = await call(frontOf(called), key, 'connect', { integration: 'github' });
      const waiting = await beginWait(waits, key, asked.connectionId);
      const state = new URL(asked.url).searchParams.get('state');
      const back = await called.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
      expect(back.status).toBe(302);
      const calledBack = performance.now();
      expect(await waiting.answer()).toEqual({ status: 'CONNECTED' });
      expect(performance.now() - calledBack).toBeLessThan(5_000);
      await send(called, 'DELETE', '/api/connections/github', undefined, key);
    }
  });

  it('runs a call once when the person approves it in the other process, for a client that waits and one that repeats', async () => {
    const { key, session } = await world.person(frontOf(doors[0]), 'ed');
    await send(doors[0], 'POST', '/api/auth/apikey/resend', { values: { apiKey: 're_1' } }, session);
    const rules = [{ tool: 'resend_send_email', decision: 'ask' }];
    await send(doors[1], 'PUT', '/api/policy', { rules }, session);
    const decide = (door: WorkerDoor, url: string) =>
      send(door, 'POST', `/api/approvals/${url.split('/').at(-1)}`, { decision: 'approve' }, session);
    const email = (subject: string) => ({
      name: 'execute_tools',
      arguments: {
        executions: [
          { tool: 'resend_send_email', args: { from: 'a@b.example', to: ['c@d.example'], subject } },
        ],
      },
    });
    for (const [asks, decides] of pairs()) {
      posted = [];
      const options = { fetch: fetchOf(asks), requestInit: { headers: key } };
      const client = new Client(
        { name: 'test', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: MODERN } }, capabilities: { elicitation: { url: {} } } },
      );
      let decided = Promise.resolve<unknown>(null);
      client.setRequestHandler('elicitation/create', ({ params }) => {
        // The client waits in its process before the person decides.
        if (params.mode === 'url') decided = delay(500).then(() => decide(decides, params.url));
        return { action: 'accept' as const };
      });
      await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.base), options));
      expect(textOf(await client.callTool(email(`waits ${asks.worker}`)))).toMatchObject({
        results: [{ result: { id: 'sent' } }],
      });
      expect(await decided).toMatchObject({ status: 200 });
      await client.close();

      const repeated = email(`repeats ${asks.worker}`);
      const { results } = await call(frontOf(asks), key, repeated.name, repeated.arguments);
      expect(results[0]).toMatchObject({ error: 'APPROVAL_REQUIRED' });
      expect(await decide(decides, results[0].approval.url)).toMatchObject({ status: 200 });
      const answers = await Promise.all(
        [...doors, ...doors, ...doors].map((door) =>
          call(frontOf(door), key, repeated.name, repeated.arguments),
        ),
      );
      expect(answers.filter((answer) => 'result' in answer.results[0])).toHaveLength(1);
      expect(posted.filter((body) => body.includes(`${asks.worker}`))).toHaveLength(2);
    }
  });

  it('shows a call of one process in the overview and the activity of the other', async () => {
    const { key, session } = await world.person(frontOf(doors[0]), 'flo');
    for (const [calls, shows] of pairs()) {
      const read = (path: string) => send(shows, 'GET', path, undefined, session);
      const before = (await read('/api/audit')).body.entries.length;
      await call(frontOf(calls), key, 'execute_tools', { executions: [TIME] });
      expect((await read('/api/audit')).body.entries).toHaveLength(before + 1);
    }
  });
}

const fetchOf = (door: WorkerDoor): typeof fetch =>
  ((url: URL, init?: RequestInit) => {
    const { pathname, search } = new URL(url);
    return door.request(pathname + search, init);
  }) as typeof fetch;

function textOf(result: unknown) {
  const { content } = result as { content: { text: string }[] };
  return JSON.parse(content[0]?.text ?? '');
}

function keepsOtherStreams(): void {
  it('ends what a killed process held at once, and disturbs nothing of the other', async () => {
    const gus = await world.person(frontOf(doors[0]), 'gus');
    const token = await sessionOf(gus);
    const [first, second] = doors;
    const dying = await openRaw(gateway, second, token, 'GET', '/flow/dying');
    const living = await openRaw(gateway, first, token, 'POST', '/echo');
    const asked = await call(frontOf(first), gus.key, 'connect', { integration: 'github' });
    const wait = (door: WorkerDoor) => beginWait(door, gus.key, asked.connectionId);
    const lost = await wait(second);
    const kept = await wait(first);
    flowing.get('/flow/dying')?.write('first');
    await dying.read(5);
    const before = pidOf(gateway, 2);
    process.kill(before, 'SIGKILL');
    expect(await dying.ended).toMatchObject({ code: 'ECONNRESET' });
    await expect(lost.answer()).rejects.toThrow('terminated');
    living.write('still here');
    expect(await living.read(10)).toBe('still here');
    await expect.poll(() => pidOf(gateway, 2), { timeout: 20_000 }).not.toBe(before);
    // The client waits again, in the process that has replaced the killed one.
    const again = await wait(second);
    const state = new URL(asked.url).searchParams.get('state');
    await first.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
    expect(await Promise.all([kept.answer(), again.answer()])).toEqual([
      { status: 'CONNECTED' },
      { status: 'CONNECTED' },
    ]);
    living.end();
    expect(await living.ended).toBeNull();
  });
}

function countsTogether(): void {
  it('counts the calls of a minute in both processes together', async () => {
    const [first, second] = doors;
    const { session } = await world.person(frontOf(first), 'jo');
    const perMinute = 20;
    const made = await send(first, 'POST', '/api/agent-keys', { name: 'few calls', perMinute }, session);
    const key = { 'x-service-api-key': made.body.key };
    const isRefused = async (door: WorkerDoor) => {
      const { results } = await call(frontOf(door), key, 'execute_tools', { executions: [TIME] });
      return results[0].error === 'TOO_MANY_CALLS';
    };
    const countUntilRefused = async (door: WorkerDoor) => {
      let count = 0;
      while (!(await isRefused(door))) count++;
      return count;
    };
    // The counts begin again with each minute of the clock.
    await expect.poll(() => Date.now() % 60_000).toBeLessThan(45_000);
    const allowed = await countUntilRefused(first);
    const further = await countUntilRefused(second);
    expect(allowed).toBe(perMinute);
    // The other process hears of the last calls a few milliseconds later.
    expect(further).toBeLessThan(perMinute / 2);
  });
}

function endsWithAccess(): void {
  it('ends the streams of a process when the other one ends the access of their person', async () => {
    const [first, second] = doors;
    // The first person of a gateway administers it.
    const hal = await world.person(frontOf(first), 'hal');
    const token = await sessionOf(hal);
    const asked = await call(frontOf(first), hal.key, 'connect', { integration: 'github' });
    const stream = await openRaw(gateway, first, token, 'GET', '/flow/ending');
    const waiting = await beginWait(first, hal.key, asked.connectionId);
    const { body } = await send(second, 'GET', '/api/admin/people?query=hal', undefined, owner.session);
    const path = `/api/admin/people/${body.people[0].id}`;
    expect(await send(second, 'PATCH', path, { disabled: true }, owner.session)).toMatchObject({
      status: 200,
    });
    const disabledAt = performance.now();
    expect(await stream.ended).toMatchObject({ code: 'ECONNRESET' });
    await expect(waiting.answer()).rejects.toThrow();
    expect(performance.now() - disabledAt).toBeLessThan(5_000);
  });
}

function losesNoRun(): void {
  it('finds an approved call that was lost with its process within a minute, and does not repeat it', async () => {
    const [first, second] = doors;
    const { key, session } = await world.person(frontOf(first), 'ida');
    await send(first, 'POST', '/api/auth/apikey/resend', { values: { apiKey: 're_1' } }, session);
    const rules = [{ tool: 'resend_send_email', decision: 'ask' }];
    await send(first, 'PUT', '/api/policy', { rules }, session);
    const args = { from: 'a@b.example', to: ['c@d.example'], subject: 'once' };
    const run = (door: WorkerDoor) =>
      call(frontOf(door), key, 'execute_tools', { executions: [{ tool: 'resend_send_email', args }] });
    const { id } = (await run(first)).results[0].approval;
    await send(first, 'POST', `/api/approvals/${id}`, { decision: 'approve' }, session);
    isSilent = true;
    const lost = run(second).catch((error: unknown) => error);
    await waitUntil(
      'the call',
      () => held.length === 1,
      () => held,
    );
    const before = pidOf(gateway, 2);
    process.kill(before, 'SIGKILL');
    const killedAt = performance.now();
    expect(await lost).toBeInstanceOf(TypeError);
    const stateOf = async () =>
      (await send(first, 'GET', `/api/approvals/${id}`, undefined, session)).body.state;
    expect(await stateOf()).toBe('running');
    expect((await run(first)).results[0].message).toContain('running already');
    await expect.poll(stateOf, { timeout: 60_000, interval: 500 }).toBe('unknown');
    expect(performance.now() - killedAt).toBeLessThan(60_000);
    expect((await run(first)).results[0].message).toContain(
      'It is not known whether the same call took effect before',
    );
    expect(held).toHaveLength(1);
    isSilent = false;
    held.length = 0;
    await expect.poll(() => pidOf(gateway, 2)).not.toBe(before);
  }, 100_000);
}

function suite(): void {
  beforeAll(async () => {
    owner = await world.person(frontOf(doors[0]), 'owner');
  });
  endsWithAccess();
  countsTogether();
  streamsRaw();
  waitsForNews();
  keepsOtherStreams();
}

describe('streams over two workers on SQLite', () => {
  beforeAll(() => openGateway({}));
  afterAll(closeGateway);
  suite();
});

await describeService('streams over two workers on PostgreSQL and Redis', postgresUrl(), () => {
  let schema: PostgresSchema;
  beforeAll(async () => {
    schema = await createPostgresSchema();
    await openGateway({ DATABASE_URL: schema.url, PENDING_STORE: redisUrl() });
  });
  afterAll(async () => {
    await closeGateway();
    await schema.drop();
  });
  // It waits 45 s for the end of the run's lease, so it runs on one store.
  losesNoRun();
  suite();
});
