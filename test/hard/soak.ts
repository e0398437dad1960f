// npm run test:hard -- soak --minutes 60: half load on one gateway, with imports, live views, scripts and waits beside it,
// whose memory must not grow. The minutes of the warm-up do not count.
import { startScript } from '../bench/servers.ts';
import { openWorld, type Running, type World } from '../contracts/app/world.ts';
import { chromiumPath } from '../support/chromium.ts';
import { type Gateway, openSite } from '../support/gateway-process.ts';
import { createViewer } from '../support/live-viewer.ts';
import { freePort } from '../support/listen.ts';
import { call } from '../support/mcp.ts';
import { admit, answersOf, cutsOf, type Member, openProduct, startCrowd, type Tally } from './crowd.ts';
import { figure, leftOut, percentile } from './figures.ts';
import { readNumber } from './options.ts';
import { createPrivatePostgres, createPrivateRedis, pause } from './private-services.ts';
import { readVitals, type Vitals } from './vitals.ts';

const MINUTE_MS = 60_000;
const FULL_LOAD_MS = 30_000;
const WARM_UP_MINUTES = 5;
const WINDOW_MINUTES = 10;
const BETWEEN_REPORTS_MINUTES = 5;
const BETWEEN_LOOKS_MS = 5_000;
const MOST_GROWTH = 0.03;
const VIEWED_MS = 20_000;
/**
 * What a gateway has in a container with a limit of 1 GiB, as docs/deploy sets it. With the memory of a large machine V8
 * would let much garbage lie, whose amount depends on what else the machine does.
 */
const CONTAINER = { NODE_OPTIONS: '--max-old-space-size=512', MALLOC_ARENA_MAX: '2' };
/** How often each kind of work beside the calls begins. */
const EVERY_MS = { imports: 10_000, scripts: 2_000, waits: 5_000, 'live views': MINUTE_MS };

export async function soakRuns(): Promise<void> {
  const minutes = readNumber('minutes');
  const [postgres, redis] = [await createPrivatePostgres(), await createPrivateRedis()];
  if (postgres === null || redis === null) return leftOut('soak', 'PostgreSQL or Redis is not installed');
  const [site, world] = [await openSite(), await openWorld()];
  const product = await openProduct(world);
  const peer = await startScript('test/bench/mcp-peer.ts', (port) => [String(port)]);
  try {
    await Promise.all([postgres.start(), redis.start()]);
    const port = await freePort();
    const gateway = await site.spawn({
      port,
      env: {
        ...world.env,
        UPSTREAM_MAP: product.upstreamMap,
        SERVER_PUBLIC_URL: `http://localhost:${port}`,
        DATABASE_URL: postgres.url,
        PENDING_STORE: redis.url,
        CHROMIUM_PATH: chromiumPath() ?? '',
        CHROMIUM_SANDBOX: 'off',
        // The output is kept in memory here.
        LOG_LEVEL: 'warn',
        ...CONTAINER,
      },
    });
    await untilItServes(gateway);
    await soak(gateway, world, `${peer.url}/mcp`, minutes);
    const { code } = await gateway.stop();
    figure('soak, the gateway after SIGTERM', `exit ${code}`, code === 0);
    figure('soak, processes left', String(gateway.hasProcesses()), !gateway.hasProcesses());
    const errors = gateway.output.stdout.split('\n').filter((line) => line.includes('"level":"error"'));
    figure('soak, errors in the log', [errors.length, ...errors.slice(0, 3)].join('\n'), errors.length === 0);
  } finally {
    await site.close();
    await Promise.all([peer.stop(), product.close(), world.close(), postgres.close(), redis.close()]);
  }
  return undefined;
}

