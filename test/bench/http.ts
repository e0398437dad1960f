// Measures the requests per second of the gateway, compared with the bare framework and the same bytes.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDurableBare } from './durable-peers.ts';
import type { Row } from './main.ts';
import { LOAD_TOOL, LOAD_TOOLS, type LoadTool, requestsPerSecond, type Shot } from './load.ts';
import { median } from './median.ts';
import { type Gateway, startBare, startGateway } from './servers.ts';

const ROUNDS = 5;
const SECONDS = 3;

const call = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const EXECUTE_TOOLS = call('tools/call', {
  name: 'execute_tools',
  arguments: { executions: [{ tool: 'time_now', args: {} }] },
});

interface Work {
  work: string;
  /** Null for a server that does less. */
  bar: number | null;
  /** Whether the framework also makes one row durable before each answer. */
  durable?: boolean;
  body: string;
  connections?: number;
  path?: string;
}

const WORK: Work[] = [
  {
    work: 'POST /mcp tools/list, API key, SQLite, against the bare framework',
    bar: 0.5,
    body: call('tools/list'),
  },
  {
    work: 'tools/list of a set of 40 tools, API key, SQLite, against the bare framework',
    bar: 0.5,
    body: call('tools/list'),
    path: '/mcp/sets/bench',
  },
  {
    work: 'execute_tools, one built-in tool, audited durably, against the bare framework',
    bar: null,
    body: EXECUTE_TOOLS,
  },
  {
    work: 'execute_tools, one built-in tool, audited durably, against the bare framework that also makes one row durable per answer',
    bar: 0.7,
    durable: true,
    body: EXECUTE_TOOLS,
  },
  {
    work: 'execute_tools from 256 concurrent callers, who share the disk syncs, against the bare framework',
    bar: null,
    body: EXECUTE_TOOLS,
    connections: 256,
  },
  {
    work: 'execute_tools from 256 concurrent callers, against the bare framework that also makes one row durable per answer',
    bar: 0.7,
    durable: true,
    body: EXECUTE_TOOLS,
    connections: 256,
  },
];

export async function httpRows(): Promise<Row[]> {
  const gateway = await startGateway();
  try {
    await makeSet(gateway);
    const rows: Row[] = [];
    for (const tool of LOAD_TOOLS) for (const one of WORK) rows.push(await compare(gateway, one, tool));
    return rows;
  } finally {
    await gateway.stop();
  }
}

/** Chooses 40 tools of many integrations. */
async function makeSet({ url, apiKey }: Gateway): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-service-api-key': apiKey };
  const { tools } = await (await fetch(`${url}/api/tools`, { headers })).json();
  const every = Math.floor(tools.length / 40);
  const names = tools.flatMap(({ name }: { name: string }, at: number) => (at % every === 0 ? [name] : []));
  const body = JSON.stringify({ name: 'bench', tools: names.slice(0, 40) });
  const { status } = await fetch(`${url}/api/sets`, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`the set was not made: ${status}`);
}

async function compare(
  gateway: Gateway,
  { work, bar, durable = false, body, connections, path = '/mcp' }: Work,
  tool: LoadTool,
): Promise<Row> {
  const shot: Shot = {
    url: `${gateway.url}${path}`,
    headers: { 'content-type': 'application/json', 'x-service-api-key': gateway.apiKey },
    body,
    connections,
  };
  const answer = await fetch(shot.url, { method: 'POST', headers: shot.headers, body });
  const bytes = join(mkdtempSync(join(tmpdir(), 'bench-')), 'answer');
  writeFileSync(bytes, await answer.text());
  const bare = durable
    ? await startDurableBare(bytes)
    : { ...(await startBare(bytes)), check: async () => {} };
  try {
    const { ratio, ours } = await ratioOf(shot, { ...shot, url: bare.url }, tool);
    await bare.check();
    return {
      work: `${work}, load by ${tool}`,
      measured: `${ratio.toFixed(2)} × (${Math.round(ours)}/s)`,
      bar: bar === null ? null : `≥ ${bar} ×`,
      holds: bar === null || ratio >= bar,
    };
  } finally {
    await bare.stop();
  }
}

/** The rounds alternate, so that a machine that slows down slows both sides. */
export async function ratioOf(
  our: Shot,
  their: Shot,
  tool = LOAD_TOOL,
): Promise<{ ratio: number; ours: number }> {
  // The first rounds warm up both sides and do not count.
  await requestsPerSecond(our, SECONDS, tool);
  await requestsPerSecond(their, SECONDS, tool);
  const ratios: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rate = await requestsPerSecond(our, SECONDS, tool);
    ours.push(rate);
    ratios.push(rate / (await requestsPerSecond(their, SECONDS, tool)));
  }
  return { ratio: median(ratios), ours: median(ours) };
}
