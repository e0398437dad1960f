// Tests the MCP servers of the real program: a wrong file stops the start, and a killed gateway leaves no process.
// decision: 044
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../support/gateway-process.ts';
import { official, script } from '../support/local-servers.ts';
import { markedProcesses } from '../support/marked-processes.ts';
import { talkingServer } from '../support/talking-server.ts';

let site: Site;
beforeEach(async () => {
  site = await openSite();
});
afterEach(() => site.close());

async function writeServers(mcpServers: object): Promise<Record<string, string>> {
  const file = join(dirname(site.dataDir), 'mcp.json');
  await writeFile(file, JSON.stringify({ mcpServers }));
  return { MCP_SERVERS: file, TMPDIR: dirname(file) };
}

describe('the file of MCP_SERVERS', () => {
  it('stops the start when it is wrong, and says what to write', async () => {
    const env = await writeServers({ memory: { comand: 'npx' } });
    const gateway = await site.spawn({ env });
    expect((await gateway.exited).code).toBe(1);
    expect(gateway.output.stderr).toBe(
      `The configuration has a problem:\n  MCP_SERVERS ${env['MCP_SERVERS']}: server "memory": needs "command" to be started, or "url" to be reached over HTTP\n`,
    );
  });

  it('may have names that cannot stand, which the log tells', async () => {
    const entry = script('process.stdin.resume()');
    const gateway = await site.start({ env: await writeServers({ github: entry, ['x'.repeat(40)]: entry }) });
    await gateway.says('is called \\"github_mcp\\"');
    await gateway.says('is left out, because a name has 1 to 32 letters');
    expect((await gateway.stop()).code).toBe(0);
  });

  it('stops the start when it does not exist', async () => {
    const gateway = await site.spawn({ env: { MCP_SERVERS: '/nowhere/mcp.json' } });
    expect((await gateway.exited).code).toBe(1);
    expect(gateway.output.stderr).toContain('MCP_SERVERS /nowhere/mcp.json: cannot be read (ENOENT)');
  });

  it('stops the start when a folder of it does not exist', async () => {
    const env = await writeServers({ memory: { command: 'npx', cwd: 'absent' } });
    const gateway = await site.spawn({ env });
    expect((await gateway.exited).code).toBe(1);
    expect(gateway.output.stderr).toContain('server "memory": "cwd" is not a folder of this machine');
  });

  it('may have a value in the arguments, with a warning', async () => {
    const env = await writeServers({ memory: { command: 'npx', args: ['--key', '${key}'] } });
    const gateway = await site.start({ env });
    await gateway.says('everybody on this machine can see');
    expect((await gateway.stop()).code).toBe(0);
  });
});

describe('a gateway that stops', () => {
  it('answers a call that its server does not finish, ends the server, and exits', async () => {
    const env = { MARK: crypto.randomUUID() };
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e9);`;
    const { command, args } = talkingServer();
    const entry = { command, args: [...args.slice(0, -1), `${stubborn}\n${args.at(-1)}`], env };
    const gateway = await site.start({ env: await writeServers({ stubborn: entry }) });
    const call = (tool: string) =>
      gateway.request('/rest/stubborn', {
        method: 'POST',
        headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify({ tool }),
      });
    await expect.poll(async () => (await call('echo')).status, { timeout: 25_000 }).toBe(200);
    const held = call('hold');
    expect((await call('echo')).status).toBe(200);
    const stopped = gateway.stop();
    const answer = await held;
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      error: 'The MCP server stubborn was ended by the gateway. The call may have run',
    });
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(markedProcesses(env.MARK)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a gateway that is killed', () => {
  const CHILD = ['node', 'adapters/node/launch.mjs', 'test/support/local-servers-child.ts'];
  const folders = async () =>
    (await readdir(dirname(site.dataDir))).filter((name) => name.startsWith('mcp-servers-'));

  it('leaves no process, also none that ignores its stdin and SIGTERM, and no folder', async () => {
    const env = { MARK: crypto.randomUUID() };
    const stubborn = `
      process.on('SIGTERM', () => {});
      const { spawn } = await import('node:child_process');
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
      setInterval(() => {}, 1e9);
      console.log('{}');`;
    const greeting = script(`console.log('{}'); process.stdin.resume();`, { env });
    const variables = await writeServers({ greeting, stubborn: script(stubborn, { env }) });
    const gateway = await site.spawn({ env: variables, command: CHILD });
    await gateway.says('all started');
    expect(markedProcesses(env.MARK)).toHaveLength(3);
    expect(await folders()).toHaveLength(1);
    gateway.signal('SIGKILL', 'group');
    await expect.poll(() => markedProcesses(env.MARK)).toEqual([]);
    await expect.poll(folders).toEqual([]);
  });

  it('lets an official server end by itself', async () => {
    const env = { MARK: crypto.randomUUID() };
    // The official server says nothing before it is asked, so a greeting tells that it runs.
    const { command, args } = official('memory');
    const greet = `console.log('{}'); await import(process.argv[1]);`;
    const memory = { command, args: ['--input-type=module', '--eval', greet, ...args], env };
    const gateway = await site.spawn({ env: await writeServers({ memory }), command: CHILD });
    await gateway.says('all started');
    expect(markedProcesses(env.MARK)).toHaveLength(1);
    gateway.signal('SIGKILL', 'group');
    await expect.poll(() => markedProcesses(env.MARK)).toEqual([]);
  });
});
