// Lets one person flood the gateway with what is small to write and large to work on, while others call: first with the
// usual heap, then all floods in a row in one process with a small one. reference: Limits
import { getHeapStatistics } from 'node:v8';
import { MAX_FLOOD_P99_MS, shownWaits, startBystander, type Waited } from './bystander.ts';
import { figure, percentile } from './figures.ts';
import { type Attack, prepareAttacks } from './flood-attacks.ts';
import { only, shown, startLoad } from './load.ts';
import { pause } from './private-services.ts';
import { openStand, type Stand, type Started } from './stand.ts';
import { readVitals, watchVitals } from './vitals.ts';

const FLOOD_MS = 5_000;
const CALLERS = 4;
const SMALL_HEAP_MIB = 512;
/** A third of the usual heap, as adapters/node/ports.ts sets it. */
const BUDGET_MIB = Math.floor(getHeapStatistics().heap_size_limit / 3 / 2 ** 20);

type Headers = Record<string, string>;

export async function floodRuns(): Promise<void> {
  await floodAll('floods', BUDGET_MIB);
  // A small heap may fill up before anything is collected. What counts is that the process survives.
  await floodAll(`floods at a heap of ${SMALL_HEAP_MIB} MiB`, Infinity, {
    NODE_OPTIONS: `--max-old-space-size=${SMALL_HEAP_MIB}`,
  });
}

async function floodAll(name: string, mostGrowth: number, env?: Record<string, string>): Promise<void> {
  const stand = await openStand();
  try {
    const gateway = await stand.start(env);
    const bystander = await seedBystander(stand);
    const { attacks, close } = await prepareAttacks(gateway);
    await measure(`${name}, none`, gateway, bystander, mostGrowth, () => pause(FLOOD_MS));
    for (const attack of attacks)
      await measure(`${name}, ${attack.what}`, gateway, bystander, mostGrowth, (what) => send(what, attack));
    const { code } = await gateway.stop();
    figure(`${name}, the process after all of them`, `exit ${code}`, code === 0);
    await close();
  } finally {
    await stand.close();
  }
}

/** Somebody who has nothing to do with the greedy person. */
async function seedBystander(stand: Stand): Promise<Headers> {
  const { stdout } = await stand.site.seed(['--email', 'bystander@example.com', '--json']);
  return { authorization: `Bearer ${JSON.parse(stdout).session}`, 'content-type': 'application/json' };
}

async function send(what: string, { request, statuses }: Attack): Promise<void> {
  const load = startLoad(CALLERS, request);
  await pause(FLOOD_MS);
  await load.stop();
  const tally = load.take();
  figure(what, shown(tally), only(tally, ...statuses));
}

async function measure(
  what: string,
  gateway: Started,
  headers: Headers,
  mostGrowth: number,
  during: (what: string) => Promise<void>,
): Promise<void> {
  const execute = { name: 'execute_tools', arguments: { executions: [{ tool: 'time_now', args: {} }] } };
  const mcp = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: execute });
  const before = await readVitals(gateway);
  const begun = performance.now();
  const watching = watchVitals(gateway);
  const call = (path: string, body: string) =>
    startBystander(gateway, path, { method: 'POST', headers, body, expected: '"unix' });
  const bystanders = await Promise.all([call('/rest/time', '{"tool":"now"}'), call('/mcp', mcp)]);
  await during(what);
  const waited: Waited = { milliseconds: [], failed: 0 };
  for (const { milliseconds, failed } of await Promise.all(bystanders.map((each) => each.stop()))) {
    waited.milliseconds.push(...milliseconds);
    waited.failed += failed;
  }
  const most = await watching.stop();
  // On a busy machine the gateway gets less than a core, and everybody waits longer.
  const share = Math.round((100_000 * (most.processor - before.processor)) / (performance.now() - begun));
  const p99 = percentile(waited.milliseconds, 0.99);
  figure(
    `${what}, bystanders`,
    `${shownWaits(waited)}; the gateway had ${share} % of a core`,
    p99 < MAX_FLOOD_P99_MS && waited.failed === 0,
  );
  figure(
    `${what}, most memory`,
    `${most.heap} MiB of heap (${before.heap} before), ${most.resident} MiB resident`,
    most.heap - before.heap <= mostGrowth,
  );
}
