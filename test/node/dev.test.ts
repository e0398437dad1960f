// Checks `npm run dev` on a copy of the sources: the gateway restarts on a change, and the portal comes from its sources.
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT, type Program, runProgram } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { freePort } from '../support/listen.ts';

const COPIED = [
  'adapters',
  'drivers',
  'integrations',
  'portal',
  'src',
  'package.json',
  'vite.config.ts',
  'vite.parts.ts',
];
const CHANGED = 'src/http/errors.ts';

let folder: string;
let ports: { gateway: number; portal: number };
let program: Program | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dev-'));
  for (const name of COPIED) await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  ports = { gateway: await freePort(), portal: await freePort() };
});
afterEach(async () => {
  program?.signal('SIGKILL', 'group');
  await program?.exited;
  await rm(folder, { recursive: true, force: true });
});

function startDev(env: Record<string, string> = {}): Program {
  program = runProgram(
    ['npm', 'run', 'dev', '--', '--port', String(ports.portal)],
    { HOME: folder, DATA_DIR: join(folder, 'data'), PORT: String(ports.gateway), ...env },
    folder,
  );
  return program;
}

const fromGateway = (path: string) => fetch(`http://localhost:${ports.gateway}${path}`);
const fromPortal = (path: string) => fetch(`http://localhost:${ports.portal}${path}`);
const count = (text: string, part: string) => text.split(part).length - 1;

describe('npm run dev', () => {
  it('restarts the gateway when a file changes, also after a change that it cannot run', async () => {
    const { output, says, signal, exited, hasProcesses } = startDev();
    await says('"event":"listening"');
    expect(output.stdout).toContain(`  Portal from its sources   http://localhost:${ports.portal}\n`);
    expect(output.stdout).toContain(`  Portal         http://localhost:${ports.portal}/#token=`);
    expect(await (await fromPortal('/')).text()).toContain('<script type="module"');
    expect((await fromPortal('/api/auth/me')).status).toBe(401);
    expect(await (await fromGateway('/none')).json()).toEqual({ error: 'Not found' });

    const file = join(folder, CHANGED);
    const source = await readFile(file, 'utf8');
    await writeFile(file, source.replaceAll("'Not found'", "'Found nothing'"));
    await expect.poll(() => count(output.stdout, '"event":"listening"')).toBe(2);
    expect(await (await fromGateway('/none')).json()).toEqual({ error: 'Found nothing' });

    await writeFile(file, `${source}\nthis is no TypeScript (`);
    await expect.poll(() => output.stderr).toContain('The gateway has failed.');
    expect((await fromPortal('/')).status).toBe(200);

    // Editors and git replace a file instead of writing to it.
    await rm(file);
    await writeFile(file, source);
    await expect.poll(() => count(output.stdout, '"event":"listening"')).toBe(3);
    expect(await (await fromGateway('/none')).json()).toEqual({ error: 'Not found' });

    signal('SIGINT', 'group');
    await exited;
    expect(count(output.stdout, '"event":"stopped"')).toBe(3);
    await expect.poll(hasProcesses).toBe(false);
  }, 120_000);

  it('starts no gateway if GATEWAY_URL names one', async () => {
    const other = await startHttpServer((_request, response) => response.end('the other gateway'));
    const { output, says, signal, exited } = startDev({ GATEWAY_URL: `http://localhost:${other.port}` });
    await says(`  Gateway                   http://localhost:${other.port}\n`);
    expect(await (await fromPortal('/api/auth/me')).text()).toBe('the other gateway');
    signal('SIGINT', 'group');
    await exited;
    expect(output.stdout).not.toContain('listening');
    await other.close();
  }, 60_000);
});