async function untilItServes(gateway: Gateway): Promise<void> {
  while (
    !(await gateway.request('/api/health').then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await pause(100);
}

async function soak(gateway: Gateway, world: World, peer: string, minutes: number): Promise<void> {
  const running: Running = {
    publicUrl: gateway.base,
    request: (path, init) => gateway.request(path, { redirect: 'manual', ...init }),
    proxies: true,
    close: async () => {},
  };
  const members: Member[] = [];
  for (const name of ['ana', 'ben', 'cy', 'dee']) members.push(await admit(world, running, name));

  const perSecond = (await fullLoad(running, members)) / 2;
  figure('soak, half load', `${perSecond.toFixed(1)} turns a second`);
  const crowd = startCrowd(running, members, { turn: createPace(perSecond), record: false });
  const beside = startBeside(running, members, peer);
  const looks = await watch(gateway, crowd.tally, minutes);
  await Promise.all([crowd.stop(), beside.stop()]);

  const { tally } = crowd;
  figure('soak, right answers', answersOf(tally), answersOf(tally) > 0);
  figure('soak, wrong answers', [tally.wrong, ...tally.examples].join('\n'), tally.wrong === 0);
  figure('soak, cut connections', cutsOf(tally), cutsOf(tally) === 0);
  for (const [kind, { done, failed }] of beside.counts)
    figure(`soak, ${kind}`, [done, ...failed.slice(0, 3)].join('\n'), done > 0 && failed.length === 0);
  figure('soak, lost audit rows', await lostRows(gateway), (await lostRows(gateway)) === 0);
  compare(looks, minutes);
}

/** Returns how many turns a second the gateway serves without a pause. */
async function fullLoad(running: Running, members: readonly Member[]): Promise<number> {
  let turns = 0;
  const crowd = startCrowd(running, members, { turn: async () => void turns++, record: false });
  await pause(FULL_LOAD_MS);
  const perSecond = turns / (FULL_LOAD_MS / 1_000);
  await crowd.stop();
  const { wrong, examples } = crowd.tally;
  figure('soak, full load', `${perSecond.toFixed(1)} turns a second`);
  figure('soak, wrong answers under full load', [wrong, ...examples].join('\n'), wrong === 0);
  return perSecond;
}

/** Turns at this pace. What could not be served in its time is left out. */
function createPace(perSecond: number): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = performance.now();
    const at = Math.max(next, now);
    next = at + 1_000 / perSecond;
    await pause(at - now);
  };
}

interface Beside {
  counts: Map<string, { done: number; failed: string[] }>;
  stop(): Promise<void>;
}

/** Does each other kind of work again and again, for one person after the other. */
function startBeside(running: Running, members: readonly Member[], peer: string): Beside {
  let over = false;
  let serial = 0;
  const works: Record<keyof typeof EVERY_MS, (member: Member) => Promise<void>> = {
    imports: (member) => importAndCall(running, member, peer),
    scripts: (member) => runScript(running, member, ++serial),
    waits: (member) => waitAndConnect(running, member),
    'live views': (member) => view(running, member),
  };
  const counts: Beside['counts'] = new Map();
  const loops = Object.entries(works).map(async ([kind, work]) => {
    const count = { done: 0, failed: [] as string[] };
    counts.set(kind, count);
    // The keys of both tables are the same.
    const every = EVERY_MS[kind as keyof typeof EVERY_MS];
    for (let turn = 0; !over; turn++) {
      const begun = performance.now();
      const member = members[turn % members.length];
      if (member === undefined) return;
      try {
        await work(member);
        count.done++;
      } catch (error) {
        count.failed.push(String(error));
      }
      const until = begun + every;
      while (!over && performance.now() < until) await pause(200);
    }
  });
  return {
    counts,
    async stop() {
      over = true;
      await Promise.all(loops);
    },
  };
}

