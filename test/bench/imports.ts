// Measures a call of an imported MCP server: through the gateway, and by the official client without one.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Row } from './main.ts';
import { median, percentile } from './median.ts';
import { processorSeconds } from './proc.ts';
import { type Gateway, startGateway, startScript } from './servers.ts';

const CALLERS = 32;
const ROUNDS = 5;
const ROUND_MS = 3_000;
/** The elapsed time of calls by many, against the official client's own calls. */
const BAR = 1.5;
const ALONE_CALLS = 3_000;
/** The processor time of a call by one caller, and how much longer its slowest calls take than its median. */
const ALONE_MS = 2.5;
const ALONE_TAIL = 3;

type Call = { name: string; arguments: Record<string, unknown> };

interface Side {
  url: string;
  headers: Record<string, string>;
  call: Call;
}

export async function importRows(): Promise<Row[]> {
  const peer = await startScript('test/bench/mcp-peer.ts', (port) => [String(port)]);
  const gateway = await startGateway(undefined, {}, null);
  const address = `${peer.url}/mcp`;
  await addImport(gateway, address);
  const args = { message: 'hello' };
  const direct: Side = { url: address, headers: {}, call: { name: 'echo', arguments: args } };
  const through: Side = {
    url: `${gateway.url}/mcp`,
    headers: { 'x-service-api-key': gateway.apiKey },
    call: { name: 'execute_tools', arguments: { executions: [{ tool: 'peer_echo', args }] } },
  };
  try {
    await callsPerSecond(direct);
    await callsPerSecond(through);
    const ratios: number[] = [];
    const rates: number[] = [];
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const plain = await callsPerSecond(direct);
      const before = processorSeconds(gateway.pid);
      const ours = await callsPerSecond(through);
      costs.push((processorSeconds(gateway.pid) - before) / (ours * (ROUND_MS / 1_000)));
      rates.push(ours);
      ratios.push(plain / ours);
    }
    const ratio = median(ratios);
    return [
      {
        work: `a call of an imported MCP server by ${CALLERS} callers, against the official client without a gateway`,
        measured: `${ratio.toFixed(2)} × the time (${Math.round(median(rates))}/s, ${(median(costs) * 1_000).toFixed(2)} ms of processor time)`,
        bar: `≤ ${BAR} ×`,
        holds: ratio <= BAR,
      },
      ...(await aloneRows(gateway, direct, through)),
    ];
  } finally {
    await gateway.stop();
    await peer.stop();
  }
}

async function addImport({ url, apiKey }: Gateway, address: string): Promise<void> {
  const response = await fetch(`${url}/api/imports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: JSON.stringify({ address, name: 'peer' }),
  });
  if (response.status !== 201) throw new Error(`adding the import: ${await response.text()}`);
}

interface Alone {
  /** Milliseconds. */
  half: number;
  /** The 99th percentile in milliseconds. */
  slow: number;
  /** Milliseconds of the gateway's processor time. */
  cost: number;
}

/** What a call costs one caller who calls again as soon as there is an answer. */
async function aloneRows(gateway: Gateway, direct: Side, through: Side): Promise<Row[]> {
  const plain: Alone[] = [];
  const ours: Alone[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await alone(gateway, direct));
    ours.push(await alone(gateway, through));
  }
  const middle = (rounds: readonly Alone[], of: keyof Alone) => median(rounds.map((round) => round[of]));
  const shown = (rounds: readonly Alone[]) =>
    `median ${middle(rounds, 'half').toFixed(2)} ms, p99 ${middle(rounds, 'slow').toFixed(2)} ms`;
  const cost = middle(ours, 'cost');
  const tail = median(ours.map(({ half, slow }) => slow / half));
  const tailOfPlain = median(plain.map(({ half, slow }) => slow / half));
  return [
    {
      work: 'a call of an imported MCP server by one caller, processor time of the gateway',
      measured: `${cost.toFixed(2)} ms`,
      bar: `≤ ${ALONE_MS} ms`,
      holds: cost <= ALONE_MS,
    },
    {
      work: 'a call of an imported MCP server by one caller, its p99 against its median',
      measured: `${tail.toFixed(1)} × (${shown(ours)}; without a gateway ${tailOfPlain.toFixed(1)} ×, ${shown(plain)})`,
      bar: `≤ ${ALONE_TAIL} ×`,
      holds: tail <= ALONE_TAIL,
    },
  ];
}

async function alone({ pid }: Gateway, side: Side): Promise<Alone> {
  const client = await connect(side);
  const times: number[] = [];
  const before = processorSeconds(pid);
  for (let call = 0; call < ALONE_CALLS; call++) {
    const begun = performance.now();
    await callOnce(client, side);
    times.push(performance.now() - begun);
  }
  const cost = ((processorSeconds(pid) - before) * 1_000) / ALONE_CALLS;
  await client.close();
  return { half: percentile(times, 0.5), slow: percentile(times, 0.99), cost };
}

async function connect({ url, headers }: Side): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

async function callOnce(client: Client, { call }: Side): Promise<void> {
  const result = await client.callTool(call);
  if (!JSON.stringify(result.content).includes('Echo: hello')) throw new Error(JSON.stringify(result));
}

/** Each caller has a client of its own and calls again as soon as it has its answer. */
async function callsPerSecond(side: Side): Promise<number> {
  const clients = await Promise.all(Array.from({ length: CALLERS }, () => connect(side)));
  let calls = 0;
  const until = performance.now() + ROUND_MS;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        await callOnce(client, side);
        calls++;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.close()));
  return calls / (ROUND_MS / 1_000);
}
