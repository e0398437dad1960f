// npm run dev:worker: runs the Worker on this machine, in workerd with D1 and R2 in a folder. Needs neither
// account nor network.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { integrations } from '../../integrations/all.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDeps } from '../../src/deps.ts';
import { localOwner, portalLink } from '../node/owner.ts';
import { localSecret } from '../node/secrets.ts';
import type { Bindings } from './bindings.ts';
import { openIsolate } from './isolate.ts';
import { openPorts } from './ports.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, 'wrangler.example.toml');
const folder = resolve(process.env['DATA_DIR'] || join(ROOT, 'data'), 'worker');
const { PORT: port, SERVER_PUBLIC_URL, SESSION_SECRET, ENCRYPTION_KEY, ...secrets } = settings();
const { AUDIT_SIGNING_KEY = '' } = secrets;
// What a deployed Worker gets as secrets; an address on loopback needs no sign-in provider.
const vars = { SERVER_PUBLIC_URL, SESSION_SECRET, ENCRYPTION_KEY, AUDIT_SIGNING_KEY };
mkdirSync(folder, { recursive: true });
// Wrangler needs the portal's folder to exist, built or not.
mkdirSync(join(ROOT, 'dist/portal'), { recursive: true });
// Secrets go into a file, because every user of the machine can read a command line.
const own = join(folder, 'vars');
const lines = Object.entries(vars).map(([name, value]) => `${name}=${value}\n`);
writeFileSync(own, lines.join(''), { mode: 0o600 });
// Node itself looks for the file that such an option names, and ends if it does not exist.
const envFiles = [join(ROOT, '.dev.vars'), own].filter((file) => existsSync(file));
// Otherwise wrangler asks the network for data that nothing here needs.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
process.env['WRANGLER_SEND_METRICS'] = 'false';

console.log(await banner().catch(refuse));
const wrangler = spawn(
  process.execPath,
  [
    join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
    'dev',
    '--local',
    `--config=${CONFIG}`,
    `--port=${port}`,
    `--persist-to=${folder}`,
    ...envFiles.map((file) => `--env-file=${file}`),
  ],
  { stdio: 'inherit', cwd: ROOT },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => wrangler.kill(signal));
wrangler.on('exit', (code) => process.exit(code ?? 0));

function settings(): ReturnType<typeof readConfig> {
  try {
    return readConfig({ PORT: process.env['PORT'] || '8787' }, (name) => localSecret(name, folder));
  } catch (error) {
    return refuse(error);
  }
}

function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** Creates the owner here, in the Worker's own database: at the edge there is no terminal to print to. */
async function banner(): Promise<string> {
  const proxy = await getPlatformProxy<Record<string, unknown> & Pick<Bindings, 'DB' | 'BLOBS'>>({
    configPath: CONFIG,
    envFiles,
    persist: { path: join(folder, 'v3') },
  });
  try {
    const bindings = { ...proxy.env, ...vars };
    const isolate = openIsolate(bindings);
    const ports = openPorts(bindings, isolate);
    const deps = await createDeps({ ...ports, integrations, assets: createNoAssets() });
    const owner = await localOwner(deps);
    const session = owner === null ? '' : portalLink(isolate.config, owner.session);
    return [
      '',
      `  Tool gateway   ${vars.SERVER_PUBLIC_URL}`,
      `  MCP            ${vars.SERVER_PUBLIC_URL}/mcp`,
      `  Portal         ${session}`,
      `  API key        ${owner?.firstKey ?? 'shown in the portal'}`,
      '',
    ].join('\n');
  } finally {
    await proxy.dispose();
  }
}
