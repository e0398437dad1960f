// Measures a Worker's first response after a cold start and its later ones in a plain workerd, compared with
// the bare framework's Worker.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleWorker } from '../../adapters/workers/bundle.ts';
import { freePort } from '../support/listen.ts';
import { createPostgresDatabase, isReachable, postgresUrl } from '../support/services.ts';
import { ratioOf } from './http.ts';
import type { Row } from './main.ts';
import { median } from './median.ts';
import { processorMilliseconds } from './proc.ts';
import { pinned, startGateway, stop } from './servers.ts';

const ROUNDS = 15;
const BAR = 4;
const BAR_BYTES = 750_000;
const WARM_FLOOR = 0.1;
const METADATA = '/.well-known/oauth-protected-resource';
const SECRETS = {
  SERVER_PUBLIC_URL: 'http://localhost:3000',
  SESSION_SECRET: '0123456789abcdef'.repeat(4),
  ENCRYPTION_KEY: 'fedcba9876543210'.repeat(4),
};

export async function workerRows(): Promise<Row[]> {
  if (!(await isReachable(postgresUrl()))) return [];
  const folder = mkdtempSync(join(tmpdir(), 'worker-bench-'));
  const database = await createPostgresDatabase();
  // This gateway creates the schema and a person with a key.
  const gateway = await startGateway(undefined, { ...SECRETS, DATABASE_URL: database.url });
  const { apiKey } = gateway;
  try {
    const ask = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    };
    const answer = await (await fetch(`${gateway.url}/mcp`, ask)).text();
    const ours = await prepare(folder, 'ours', 'adapters/workers/worker.ts', [
      ...Object.entries(SECRETS).map(([name, text]) => binding(name, 'text', text)),
      binding('HYPERDRIVE', 'json', JSON.stringify({ connectionString: database.url })),
      binding('BLOBS', 'json', '{}'),
    ]);
    const bare = await prepare(folder, 'bare', 'test/bench/bare-worker.ts', [
      binding('ANSWER', 'text', answer),
    ]);
    return [
      await compare(
        'Worker, first response after a cold start, tools/list on PostgreSQL',
        ours,
        bare,
        '/mcp',
        ask,
      ),
      await compare(
        'Worker, first response after a cold start, metadata without a database',
        ours,
        bare,
        METADATA,
        {},
      ),
      await warmRow(ours, bare),
      sizeRow(join(folder, 'ours')),
    ];
  } finally {
    await gateway.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function sizeRow(place: string): Row {
  const upload = Buffer.concat(readdirSync(place).map((name) => readFileSync(join(place, name))));
  const bytes = gzipSync(upload, { level: 9 }).length;
  return {
    work: 'Worker, size of the upload',
    measured: `${Math.round(bytes / 1000)} kB gz`,
    bar: `≤ ${BAR_BYTES / 1000} kB gz`,
    holds: bytes <= BAR_BYTES,
  };
}

async function compare(
  work: string,
  ours: string,
  bare: string,
  path: string,
  ask: RequestInit,
): Promise<Row> {
  const [ourStarts, theirStarts]: [Start[], Start[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    ourStarts.push(await firstAnswer(ours, path, ask));
    theirStarts.push(await firstAnswer(bare, path, ask));
  }
  const of = (starts: Start[], what: keyof Start) => median(starts.map((start) => start[what]));
  const [our, their] = [of(ourStarts, 'milliseconds'), of(theirStarts, 'milliseconds')];
  const processor = [ourStarts, theirStarts].map((starts) => of(starts, 'processor').toFixed(0));
  return {
    work: `${work}, against the bare framework’s`,
    measured: `${(our / their).toFixed(2)} × (${our.toFixed(0)} ms, ${their.toFixed(0)} ms; processor time ${processor.join(' ms, ')} ms)`,
    bar: `≤ ${BAR} ×`,
    holds: our / their <= BAR,
  };
}

/**
 * Measures the responses after the first. The design has no target for this; the floor is a third of a
 * measured value.
 */
async function warmRow(ours: string, bare: string): Promise<Row> {
  const [our, their] = [await start(ours, METADATA, {}), await start(bare, METADATA, {})];
  try {
    const shot = { url: `${our.origin}${METADATA}`, headers: {} };
    const { ratio, ours: rate } = await ratioOf(shot, { ...shot, url: `${their.origin}${METADATA}` });
    return {
      work: 'Worker, warm responses, metadata without a database, against the bare framework’s',
      measured: `${ratio.toFixed(2)} × (${Math.round(rate)}/s)`,
      bar: `≥ ${WARM_FLOOR} ×`,
      holds: ratio >= WARM_FLOOR,
    };
  } finally {
    await Promise.all([stop(our.child), stop(their.child)]);
  }
}

interface Start {
  /** From the start of the runtime to a complete response. */
  milliseconds: number;
  /** Milliseconds of processor time of the runtime until then. */
  processor: number;
}

async function firstAnswer(config: string, path: string, ask: RequestInit): Promise<Start> {
  const begun = performance.now();
  const { child } = await start(config, path, ask);
  const milliseconds = performance.now() - begun;
  const processor = processorMilliseconds(child.pid ?? 0);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { milliseconds, processor };
}

/** Starts workerd on a free port and waits for a complete response. */
async function start(
  config: string,
  path: string,
  ask: RequestInit,
): Promise<{ origin: string; child: ChildProcess }> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const [command, args] = pinned(0, workerdBinary(), [
    'serve',
    config,
    `--socket-addr=http=${new URL(origin).host}`,
  ]);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  for (;;) {
    const response = await fetch(`${origin}${path}`, ask).catch(() => null);
    if (response === null) {
      await new Promise((resolve) => setTimeout(resolve, 2));
      continue;
    }
    const text = await response.text();
    if (response.ok) return { origin, child };
    child.kill('SIGKILL');
    throw new Error(`${response.status} ${text}`);
  }
}

/** Bundles the Worker as for an upload, with a configuration for workerd. */
async function prepare(folder: string, name: string, main: string, bindings: string[]): Promise<string> {
  const place = join(folder, name);
  await bundleWorker(place, main);
  // The first module is the one that answers.
  const modules = ['worker.js', ...readdirSync(place).filter((file) => file !== 'worker.js')];
  const embedded = modules.map((file) => `(name = "${file}", esModule = embed "${name}/${file}")`);
  const capnp = join(folder, `${name}.capnp`);
  writeFileSync(
    capnp,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${embedded.join(', ')}],
  bindings = [${bindings.join(', ')}],
  compatibilityDate = "2026-10-23",
  compatibilityFlags = ["nodejs_compat", "enable_request_signal"],
);
`,
  );
  return capnp;
}

const binding = (name: string, kind: 'text' | 'json', value: string): string =>
  `(name = "${name}", ${kind} = ${JSON.stringify(value)})`;

function workerdBinary(): string {
  const find = createRequire(createRequire(import.meta.url).resolve('wrangler/package.json'));
  // The package names its binary for each platform.
  const { default: path }: { default: string } = find('workerd');
  return path;
}
