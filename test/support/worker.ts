// Runs the Worker in a real workerd, configured by wrangler.example.toml as an operator fills it in.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorker } from '../../adapters/workers/bundle.ts';
import { fillIn } from '../../adapters/workers/fill-in.ts';
import { EXAMPLE } from '../../adapters/workers/local-wrangler.ts';
import { textFilesOf } from '../../drivers/texts/asset.ts';
import { integrations } from '../../integrations/all.ts';
import { FEATURES } from '../../src/features.ts';
import { describeOperations } from '../../src/rest/openapi/gateway-document.ts';
import { searchTables } from '../../src/search/tables.ts';
import { guides } from '../../integrations/guides.ts';
import { createTestHarness, type TestHarness, unstable_startWorker } from 'wrangler';

const PUBLIC_URL = 'http://localhost:3000';

export interface WorkerOptions {
  vars: Record<string, string>;
  /** The URL of a PostgreSQL behind Hyperdrive, which replaces D1. */
  postgres?: string;
}

export interface Configured {
  configPath: string;
  vars: Record<string, string>;
  remove(): Promise<void>;
}

export interface RunningWorker {
  /** The address that it listens on, which differs from its public address. */
  url: URL;
  publicUrl: string;
  request(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Starts the Worker as in production: workerd itself sends its outgoing requests. */
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

/**
 * Starts the Worker with bindings and logs that a test can read. The test process sends its outgoing
 * requests.
 */
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

/** Writes the filled-in example configuration and a portal of three files. */
export async function configure({ vars, ...what }: WorkerOptions): Promise<Configured> {
  quietWrangler();
  const folder = await mkdtemp(join(tmpdir(), 'worker-'));
  await mkdir(join(folder, 'portal/assets'), { recursive: true });
  await writeFile(join(folder, 'portal/index.html'), '<!doctype html><title>Portal</title>');
  await writeFile(join(folder, 'portal/assets/app-1.js'), 'export {};');
  for (const below of ['texts', 'search']) await mkdir(join(folder, 'portal', below));
  for (const [name, text] of [
    ['guides.json', JSON.stringify(guides)] as const,
    ...textFilesOf(integrations, searchTables, describeOperations(FEATURES)),
  ])
    await writeFile(join(folder, 'portal', name), text);
  const main = await bundleWorker(join(folder, 'worker'));
  const configPath = join(folder, 'wrangler.toml');
  const example = await readFile(EXAMPLE, 'utf8');
  await writeFile(configPath, fillIn(example, { portal: join(folder, 'portal'), main, ...what }));
  return {
    configPath,
    vars: { SERVER_PUBLIC_URL: PUBLIC_URL, ...vars },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Stops wrangler from reaching for the network at each start. */
export function quietWrangler(): void {
  process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
  process.env['WRANGLER_SEND_METRICS'] = 'false';
}
