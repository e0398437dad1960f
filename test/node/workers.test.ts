// Tests WORKERS: several processes behind one port, any of them killed under load. decision: 010
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openWorld, type Person, type Running, type World } from '../contracts/app/world.ts';
import { browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { createViewer } from '../support/live-viewer.ts';
import { call } from '../support/mcp.ts';
import {
  createPostgresSchema,
  describeService,
  type PostgresSchema,
  postgresUrl,
  redisUrl,
} from '../support/services.ts';
import { beginUpload, untilRefused } from './connections.ts';

const CLIENTS = 6;
/** The acknowledged calls before a process is killed. */
const ENOUGH = 120;
const EXECUTIONS = [{ tool: 'time_now', args: {} }];
/** Any worker may get a new connection. */
const NEW_CONNECTION = { connection: 'close' };

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

let site: Site;
let gateway: Gateway;
let front: Running;
let ana: Person;

async function open(env: Record<string, string>): Promise<void> {
  site = await openSite();
  gateway = await site.start({ env: { ...world.env, ...env, WORKERS: '2' } });
  await gateway.says('"worker":2');
  front = {
    publicUrl: gateway.base,
    request: (path, init) => gateway.request(path, { redirect: 'manual', ...init }),
    proxies: true,
    close: async () => {},
  };
  ana = await world.person(front, 'ana');
}

interface Line {
  event: string;
  worker?: number;
  pid?: number;
  signal?: string;
  startsInMs?: number;
}

const linesOf = (event: string): Line[] =>
  gateway.output.stdout
    .split('\n')
    // The last line may not be complete.
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line): Line => JSON.parse(line))
    .filter((line) => line.event === event);

const startsOf = (worker: number) => linesOf('listening').filter((line) => line.worker === worker);