async function ask(running: Running, path: string, init: RequestInit): Promise<string> {
  const response = await running.request(path, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return text;
}

const json = (method: string, headers: Record<string, string>, body: object): RequestInit => ({
  method,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Imports a description and a server, calls a tool of each, and deletes both. */
async function importAndCall(running: Running, { key, session, name }: Member, peer: string): Promise<void> {
  const item = {
    operationId: 'getItem',
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: { 200: { description: 'Done' } },
  };
  const description = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1.0.0' },
    servers: [{ url: 'https://api.resend.com' }],
    paths: { '/items/{id}': { get: item } },
  };
  const shop = { document: JSON.stringify(description), name: 'shop', auth: { type: 'none' } };
  for (const form of [shop, { address: peer, name: 'peer' }])
    await ask(running, '/api/imports', json('POST', session, form));
  const executions = [
    { tool: 'shop_get_item', args: { id: '7' } },
    { tool: 'peer_echo', args: { message: name } },
  ];
  const answer = JSON.stringify(await call(running, key, 'execute_tools', { executions }));
  if (!answer.includes('/items/7') || !answer.includes(`Echo: ${name}`))
    throw new Error(answer.slice(0, 300));
  for (const each of ['shop', 'peer'])
    await ask(running, `/api/imports/${each}`, { method: 'DELETE', headers: session });
}

async function runScript(running: Running, { key }: Member, serial: number): Promise<void> {
  const code = `let done = 0; while (done < 5) { await tools.time_now({}); done++; } return 'script ${serial} called ' + done`;
  const answer = await ask(
    running,
    '/rest/scripts',
    json('POST', key, { tool: 'script_run', args: { code } }),
  );
  if (!answer.includes(`script ${serial} called 5`)) throw new Error(answer.slice(0, 300));
}

/** An agent waits for a connection that its person makes meanwhile. */
async function waitAndConnect(running: Running, { key }: Member): Promise<void> {
  const { connectionId, url } = await call(running, key, 'connect', { integration: 'github' });
  const waiting = call(running, key, 'wait_for_connection', { connectionId, timeoutSec: 60 });
  const state = new URL(url).searchParams.get('state');
  const back = await running.request(`/api/auth/plugin/github/callback?code=c&state=${state}`);
  await back.arrayBuffer();
  const { status } = await waiting;
  if (status !== 'CONNECTED') throw new Error(`the wait ended with ${status}`);
}

async function view({ publicUrl }: Running, { session }: Member): Promise<void> {
  const { authorization = '' } = session;
  const viewer = createViewer({ base: publicUrl, origin: publicUrl }, { sessionHeader: { authorization } });
  const stream = await viewer.open();
  const until = performance.now() + VIEWED_MS;
  while (performance.now() < until) {
    await viewer.ask(stream, 'Page.getLayoutMetrics');
    await pause(1_000);
  }
  await viewer.post('detach');
  await stream.closed;
}

interface Look extends Vitals {
  minute: number;
}

/** Looks at the memory for the warm-up and the minutes that count, and tells it at times. */
async function watch(gateway: Gateway, tally: Tally, minutes: number): Promise<Look[]> {
  const begun = performance.now();
  const looks: Look[] = [];
  let told = -WARM_UP_MINUTES;
  for (;;) {
    const minute = (performance.now() - begun) / MINUTE_MS - WARM_UP_MINUTES;
    if (minute >= minutes) return looks;
    looks.push({ minute, ...(await readVitals(gateway)) });
    if (minute >= told + BETWEEN_REPORTS_MINUTES) {
      const recent = looks.filter((look) => look.minute >= told);
      told += BETWEEN_REPORTS_MINUTES;
      console.log(
        `        minute ${told}: ${shown(recent)}; ${answersOf(tally)} right, ${tally.wrong} wrong answers`,
      );
    }
    await pause(BETWEEN_LOOKS_MS);
  }
}

const median = (looks: readonly Look[], what: 'resident' | 'heap') =>
  percentile(
    looks.map((look) => look[what]),
    0.5,
  );
const shown = (looks: readonly Look[]) =>
  `${median(looks, 'resident')} MiB resident, ${median(looks, 'heap')} MiB of heap (medians)`;

function compare(looks: readonly Look[], minutes: number): void {
  const window = Math.min(WINDOW_MINUTES, minutes / 3);
  const first = looks.filter(({ minute }) => minute >= 0 && minute < window);
  const last = looks.filter(({ minute }) => minute >= minutes - window);
  const growth = mean(last) / mean(first) - 1;
  figure(
    `soak, memory of the first and the last ${window} of ${minutes} minutes`,
    `${mean(first).toFixed(1)} MiB, ${mean(last).toFixed(1)} MiB: ${(growth * 100).toFixed(1)} %`,
    growth <= MOST_GROWTH,
  );
  figure('soak, heap in them', `${median(first, 'heap')} MiB, ${median(last, 'heap')} MiB (medians)`);
}

const mean = (looks: readonly Look[]) =>
  looks.reduce((sum, { resident }) => sum + resident, 0) / looks.length;

async function lostRows(gateway: Gateway): Promise<number> {
  const text = await (await gateway.request('/metrics')).text();
  return Number(/^service_audit_rows_total\{outcome="lost"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}
