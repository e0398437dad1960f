// Runs a greedy person beside a bystander: calls that never end, connections that nobody finishes, and keys
// without end. reference: Limits per person
import { figure, percentile } from './figures.ts';
import { only, shown, startLoad } from './load.ts';
import { pause } from './private-services.ts';
import { openStand, type Stand, type Started } from './stand.ts';
import { call } from '../support/mcp.ts';

const PHASE_MS = 6_000;
const HANGING = 1_100;
const MOST_CALLS = 1_000;
const MOST_MS = 250;
const MOST_MINT_MS = 1_000;
/** On a busy machine the bystander is slow alone too; then this many times as slow is allowed. */
const MOST_TIMES = 4;

type Headers = Record<string, string>;

export async function personRuns(): Promise<void> {
  const stand = await openStand();
  try {
    const gateway = await stand.start({ GITHUB_CLIENT_ID: 'id', GITHUB_CLIENT_SECRET: 'secret' });
    const greedy = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
    const { stdout } = await stand.site.seed(['--email', 'bystander@example.com', '--json']);
    const { session } = JSON.parse(stdout);
    const bystander = { authorization: `Bearer ${session}`, 'content-type': 'application/json' };
    const alone = await measure(gateway, bystander, 'nobody else', () => pause(PHASE_MS));
    const most = {
      calls: Math.max(MOST_MS, MOST_TIMES * alone.calls),
      keys: Math.max(MOST_MINT_MS, MOST_TIMES * alone.keys),
    };
    const beside = (what: string, during: () => Promise<unknown>) =>
      measure(gateway, bystander, what, during, most);
    await beside(`${HANGING} calls that never end`, () => hang(stand, gateway, greedy));
    await beside('connections that nobody finishes', () => connect(gateway, greedy));
    await beside('keys without end', () => mint(gateway, greedy));
    await gateway.stop();
  } finally {
    await stand.close();
  }
}

/** The 99th percentiles of a bystander, in milliseconds. */
interface Waits {
  calls: number;
  keys: number;
}

/** Measures a bystander's calls and keys while a greedy person does something. */
async function measure(
  gateway: Started,
  headers: Headers,
  what: string,
  during: () => Promise<unknown>,
  most: Waits = { calls: Infinity, keys: Infinity },
): Promise<Waits> {
  const post = (path: string, body: string) => gateway.request(path, { method: 'POST', headers, body });
  const loads = {
    calls: startLoad(2, () => post('/rest/time', '{"tool":"now"}')),
    keys: startLoad(1, () => post('/api/keys', '')),
  };
  await during();
  const tallies = { calls: loads.calls.take(), keys: loads.keys.take() };
  await Promise.all([loads.calls.stop(), loads.keys.stop()]);
  const waits = { calls: 0, keys: 0 };
  for (const kind of ['calls', 'keys'] as const) {
    const tally = tallies[kind];
    waits[kind] = percentile(tally.milliseconds, 0.99);
    figure(
      `beside ${what}, a bystander's ${kind}`,
      shown(tally),
      only(tally, '200') && waits[kind] <= most[kind],
    );
  }
  return waits;
}

async function hang(stand: Stand, gateway: Started, greedy: Headers): Promise<void> {
  const authorization = `Bearer ${await stand.curlToken(gateway, greedy)}`;
  const leaving = AbortSignal.timeout(PHASE_MS);
  const ask = () => gateway.request('/c/resend/stall', { headers: { authorization }, signal: leaving });
  const answers = await Promise.allSettled(Array.from({ length: HANGING }, ask));
  const refused = answers.filter(
    (answer) =>
      answer.status === 'fulfilled' &&
      answer.value.status === 429 &&
      answer.value.headers.get('retry-after') === '1',
  );
  const held = HANGING - refused.length;
  figure('calls that one person has under way', held, held === MOST_CALLS);
}

async function connect(gateway: Started, greedy: Headers): Promise<void> {
  const { connectionId: first } = await call(gateway, greedy, 'connect', { integration: 'github' });
  const execute = { name: 'connect', arguments: { integration: 'github' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: execute });
  const load = startLoad(8, () => gateway.request('/mcp', { method: 'POST', headers: greedy, body }));
  await pause(PHASE_MS);
  const tally = load.take();
  await load.stop();
  const waited = await call(gateway, greedy, 'wait_for_connection', { connectionId: first, timeoutSec: 1 });
  // Hundreds of newer ones have made the gateway forget the first.
  figure(
    'connections that one person asked for',
    `${shown(tally)}; the first: ${JSON.stringify(waited)}`,
    waited.status === 'EXPIRED' || waited.error === 'Unknown connectionId',
  );
}

async function mint(gateway: Started, greedy: Headers): Promise<void> {
  const load = startLoad(50, () => gateway.request('/api/keys', { method: 'POST', headers: greedy }));
  await pause(PHASE_MS);
  const tally = load.take();
  await load.stop();
  figure('keys that one person asked for', shown(tally), only(tally, '200', '429'));
}
