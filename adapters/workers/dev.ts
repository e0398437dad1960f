// npm run dev:worker: the Worker on this machine, in workerd with D1 and R2 in a folder. Needs neither account nor network.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { integrations } from '../../integrations/all.ts';
import { createDeps } from '../../src/deps.ts';
import { localOwner, portalLink } from '../node/owner.ts';
import { localSecret } from '../node/secrets.ts';
import type { Bindings } from './bindings.ts';
import { openIsolate } from './isolate.ts';
import { openPorts } from './ports.ts';

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = join(ROOT, 'wrangler.example.toml');
const port = process.env['PORT'] ?? '8787';
const folder = resolve(process.env['DATA_DIR'] ?? join(ROOT, 'data'), 'worker');
mkdirSync(folder, { recursive: true });
// Wrangler wants the folder of the portal to be there, built or not.
mkdirSync(join(ROOT, 'dist/portal'), { recursive: true });
// What a deployed Worker is given as secrets; an address on loopback needs no sign-in provider.
const vars = {
  SERVER_PUBLIC_URL: `http://localhost:${port}`,
  SESSION_SECRET: localSecret('SESSION_SECRET', folder),
  ENCRYPTION_KEY: localSecret('ENCRYPTION_KEY', folder),
};
// Else wrangler asks the network for things that nothing here needs.
process.env['CLOUDFLARE_CF_FETCH_ENABLED'] = 'false';
process.env['WRANGLER_SEND_METRICS'] = 'false';

console.log(await banner());
const wrangler = spawn(
  process.execPath,
  [
    join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
    'dev',
    '--local',
    `--config=${CONFIG}`,
    `--port=${port}`,
    `--persist-to=${folder}`,
    ...Object.entries(vars).flatMap(([name, value]) => ['--var', `${name}:${value}`]),
  ],
  { stdio: 'inherit', cwd: ROOT },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => wrangler.kill(signal));
wrangler.on('exit', (code) => process.exit(code ?? 0));

/** The owner is made here, in the Worker's own database: at the edge there is nobody to print to. */
async function banner(): Promise<string> {
  const proxy = await getPlatformProxy<Record<string, unknown> & Pick<Bindings, 'DB' | 'BLOBS'>>({
    configPath: CONFIG,
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
