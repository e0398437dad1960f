// Runs mixed load on MCP, REST and /c with a bystander, while upstreams stall, reset, break HTTP and flood,
// and while Redis and PostgreSQL are killed.
import { connect } from 'node:net';
import { figure, leftOut } from './figures.ts';
import { type Load, only, shown, startLoad } from './load.ts';
import { createPrivatePostgres, createPrivateRedis, pause, type PrivateService } from './private-services.ts';
import { openStand, type Started } from './stand.ts';

const PHASE_MS = 8_000;
const BACK_MS = 30_000;

export async function faultRuns(): Promise<void> {
  const [postgres, redis] = [await createPrivatePostgres(), await createPrivateRedis()];
  if (postgres === null || redis === null) return leftOut('faults', 'PostgreSQL or Redis is not installed');
  const stand = await openStand();
  try {
    await Promise.all([postgres.start(), redis.start()]);
    const gateway = await stand.start({ DATABASE_URL: postgres.url, PENDING_STORE: redis.url });
    const headers = { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' };
    const token = await stand.curlToken(gateway, headers);
    await underLoad(gateway, headers, { authorization: `Bearer ${token}` }, { postgres, redis });
    const { code } = await gateway.stop();
    figure('faults, the gateway after SIGTERM', `exit ${code}`, code === 0);
  } finally {
    await stand.close();
    await Promise.all([postgres.close(), redis.close()]);
  }
  return undefined;
}

type Headers = Record<string, string>;
type Services = Record<'postgres' | 'redis', PrivateService>;

async function underLoad(
  gateway: Started,
  headers: Headers,
  bearer: Headers,
  { postgres, redis }: Services,
): Promise<void> {
  const execute = { name: 'execute_tools', arguments: { executions: [{ tool: 'time_now', args: {} }] } };
  const mcp = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: execute });
  const post = (path: string, body: string) => gateway.request(path, { method: 'POST', headers, body });
  const loads = {
    MCP: startLoad(4, () => post('/mcp', mcp)),
    REST: startLoad(4, () => post('/rest/time', '{"tool":"now"}')),
    proxy: startLoad(4, () => gateway.request('/c/resend/ok', { headers: bearer })),
    bystander: startLoad(1, () => gateway.request('/rest', { headers })),
  };

  async function phase(name: string, allowed: string[], during: () => Promise<void>): Promise<void> {
    for (const load of Object.values(loads)) load.take();
    await during();
    for (const [who, load] of Object.entries(loads)) {
      const tally = load.take();
      figure(`${name}, ${who}`, shown(tally), only(tally, ...allowed));
    }
  }

  const down = ['200', '503', '502'];
  await phase('no fault', ['200'], () => pause(PHASE_MS));
  await phase('upstream stalls, resets, breaks HTTP and floods', ['200'], () => misbehave(gateway, bearer));
  await phase('300 clients send slowly', ['200'], () => trickle(gateway));
  await phase('Redis killed and restarted', ['200'], () => bounce(redis));
  await phase('PostgreSQL killed and restarted', down, () => bounce(postgres));
  figure('PostgreSQL, time from its restart to the first 200', `${await untilBack(loads)} ms`, true);
  await phase('no fault again', ['200'], () => pause(PHASE_MS));
  await Promise.all(Object.values(loads).map((load) => load.stop()));
}

async function bounce(service: PrivateService): Promise<void> {
  await service.kill();
  await pause(PHASE_MS / 4);
  await service.start();
  await pause(PHASE_MS / 4);
}

async function untilBack(loads: Record<string, Load>): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < BACK_MS) {
    await pause(100);
    if (Object.values(loads).every((load) => load.take().statuses.has('200'))) {
      await pause(1_000);
      return Math.round(performance.now() - begun - 1_000);
    }
  }
  throw new Error('the gateway did not come back');
}

async function misbehave(gateway: Started, bearer: Headers): Promise<void> {
  const leaving = AbortSignal.timeout(PHASE_MS);
  const ask = (path: string, init: RequestInit = {}) =>
    gateway.request(`/c/resend${path}`, { headers: bearer, ...init });
  const bad = ['/reset', '/lie'].map((path) => startLoad(4, () => ask(path)));
  // The callers never read either response to its end. They hang and then leave together.
  const hanging = Array.from({ length: 40 }, (_, index) =>
    ask(index % 2 === 0 ? '/stall' : '/flood', { signal: leaving }),
  );
  await Promise.allSettled(hanging);
  await pause(PHASE_MS / 2);
  const tallies = await Promise.all(
    bad.map(async (load) => {
      const tally = load.take();
      await load.stop();
      return tally;
    }),
  );
  for (const [index, tally] of tallies.entries())
    figure(
      index === 0 ? 'an upstream that resets' : 'an upstream that breaks HTTP',
      shown(tally),
      only(tally, index === 0 ? 'cut' : '502'),
    );
}

async function trickle({ port }: Started): Promise<void> {
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  for (const socket of sockets)
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n');
  for (let round = 0; round < 20; round++) {
    for (const socket of sockets) socket.write('X-Slow: 1\r\n');
    await pause(PHASE_MS / 20);
  }
  for (const socket of sockets) socket.destroy();
}
