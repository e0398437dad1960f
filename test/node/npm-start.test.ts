// Tests `npm start`, the one command of a fresh machine: the builds, the gateway, and the exit through npm.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite, ROOT, runProgram, type Site } from '../support/gateway-process.ts';
import { beginUpload, untilRefused } from './connections.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

const npmStart = () => site.start({ command: ['npm', 'start'] });

describe('npm start', () => {
  it('serves the portal at the link it prints', async () => {
    const { portalLink } = await npmStart();
    const page = await fetch(portalLink);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });

  it('says in one line what is missing before "npm ci"', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fresh-clone-'));
    await cp(join(ROOT, 'adapters/node/start.mjs'), join(folder, 'adapters/node/start.mjs'));
    const start = ['node', join(ROOT, 'adapters/node/launch.mjs'), join(folder, 'adapters/node/start.mjs')];
    const { exited, output } = runProgram(start, {});
    expect(await exited).toEqual({ code: 1, signal: null });
    expect(output.stderr).toMatch(/^The packages .* run "npm ci" first\.\n$/);
    await rm(folder, { recursive: true });
  });

  // The test ignores npm's own exit code.
  it('finishes requests in flight and leaves no process when the whole group gets SIGTERM twice', async () => {
    const gateway = await npmStart();
    const upload = await beginUpload(gateway);
    gateway.signal('SIGTERM', 'group');
    await untilRefused(gateway);
    gateway.signal('SIGTERM', 'group');
    expect(await upload.finish()).toMatchObject({ status: 200 });
    await gateway.exited;
    expect(gateway.output.stdout).toContain('"event":"stopped"');
    // The pipes close a moment before the last process of the group ends.
    await expect.poll(() => gateway.hasProcesses(), { timeout: 10_000 }).toBe(false);
  });
});
