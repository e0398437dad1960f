// Tests how the servers of MCP_SERVERS are listed: side by side, again after a failure, and when their tools change.
// decision: 044
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { LocalServers } from '../../src/ports/local-servers.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { openServers } from '../support/local-servers.ts';
import { call } from '../support/mcp.ts';
import { talkingServer } from '../support/talking-server.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Stand {
  app: TestApp;
  ana: ImportUser;
  started: Promise<void>;
}

async function open(entries: Parameters<typeof openServers>[0], maxProcesses = 50): Promise<Stand> {
  const { localServers, close } = await openServers(entries, { maxProcesses });
  closing.push(close);
  const app = await createTestApp({ ports: { localServers } });
  closing.push(async () => {
    await app.deps.mcp.close();
    await app.close();
  });
  const ana = createImportUser(app, await app.user('owner@localhost'));
  const started = app.deps.imports.start(new AbortController().signal);
  return { app, ana, started };
}

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'operator-'));
  closing.push(() => rm(folder, { recursive: true }));
  return folder;
}

/** A talking server that runs something first. */
function after(first: string, env: Record<string, string>) {
  const { command, args } = talkingServer();
  return { command, args: [...args.slice(0, -1), `${first}\n${args.at(-1)}`], env };
}

describe('the servers of the file', () => {
  it('do not wait for a slow one', async () => {
    const gate = join(await openFolder(), 'gate');
    const wait = `
      const { existsSync } = await import('node:fs');
      while (!existsSync(process.env.GATE)) await new Promise((resolve) => setTimeout(resolve, 20));`;
    const slow = after(wait, { GATE: gate });
    const { ana, started } = await open({ slow, quick: talkingServer() });
    await expect.poll(() => ana.run('quick_echo', { text: 'x' })).toEqual({ result: 'x' });
    expect(await ana.run('slow_echo')).toMatchObject({ error: 'Tool not found' });
    await writeFile(gate, '');
    await started;
    expect(await ana.run('slow_echo', { text: 'y' })).toEqual({ result: 'y' });
  });

  it('that cannot be started leave no key of the call', async () => {
    const opened = await openServers({ talking: { ...talkingServer(), shared: false } });
    closing.push(opened.close);
    let isBroken = false;
    const localServers: LocalServers = {
      ...opened.localServers,
      start: (...given) =>
        isBroken ? Promise.reject(new DriverFailure('no disk')) : opened.localServers.start(...given),
    };
    const app = await createTestApp({ ports: { localServers } });
    closing.push(async () => {
      await app.deps.mcp.close();
      await app.close();
    });
    const ana = await app.user('owner@localhost');
    await app.deps.imports.start(new AbortController().signal);
    const echo = async () => {
      const executions = [{ tool: 'talking_echo', args: { text: 'x' }, key: 'k' }];
      const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
      return results[0];
    };
    isBroken = true;
    expect((await echo()).error).toContain('could not be started');
    isBroken = false;
    expect(await echo()).toEqual({ result: 'x' });
    expect(await echo()).toEqual({ result: 'x', replayed: true });
  });

  it('are asked again when they could not be listed', async () => {
    const tried = join(await openFolder(), 'tried');
    // A listing starts a process that ends early once more.
    const failing = `
      const { appendFileSync, readFileSync } = await import('node:fs');
      appendFileSync(process.env.TRIED, 'x');
      if (readFileSync(process.env.TRIED, 'utf8').length < 4) process.exit(1);`;
    const entry = after(failing, { TRIED: tried });
    const { ana, started } = await open({ late: entry });
    await started;
    expect(await ana.run('late_echo', { text: 'x' })).toEqual({ result: 'x' });
  });

  it('that were not listed at one start are asked at the next one', async () => {
    const mended = join(await openFolder(), 'mended');
    const failing = `if (!(await import('node:fs')).existsSync(process.env.MENDED)) process.exit(1);`;
    const entry = after(failing, { MENDED: mended });
    const { app, ana, started } = await open({ late: entry });
    await started;
    expect(await ana.run('late_echo')).toMatchObject({ error: 'Tool not found' });
    await writeFile(mended, '');
    await app.deps.imports.start(new AbortController().signal);
    expect(await ana.run('late_echo', { text: 'x' })).toEqual({ result: 'x' });
  });

  it('are listed again when one says that its tools have changed, also twice within a minute', async () => {
    const { ana, started } = await open({ talking: talkingServer() });
    await started;
    const names = async () => {
      const { body } = await ana.send('GET', '/api/imports/talking');
      return body.tools.map(({ name }: { name: string }) => name);
    };
    for (const text of ['one', 'two', 'three']) await ana.run('talking_grow', { text });
    await expect.poll(names).toEqual(expect.arrayContaining(['talking_one', 'talking_two', 'talking_three']));
  });

  it('are answered 503 with Retry-After when all that may run are busy', async () => {
    const entry = talkingServer({ shared: false });
    const { app, ana, started } = await open({ a: entry, b: entry }, 1);
    await started;
    const post = (server: string, tool: string) =>
      app.request(`/rest/${server}`, {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json' },
        body: JSON.stringify({ tool }),
      });
    const held = post('a', 'hold');
    expect((await post('a', 'echo')).status).toBe(200);
    const refused = await post('b', 'echo');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '5']);
    expect(await refused.json()).toEqual({
      error: 'All local servers that may run are busy. Try again in a minute',
    });
    await post('a', 'free');
    expect((await held).status).toBe(200);
    expect((await post('b', 'echo')).status).toBe(200);
  });
});
