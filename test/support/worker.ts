// The Worker in a real workerd, configured by wrangler.example.toml as an operator would fill it in.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestHarness, type TestHarness, unstable_startWorker } from 'wrangler';

const ROOT = join(import.meta.dirname, '../..');
const D1 = /^\[\[d1_databases\]\]\n(?:.+\n)+/m;
const PUBLIC_URL = 'http://localhost:3000';

export interface WorkerOptions {
  vars: Record<string, string>;
  /** A PostgreSQL behind Hyperdrive, in place of D1. */
  postgres?: string;
  /** What is uploaded instead of the Worker; it sees the same bindings. */
  main?: string;
}

export interface Configured {
  configPath: string;
  vars: Record<string, string>;
  remove(): Promise<void>;
}

export interface RunningWorker {
  /** Where it listens; its public address is another. */
  url: URL;
  publicUrl: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** As it is in the world: whatever it fetches, workerd itself fetches. */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { configPath, vars, remove } = await configure(options);
  const worker = await unstable_startWorker({
    config: configPath,
    bindings: Object.fromEntries(
      Object.entries(vars).map(([name, value]) => [name, { type: 'plain_text', value }]),
    ),
    dev: {
      server: { hostname: '127.0.0.1', port: 0 },
      logLevel: 'none',
      watch: false,
      persist: false,
      inspector: false,
    },
  });
  await worker.ready;
  const url = await worker.url;
  return {
    url,
    publicUrl: PUBLIC_URL,
    request: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    async close() {
      await worker.dispose();
      await remove();
    },
  };
}

/** The same with its bindings and logs in the test's hands; here the test process fetches for it. */
export async function startHarness(
  options: WorkerOptions,
): Promise<RunningWorker & { harness: TestHarness }> {
  const { configPath, vars, remove } = await configure(options);
  const harness = createTestHarness({ workers: [{ configPath, vars }] });
  const { url } = await harness.listen();
  return {
    url,
    publicUrl: PUBLIC_URL,
    harness,
    request: (path, init) => fetch(new URL(path, url), { redirect: 'manual', ...init }),
    async close() {
      await harness.close();
      await remove();
    },
  };
}

/** The example, filled in, and a portal of two files. */
export async function configure({ vars, ...what }: WorkerOptions): Promise<Configured> {
  quietWrangler();
  const folder = await mkdtemp(join(tmpdir(), 'worker-'));
  await mkdir(join(folder, 'portal/assets'), { recursive: true });
  await writeFile(join(folder, 'portal/index.html'), '<!doctype html><title>Portal</title>');
  await writeFile(join(folder, 'portal/assets/app-1.js'), 'export {};');
  const configPath = join(folder, 'wrangler.toml');
  await writeFile(configPath, await filledIn(folder, what));
  return {
    configPath,
    vars: { SERVER_PUBLIC_URL: PUBLIC_URL, ...vars },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Without these wrangler looks for the network at each start. */
export function quietWrangler(): void {
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
}

async function filledIn(
  folder: string,
  { postgres, main = 'adapters/workers/worker.ts' }: Omit<WorkerOptions, 'vars'>,
): Promise<string> {
  const example = (await readFile(join(ROOT, 'wrangler.example.toml'), 'utf8'))
    .replace(/^main = .*/m, `main = ${JSON.stringify(join(ROOT, main))}`)
    .replace('"./dist/portal"', JSON.stringify(join(folder, 'portal')));
  if (postgres === undefined) return example;
  const place = new URL(postgres);
  // Hyperdrive wants one, whether the database asks for it or not.
  if (place.password === '') place.password = 'none';
  const hyperdrive = `[[hyperdrive]]\nbinding = "HYPERDRIVE"\nid = "1"\nlocalConnectionString = ${JSON.stringify(place.href)}\n`;
  return example.replace(D1, hyperdrive);
}
