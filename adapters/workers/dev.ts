// npm run dev:worker: runs the Worker on this machine, in workerd with D1 and R2 in a folder. Needs neither
// account nor network.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getPlatformProxy } from 'wrangler';
import { createNoAssets } from '../../drivers/assets/none.ts';
import { integrations } from '../../integrations/all.ts';
import { readConfig, requireHexKey } from '../../src/config/config.ts';
import { createDeps } from '../../src/deps.ts';
import { localOwner, portalLink } from '../node/owner.ts';
import { localSecret } from '../node/secrets.ts';
import type { Bindings } from './bindings.ts';
import { fillIn } from './fill-in.ts';
import { openIsolate } from './isolate.ts';
import { EXAMPLE, prepare, refuse, ROOT, startWrangler } from './local-wrangler.ts';
import { openPorts } from './ports.ts';

const folder = resolve(process.env['DATA_DIR'] || join(ROOT, 'data'), 'worker');
const { PORT: port, SERVER_PUBLIC_URL, SESSION_SECRET, ENCRYPTION_KEY, ...secrets } = settings();
const { AUDIT_SIGNING_KEY = '' } = secrets;
// What a deployed Worker gets as secrets; an address on loopback needs no sign-in provider.
const vars = {
  SERVER_PUBLIC_URL,
  SESSION_SECRET,
  ENCRYPTION_KEY: requireHexKey(ENCRYPTION_KEY),
  AUDIT_SIGNING_KEY,
};
const envFiles = prepare(folder, vars);
const config = join(folder, 'wrangler.toml');
const places = {
  portal: join(ROOT, 'dist/portal'),
  main: join(folder, 'bundle/worker.js'),
  bundledFrom: folder,
};
writeFileSync(config, fillIn(readFileSync(EXAMPLE, 'utf8'), places));

console.log(await banner().catch(refuse));
const wrangler = startWrangler({ config, port, folder, envFiles });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => wrangler.kill(signal));
wrangler.on('exit', (code) => process.exit(code ?? 0));

function settings(): ReturnType<typeof readConfig> {
  try {
    return readConfig({ PORT: process.env['PORT'] || '8787' }, (name) => localSecret(name, folder));
  } catch (error) {
    return refuse(error);
  }
}

/** Creates the owner here, in the Worker's own database: at the edge there is no terminal to print to. */
async function banner(): Promise<string> {
  const proxy = await getPlatformProxy<Record<string, unknown> & Pick<Bindings, 'DB' | 'BLOBS'>>({
    configPath: config,
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
