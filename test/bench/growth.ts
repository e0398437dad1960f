// Measures what a request costs in a database with years of data, compared with an empty one.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSchema } from '../../drivers/sql/engine.ts';
import { openAt } from '../contracts/store/open-at.ts';
import { type Growth, grow, YEARS } from '../support/growth.ts';
import { createPostgresSchema, isReachable, postgresUrl } from '../support/services.ts';
import { ratioOf } from './http.ts';
import { requestsPerSecond, type Shot } from './load.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { processorSeconds } from './proc.ts';
import { type Gateway, startGateway } from './servers.ts';

interface Place {
  url: string;
  drop(): Promise<void>;
}

const BAR = 1.2;
const ROUNDS = 11;
const SECONDS = 1;
const rpc = (name: string, args: object) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
const EXECUTE = rpc('execute_tools', { executions: [{ tool: 'time_now', args: {} }] });
const LIST = { work: 'tools/list', path: '/mcp', body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
const WORK: { work: string; path: string; body?: string }[] = [
  LIST,
  { work: 'execute_tools', path: '/mcp', body: EXECUTE },
  { work: '/api/connections', path: '/api/connections' },
  { work: '/api/audit', path: '/api/audit' },
];

export async function growthRows(): Promise<Row[]> {
  // The embedded database uses the gateway's processor time. A database server does not, so the rate is
  // compared.
  const engines: [string, () => Promise<Place>, Measure][] = [['SQLite', sqliteFile, byProcessorTime]];
  if (await isReachable(postgresUrl())) engines.push(['PostgreSQL', createPostgresSchema, byRate]);
  const rows: Row[] = [];
  for (const [engineName, open, measure] of engines) {
    rows.push(...(await compare(`in ${engineName}`, open, measure, WORK, YEARS)));
    const uncounted = { ...YEARS, isCounted: false };
    const what = `that are being counted and sealed in ${engineName}`;
    rows.push(...(await compare(what, open, measure, [LIST], uncounted)));
  }
  return rows;
}

async function sqliteFile(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'growth-'));
  return {
    url: `sqlite:${join(folder, 'service.db')}`,
    drop: async () => rmSync(folder, { recursive: true }),
  };
}

interface Side {
  pid: number;
  shot: Shot;
}
type Measure = (after: Side, before: Side) => Promise<{ cost: number; measured: string }>;

const byRate: Measure = async (after, before) => {
  const { ratio, ours } = await ratioOf(after.shot, before.shot);
  return { cost: 1 / ratio, measured: `${Math.round(ours)}/s` };
};

const byProcessorTime: Measure = async (after, before) => {
  async function secondsEach({ pid, shot }: Side): Promise<number> {
    const begun = processorSeconds(pid);
    const rate = await requestsPerSecond(shot, SECONDS);
    return (processorSeconds(pid) - begun) / (rate * SECONDS);
  }
  // The first rounds warm up both sides and do not count.
  for (const side of [after, before]) await secondsEach(side);
  const [costs, each]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const seconds = await secondsEach(after);
    each.push(seconds);
    costs.push(seconds / (await secondsEach(before)));
  }
  const measured = `${Math.round(median(each) * 1e6)} µs of processor time`;
  return { cost: median(costs), measured };
};

async function compare(
  where: string,
  open: () => Promise<Place>,
  measure: Measure,
  works: typeof WORK,
  growth: Growth,
): Promise<Row[]> {
  const [empty, grown] = [await open(), await open()];
  const engine = openAt(grown.url);
  await createSchema(engine);
  await grow(engine, growth);
  await engine.close();
  const [before, after] = [await lived(empty.url), await lived(grown.url)];
  try {
    const rows: Row[] = [];
    for (const { work, path, body } of works) {
      const side = ({ url, apiKey, pid }: Gateway): Side => ({
        pid,
        shot: {
          url: `${url}${path}`,
          headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
          ...(body === undefined ? {} : { body }),
        },
      });
      const { cost, measured } = await measure(side(after), side(before));
      rows.push({
        work: `${work} with ${YEARS.users} users, ${YEARS.users * YEARS.connectionsEach} connections and ${YEARS.auditRows} audit rows ${where}, against an empty database`,
        measured: `${cost.toFixed(2)} × the cost (${measured})`,
        bar: `≤ ${BAR} ×`,
        holds: cost <= BAR,
      });
    }
    return rows;
  } finally {
    await before.stop();
    await after.stop();
    await empty.drop();
    await grown.drop();
  }
}

/** Starts a gateway whose person has a connection and a few pages of audit rows, on either database. */
async function lived(url: string): Promise<Gateway> {
  const gateway = await startGateway(undefined, { DATABASE_URL: url });
  const ask = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json', 'x-service-api-key': gateway.apiKey };
    const response = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  };
  await ask('/api/auth/apikey/resend', '{"values":{"apiKey":"re_1"}}');
  for (let round = 0; round < 200; round++) await ask('/mcp', EXECUTE);
  return gateway;
}
