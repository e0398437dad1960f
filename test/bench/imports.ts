// Measures a call of an imported MCP server: through the gateway, and by the official client without one.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { type Gateway, startGateway, startScript } from './servers.ts';

const CALLERS = 32;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const BAR = 1.5;
// The clock of /proc has 100 ticks a second on Linux.
const TICK_MS = 10;

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
      const before = processorMs(gateway.pid);
      const ours = await callsPerSecond(through);
      costs.push((processorMs(gateway.pid) - before) / (ours * (ROUND_MS / 1_000)));
      rates.push(ours);
      ratios.push(plain / ours);
    }
    const ratio = median(ratios);
    return [
      {
        work: `a call of an imported MCP server by ${CALLERS} callers, against the official client without a gateway`,
        measured: `${ratio.toFixed(2)} × the time (${Math.round(median(rates))}/s, ${median(costs).toFixed(2)} ms of processor time)`,
        bar: `≤ ${BAR} ×`,
        holds: ratio <= BAR,
      },
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

/** Each caller has a client of its own and calls again as soon as it has its answer. */
async function callsPerSecond({ url, headers, call }: Side): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      const client = new Client(
        { name: 'bench', version: '1.0.0' },
        { versionNegotiation: { mode: 'auto' } },
      );
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      return client;
    }),
  );
  let calls = 0;
  const until = performance.now() + ROUND_MS;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const result = await client.callTool(call);
        if (!JSON.stringify(result.content).includes('Echo: hello')) throw new Error(JSON.stringify(result));
        calls++;
      }
    }),
  );
  await Promise.all(clients.map((client) => client.close()));
  return calls / (ROUND_MS / 1_000);
}

function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