function killWorker(worker: number): void {
  const pid = startsOf(worker).at(-1)?.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

/** Adds up the series that match, for each worker. */
async function figures(series: RegExp): Promise<[number, number]> {
  const page = await (await gateway.request('/metrics', { headers: NEW_CONNECTION })).text();
  const sumOf = (worker: number) =>
    page
      .split('\n')
      .filter((line) => line.includes(`{worker="${worker}"`) && series.test(line))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  return [sumOf(1), sumOf(2)];
}

/** Repeats the request until both processes have answered it. The metrics count each of them once. */
async function untilBoth(ask: () => Promise<unknown>, series: RegExp): Promise<boolean> {
  for (let asked = 1; asked <= 40; asked++) {
    await ask();
    const [first, second] = await figures(series);
    expect(first + second).toBe(asked);
    if (Math.min(first, second) > 0) return true;
  }
  return false;
}

function answersInBothProcesses(): void {
  it('prints one banner, and answers calls in both processes', async () => {
    expect(gateway.output.stdout.match(/Tool gateway/g)).toHaveLength(1);
    const execute = () =>
      call(front, { ...ana.key, ...NEW_CONNECTION }, 'execute_tools', { executions: EXECUTIONS });
    expect(await untilBoth(execute, /^service_executions_total/)).toBe(true);
  });

  it('streams raw HTTP in both processes', async () => {
    await front.request('/api/auth/apikey/resend', {
      method: 'POST',
      headers: { ...ana.session, 'content-type': 'application/json' },
      body: JSON.stringify({ values: { apiKey: 're_1' } }),
    });
    const { token } = await call(front, ana.key, 'curl_session', { integrations: ['resend'] });
    const headers = { authorization: `Bearer ${token}`, ...NEW_CONNECTION };
    const body = 'x'.repeat(300_000);
    const stream = async () => {
      const answer = await front.request('/c/resend/emails?limit=300', { method: 'POST', headers, body });
      expect((await answer.json()).data).toHaveLength(300);
      expect(world.calls.at(-1)?.body).toBe(body);
    };
    expect(await untilBoth(stream, /^service_http_requests_total.*route="\/c\//)).toBe(true);
  });
}

/** Calls without a pause while the workers are killed, one after the other. */
async function killUnderLoad(key: Record<string, string>, workers: readonly number[]) {
  const counts = { sent: 0, acknowledged: 0, lost: 0 };
  const killed: number[] = [];
  const isWhole = () => killed.every((worker) => startsOf(worker).length === 2);

  function killWhenDue(): void {
    const next = workers[killed.length];
    if (next === undefined || counts.acknowledged < ENOUGH * (killed.length + 1) || !isWhole()) return;
    killed.push(next);
    killWorker(next);
  }

  async function callOnAndOn(): Promise<void> {
    while (killed.length < workers.length || !isWhole()) {
      killWhenDue();
      counts.sent++;
      try {
        const { results } = await call(front, key, 'execute_tools', { executions: EXECUTIONS });
        expect(results).toHaveLength(1);
        counts.acknowledged++;
      } catch (error) {
        // The connection broke. Anything else is a wrong answer.
        if (!(error instanceof TypeError)) throw error;
        counts.lost++;
      }
    }
  }

  await Promise.all(Array.from({ length: CLIENTS }, callOnAndOn));
  return counts;
}

async function countRows(headers: Record<string, string>): Promise<number> {
  let rows = 0;
  for (let path = '/api/audit'; ;) {
    const { entries, nextCursor } = await (await front.request(path, { headers })).json();
    rows += entries.length;
    if (nextCursor === undefined) return rows;
    path = `/api/audit?cursor=${nextCursor}`;
  }
}

function survivesKills(workers: readonly number[]): void {
  it('loses no acknowledged row when a process is killed under load, and replaces it', async () => {
    const { key, session } = await world.person(front, 'bo');
    const { sent, acknowledged, lost } = await killUnderLoad(key, workers);
    // A client loses its call in the killed process, and perhaps a connection that was being handed to it.
    expect(lost).toBeLessThanOrEqual(2 * workers.length * CLIENTS);
    const rows = await countRows(session);
    expect(rows).toBeGreaterThanOrEqual(acknowledged);
    expect(rows).toBeLessThanOrEqual(sent);
    expect(linesOf('worker ended')).toMatchObject(workers.map((worker) => ({ worker, signal: 'SIGKILL' })));
    expect(gateway.output.stdout.match(/Tool gateway/g)).toHaveLength(1);
  });
}

function endsWithOneSignal(): void {
  it('ends both processes with SIGTERM, after the request in flight; a second one changes nothing', async () => {
    const apiKey = ana.key['x-service-api-key'] ?? '';
    const upload = await beginUpload({ ...gateway, apiKey, portalLink: '', session: '' });
    gateway.signal('SIGTERM', 'group');
    await untilRefused(gateway);
    gateway.signal('SIGTERM');
    expect(await upload.finish()).toMatchObject({ status: 200, result: { tools: expect.any(Array) } });
    expect(await gateway.exited).toEqual({ code: 0, signal: null });
    expect(gateway.hasProcesses()).toBe(false);
    expect(browserProcesses(site.dataDir)).toEqual([]);
    expect(linesOf('stopped')).toHaveLength(2);
  });
}

describe('two workers on SQLite', () => {
  beforeAll(() => open({}));
  afterAll(() => site.close());

  answersInBothProcesses();

  it('answers /metrics for both processes at each of them', async () => {
    for (let n = 0; n < 2; n++) {
      expect(await figures(/^service_worker_up/)).toEqual([1, 1]);
      const memory = await figures(/^process_resident_memory_bytes/);
      expect(Math.min(...memory)).toBeGreaterThan(0);
      expect(memory[0]).not.toBe(memory[1]);
    }
    const page = await (await gateway.request('/metrics')).text();
    const heads = page.match(/^# TYPE \S+/gm);
    expect(new Set(heads).size).toBe(heads?.length);
  });

  it('tells an agent that waits about a callback, whichever process handles it', async () => {
    const asked = await call(front, ana.key, 'connect', { integration: 'github' });
    const wait = { connectionId: asked.connectionId, timeoutSec: 40 };
    const waiting = call(front, { ...ana.key, ...NEW_CONNECTION }, 'wait_for_connection', wait);
    const state = new URL(asked.url).searchParams.get('state');
    const path = `/api/auth/plugin/github/callback?code=c&state=${state}`;
    expect((await front.request(path, { headers: NEW_CONNECTION })).status).toBe(302);
    expect(await waiting).toEqual({ status: 'CONNECTED' });
  });

  describeInChromium('the live view', () => {
    it('shows a person one browser, whichever process is asked', async () => {
      const sessionHeader = { authorization: ana.session['authorization'] ?? '', ...NEW_CONNECTION };
      const bridge = { base: gateway.base, origin: gateway.base };
      const viewer = createViewer(bridge, { sessionHeader });
      const stream = await viewer.open();
      for (let n = 0; n < 16; n++)
        expect((await viewer.ask(stream, 'Page.getLayoutMetrics')).result).toBeDefined();
      const [first, second] = await figures(/^service_http_requests_total.*cdp/);
      expect(first).toBeGreaterThanOrEqual(17);
      expect(second).toBe(0);
      expect((await viewer.post('detach')).status).toBe(204);
      expect(await stream.closed).toBe('detached');
    });
  });

  survivesKills([2, 1]);

  it('answers 503 for the live view until its process is replaced, which takes longer each time', async () => {
    killWorker(1);
    const statuses: number[] = [];
    const attach = () =>
      front.request('/api/browser-session/cdp/attach', {
        method: 'POST',
        headers: { ...ana.session, ...NEW_CONNECTION, origin: gateway.base },
      });
    // The connection may be in the process that was killed.
    while (startsOf(1).length < 3) statuses.push((await attach().catch(() => null))?.status ?? 0);
    expect(statuses).toContain(503);
    expect((await attach()).status).toBe(201);
    const [first, second] = linesOf('worker ended').filter(({ worker }) => worker === 1);
    expect(second?.startsInMs).toBeGreaterThan(first?.startsInMs ?? Infinity);
  });

  endsWithOneSignal();
});

await describeService('two workers on PostgreSQL and Redis', postgresUrl(), () => {
  let schema: PostgresSchema;
  beforeAll(async () => {
    schema = await createPostgresSchema();
    await open({ DATABASE_URL: schema.url, PENDING_STORE: redisUrl() });
  });
  afterAll(async () => {
    await site.close();
    await schema.drop();
  });

  answersInBothProcesses();
  survivesKills([1]);
  endsWithOneSignal();
});

describe('a primary', () => {
  beforeAll(async () => {
    site = await openSite();
  });
  afterAll(() => site.close());

  it('says once what is wrong with the configuration, and exits as one process does', async () => {
    gateway = await site.spawn({ env: { WORKERS: '2', PENDING_STORE: 'memory' } });
    expect(await gateway.exited).toEqual({ code: 1, signal: null });
    expect(gateway.output.stdout).toBe('');
    expect(gateway.output.stderr.match(/PENDING_STORE must be database or redis/g)).toHaveLength(1);
  });

  it('refuses a port that another gateway shares among its processes', async () => {
    gateway = await site.start({ env: { WORKERS: '2' } });
    const other = await site.spawn({ port: gateway.port, env: { WORKERS: '2' } });
    expect(await other.exited).toEqual({ code: 1, signal: null });
    expect(other.output.stdout).toBe('');
    expect(other.output.stderr).toContain(`Port ${gateway.port} is in use by another program`);
    await gateway.stop();
  });

  it('leaves no process behind when it is killed', async () => {
    const command = [process.execPath, 'adapters/node/main.ts'];
    gateway = await site.start({ command, env: { WORKERS: '2' } });
    gateway.signal('SIGKILL');
    await gateway.exited;
    await expect.poll(() => gateway.hasProcesses()).toBe(false);
  });
});
