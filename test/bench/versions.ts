// Compares what a call of a connected integration costs in two versions: `versions.ts <former>/dist/server`. Each folder
// is made by `npm run build:server`. Short rounds alternate, only processor time counts, and a second process of the
// former version shows how far two equal ones differ on this machine.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startHttpServer } from '../support/http-server.ts';
import { median, percentile } from './median.ts';
import { type Gateway, startGateway } from './servers.ts';

/** Processes of one version differ too, so each start is measured for a part of the rounds. */
const STARTS = 4;
const ROUNDS = 40;
const WARM_UPS = 15;
const CALLS = 120;
const AT_ONCE = 16;
const JSON_BODY = { 'content-type': 'application/json' };

const [former] = process.argv.slice(2);
if (former === undefined) {
  console.error('usage: node adapters/node/launch.mjs test/bench/versions.ts <former>/dist/server');
  process.exit(1);
}

interface Door {
  name: string;
  call(): Promise<void>;
}

interface Side {
  gateway: Gateway;
  doors: Door[];
}

async function post(url: string, headers: Record<string, string>, body: object): Promise<string> {
  const init = { method: 'POST', headers: { ...headers, ...JSON_BODY }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}

async function openSide(entry: string, upstream: string): Promise<Side> {
  const gateway = await startGateway(entry, { UPSTREAM_MAP: `https://api.resend.com=${upstream}` });
  const { url, apiKey } = gateway;
  const headers = { 'x-service-api-key': apiKey };
  await post(`${url}/api/auth/apikey/resend`, headers, { values: { apiKey: 're_1' } });
  const use = (name: string, args: object) =>
    post(`${url}/mcp`, headers, {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    });
  const lent = JSON.parse(await use('curl_session', { integrations: ['resend'] }));
  const authorization = `Bearer ${JSON.parse(lent.result.content[0].text).token}`;
  const execution = { tool: 'resend_request', args: { method: 'GET', path: '/domains' } };
  return {
    gateway,
    doors: [
      {
        name: 'execute_tools',
        call: async () => expectAnswer(await use('execute_tools', { executions: [execution] })),
      },
      {
        name: 'REST',
        call: async () => expectAnswer(await post(`${url}/rest/resend`, headers, execution)),
      },
      {
        name: '/c',
        call: async () =>
          expectAnswer(await (await fetch(`${url}/c/resend/domains`, { headers: { authorization } })).text()),
      },
    ],
  };
}

function expectAnswer(text: string): void {
  if (!text.includes('the domain')) throw new Error(text);
}

/** The processor time of one call, in microseconds. */
async function costOf({ gateway: { pid } }: Side, { call }: Door): Promise<number> {
  const begun = processorMicroseconds(pid);
  let left = CALLS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await call();
    }),
  );
  return (processorMicroseconds(pid) - begun) / CALLS;
}

/** Adds up the threads. /proc/<pid>/stat counts hundredths of a second, which is too coarse for a short round. */
function processorMicroseconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return threads.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1_000;
}

type Costs = [former: number, again: number, current: number];

/** Measures every door in one set of processes. The order of the sides moves on with each round. */
async function measure(entries: readonly string[], origin: string): Promise<Map<string, Costs[]>> {
  const sides = await Promise.all(entries.map((entry) => openSide(entry, origin)));
  const measured = new Map<string, Costs[]>();
  for (const [at, { name }] of sides[0]?.doors.entries() ?? []) {
    const rounds: Costs[] = [];
    for (let round = -WARM_UPS; round < ROUNDS; round++) {
      const costs: Costs = [Number.NaN, Number.NaN, Number.NaN];
      for (let turn = 0; turn < sides.length; turn++) {
        const index = (round + WARM_UPS + turn) % sides.length;
        const [side, door] = [sides[index], sides[index]?.doors[at]];
        if (side !== undefined && door !== undefined) costs[index] = await costOf(side, door);
      }
      if (round >= 0) rounds.push(costs);
    }
    measured.set(name, rounds);
  }
  for (const { gateway } of sides) await gateway.stop();
  return measured;
}

const quartiles = (values: readonly number[]) =>
  [0.25, 0.5, 0.75].map((share) => percentile(values, share).toFixed(3)).join(', ');

const upstream = await startHttpServer((_, response) =>
  response.writeHead(200, JSON_BODY).end('{"data":["the domain"]}'),
);
const old = join(resolve(former), 'main.js');
const entries = [old, old, resolve('dist/server/main.js')];
const all = new Map<string, Costs[]>();
for (let start = 0; start < STARTS; start++) {
  const measured = await measure(entries, `http://127.0.0.1:${upstream.port}`);
  for (const [name, rounds] of measured) all.set(name, [...(all.get(name) ?? []), ...rounds]);
}
await upstream.close();
console.log('| Door | Former version | This version | Ratio: quartiles | Former against itself: quartiles |');
console.log('|---|---|---|---|---|');
for (const [name, rounds] of all) {
  const [was, is] = [median(rounds.map(([one]) => one)), median(rounds.map(([, , one]) => one))];
  // The mean of both former processes is the fairer base.
  const ratios = rounds.map(([one, again, current]) => current / ((one + again) / 2));
  const noise = rounds.map(([one, again]) => again / one);
  console.log(
    `| ${name} | ${was.toFixed(0)} µs | ${is.toFixed(0)} µs | ${quartiles(ratios)} | ${quartiles(noise)} |`,
  );
}
