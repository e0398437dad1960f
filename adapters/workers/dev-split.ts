// npm run dev:split: the Worker in workerd with a Node gateway behind it, on this machine: one address, one PostgreSQL, one bucket.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isVariable, readConfig, requireHexKey } from '../../src/config/config.ts';
import { ConfigError, type Problem } from '../../src/config/config-error.ts';
import { localSecret } from '../node/secrets.ts';
import { fillIn } from './fill-in.ts';
import { EXAMPLE, prepare, refuse, ROOT, startWrangler } from './local-wrangler.ts';

const SETTINGS = join(ROOT, '.dev.vars');
/** Each half has its own, or both have what is set below. */
const OF_ONE_HALF = new Set(['PORT', 'HOST', 'WORKERS', 'DATA_DIR', 'DATABASE_URL', 'NODE_ORIGIN']);
const CLIENT = /_CLIENT_(?:ID|SECRET)$|_INSTANCES$/;
const AGAIN_MS = 1_000;

loadSettings();
const folder = resolve(process.env['DATA_DIR'] || join(ROOT, 'data'), 'split');
const config = settings();
const { PORT: port, SERVER_PUBLIC_URL, SESSION_SECRET, ENCRYPTION_KEY, AUDIT_SIGNING_KEY = '' } = config;
const nodePort = port === 65_535 ? port - 1 : port + 1;
const origin = `http://127.0.0.1:${nodePort}`;
const common = {
  SERVER_PUBLIC_URL,
  SESSION_SECRET,
  ENCRYPTION_KEY: requireHexKey(ENCRYPTION_KEY),
  AUDIT_SIGNING_KEY,
  PENDING_STORE: 'database',
};
const envFiles = prepare(folder, { ...shared(), ...common, NODE_ORIGIN: origin });
const tables = join(folder, 'wrangler.toml');
const example = readFileSync(EXAMPLE, 'utf8');
const postgres = process.env['DATABASE_URL'];
const main = join(folder, 'bundle/worker.js');
const filled = fillIn(example, {
  portal: join(ROOT, 'dist/portal'),
  main,
  bundledFrom: folder,
  postgres,
});
// The address of a database may have a password.
writeFileSync(tables, filled, { mode: 0o600 });

let isStopping = false;
let node = startNode();
await untilItAnswers();
const wrangler = startWrangler({ config: tables, port, folder, envFiles });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
wrangler.on('exit', (code) => {
  stop();
  process.exit(code ?? 0);
});

function loadSettings(): void {
  try {
    process.loadEnvFile(SETTINGS);
  } catch {
    // There need not be one.
  }
}

function settings(): ReturnType<typeof readConfig> {
  try {
    const env = { ...process.env, PORT: process.env['PORT'] || '8787' };
    const read = readConfig(env, (name) => localSecret(name, folder));
    const problems: Problem[] = [];
    if (read.DATABASE_URL.kind !== 'postgres')
      problems.push({ name: 'DATABASE_URL', message: 'must be postgres://…: both halves use one database' });
    if (read.BLOBS_URL.kind !== 's3')
      problems.push({ name: 'BLOBS_URL', message: 'must be s3://<bucket>?endpoint=…: both use one bucket' });
    if (problems.length > 0) throw new ConfigError(problems);
    return read;
  } catch (error) {
    const hint = '\nexamples/split starts a PostgreSQL and a bucket with the values for both.';
    return refuse(error instanceof ConfigError ? `${error.message}${hint}` : error);
  }
}

/** What the environment says to both halves. */
function shared(): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) => (isVariable(name) && !OF_ONE_HALF.has(name)) || CLIENT.test(name),
  );
  return Object.fromEntries(own.map(([name, value = '']) => [name, value]));
}

/** A Node gateway that has ended is started again. Meanwhile the edge says that it is away. */
function startNode(): ChildProcess {
  const started = spawn(process.execPath, [join(ROOT, 'adapters/node/start.mjs')], {
    stdio: 'inherit',
    cwd: ROOT,
    env: { ...process.env, ...common, PORT: String(nodePort), HOST: '127.0.0.1', DATA_DIR: folder },
  });
  started.on('exit', (code) => {
    if (isStopping) return;
    console.error(`The Node gateway has ended (${code ?? 'by a signal'}). It starts again.`);
    void sleep(AGAIN_MS).then(() => {
      if (!isStopping) node = startNode();
    });
  });
  return started;
}

async function untilItAnswers(): Promise<void> {
  for (;;) {
    const answer = await fetch(`${origin}/health`).catch(() => null);
    await answer?.body?.cancel();
    if (answer !== null) return;
    if (node.exitCode !== null) process.exit(node.exitCode);
    await sleep(100);
  }
}

function stop(): void {
  isStopping = true;
  node.kill('SIGTERM');
  wrangler.kill('SIGTERM');
}
