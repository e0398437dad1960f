// Tests the MCP servers that the gateway starts: real ones, and processes that misbehave. decision: 044
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalProcess } from '../../src/ports/local-servers.ts';
import { official, type OpenedServers, openServers, script, transportOf } from '../support/local-servers.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { markedProcesses } from '../support/marked-processes.ts';
import { waitFor, waitUntil } from '../support/wait.ts';

let opened: OpenedServers | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});
async function open(...given: Parameters<typeof openServers>): Promise<OpenedServers> {
  opened = await openServers(...given);
  return opened;
}

const mark = () => ({ MARK: crypto.randomUUID() });
const reasonOf = (started: LocalProcess) =>
  waitFor(
    'the end',
    new Promise<string>((resolve) => {
      started.onEnd = ({ reason, words }) => resolve(words === '' ? reason : `${reason}: ${words}`);
    }),
    () => opened?.logged,
  );
const messageOf = (started: LocalProcess) =>
  waitFor('a message', new Promise<string>((resolve) => (started.onMessage = resolve)), () => opened?.logged);
/** Says that it runs and goes on for ever, whatever happens to stdin. */
const FOREVER = `setInterval(() => {}, 1e9); console.log('{}');`;

describe('an official server', () => {
  const talk = async (started: LocalProcess) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transportOf(started));
    return client;
  };

  it('server-memory lists its tools and remembers within one process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'memory-'));
    // Without this variable the server writes beside its own program.
    const env = { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const { localServers } = await open({ memory: { ...official('memory'), env } });
    const client = await talk(await localServers.start('memory', {}));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('create_entities');
    const entities = [{ name: 'ana', entityType: 'person', observations: ['likes tea'] }];
    await client.callTool({ name: 'create_entities', arguments: { entities } });
    const { structuredContent } = await client.callTool({ name: 'read_graph', arguments: {} });
    expect(structuredContent).toMatchObject({ entities });
    await client.close();
    await rm(folder, { recursive: true });
  });

  it('server-filesystem reads a file of the folder that a person has entered', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'files-'));
    await writeFile(join(folder, 'note.txt'), 'hello');
    const { localServers } = await open({ files: official('filesystem', '${folder}') });
    const client = await talk(await localServers.start('files', { folder }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('read_text_file');
    const path = join(folder, 'note.txt');
    const { content } = await client.callTool({ name: 'read_text_file', arguments: { path } });
    expect(content).toEqual([{ type: 'text', text: 'hello' }]);
    await client.close();
    await rm(folder, { recursive: true });
  });

  it('server-everything answers a call', async () => {
    const { localServers } = await open({ everything: official('everything', 'stdio') });
    const client = await talk(await localServers.start('everything', {}));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo');
    const { content } = await client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }]);
    await client.close();
  });

  it('ends with its children when it was started through npx', async () => {
    const env = mark();
    const { localServers } = await open({
      memory: { command: 'npx', args: ['--offline', 'mcp-server-memory'], cwd: process.cwd(), env },
    });
    const client = await talk(await localServers.start('memory', {}));
    expect((await client.listTools()).tools).not.toEqual([]);
    expect(markedProcesses(env.MARK).length).toBeGreaterThan(1);
    await client.close();
    await expect.poll(() => markedProcesses(env.MARK)).toEqual([]);
  });
});

describe('the environment of a process', () => {
  const TELL = `console.log(JSON.stringify({ env: process.env, cwd: process.cwd(), args: process.argv.slice(1) }));
    process.stdin.resume();`;

  it('has the variables of the file and a few of the system, and no secret of the gateway', async () => {
    const env = {
      PATH: process.env['PATH'],
      LANG: 'C.UTF-8',
      TZ: 'Europe/Paris',
      HOME: '/home/operator',
      ENCRYPTION_KEY: 'a'.repeat(64),
      NODE_OPTIONS: '--no-warnings',
      HOSTED_CLIENT_SECRET: 'hush',
      COMPANY_TOKEN: 'from the operator',
    };
    const own = { KEY: 'Bearer ${Api_Key}', COMPANY: '${env:COMPANY_TOKEN}', FIXED: 'yes' };
    const { localServers } = await open({ tell: script(TELL, { env: own }) }, { env });
    const started = await localServers.start('tell', { api_key: 'of ana ${api_key}' });
    const seen = JSON.parse(await messageOf(started));
    const { HOME: home, TMPDIR: temporary, ...others } = seen.env;
    const { npm_config_cache: npm, UV_CACHE_DIR: uv, UV_PYTHON_INSTALL_DIR: python, ...rest } = others;
    expect([npm, uv, python].map((cache) => dirname(cache))).toEqual(
      Array(3).fill(expect.stringMatching(/data\/mcp-servers-cache\/tell$/)),
    );
    expect(rest).toEqual({
      PATH: env.PATH,
      LANG: 'C.UTF-8',
      TZ: 'Europe/Paris',
      KEY: 'Bearer of ana ${api_key}',
      COMPANY: 'from the operator',
      FIXED: 'yes',
    });
    expect(seen.cwd).toBe(home);
    expect([existsSync(home), existsSync(temporary), dirname(home) === dirname(temporary)]).toEqual([
      true,
      true,
      true,
    ]);
    await started.end();
    await expect.poll(() => existsSync(dirname(home))).toBe(false);
  });

  it('has folders of its own for each process', async () => {
    const { localServers } = await open({ tell: script(TELL) });
    const homes = await Promise.all(
      [1, 2].map(async () => JSON.parse(await messageOf(await localServers.start('tell', {}))).env.HOME),
    );
    expect(homes[0]).not.toBe(homes[1]);
  });

  it('keeps what package managers download for the next process of the same entry only', async () => {
    const { localServers } = await open({
      one: script(TELL),
      other: script(TELL),
      theirs: script(TELL, { env: { KEY: '${key}' } }),
      own: script(TELL, { env: { npm_config_cache: '/srv/npm' } }),
    });
    const env = async (name: string, values = {}) =>
      JSON.parse(await messageOf(await localServers.start(name, values))).env;
    const [one, other, theirs, own] = [
      await env('one'),
      await env('other'),
      await env('theirs', { key: 'of ana' }),
      await env('own'),
    ];
    expect(other.npm_config_cache).not.toBe(one.npm_config_cache);
    expect(own.npm_config_cache).toBe('/srv/npm');
    // Programs keep data of people there.
    expect([typeof one.XDG_CACHE_HOME, theirs.XDG_CACHE_HOME]).toEqual(['string', undefined]);
    await mkdir(one.npm_config_cache, { recursive: true });
    await writeFile(join(one.npm_config_cache, 'kept'), '');
    await localServers.close();
    expect(existsSync(join(one.npm_config_cache, 'kept'))).toBe(true);
  });

  it('passes arguments on without a shell', async () => {
    const { localServers } = await open({
      tell: { ...script(TELL), args: [...script(TELL).args, '--', 'a=${x}'] },
    });
    const started = await localServers.start('tell', { x: '$(id); `id` "q" *' });
    expect(JSON.parse(await messageOf(started)).args).toEqual(['a=$(id); `id` "q" *']);
  });

  it.each([
    ['with a line break', { x: 'a\nb' }, /value for x .* has a line break/],
    ['with NUL', { x: 'a\0b' }, /value for x/],
    ['that is too long', { x: 'a'.repeat(16_385) }, /value for x .* is too long/],
    ['that is missing', {}, /needs a value for x/],
    ['that would become an option of the program', { x: '--eval=evil' }, /must not begin with "-"/],
  ])('refuses a value %s', async (_, values, message) => {
    const { localServers } = await open({ tell: { command: 'node', args: ['${x}'] } });
    const refused = localServers.start('tell', values);
    await expect(refused).rejects.toMatchObject({ name: 'DriverFailure' });
    await expect(refused).rejects.toThrow(message);
  });
});

describe('a process that misbehaves', () => {
  it('is named by its command only when it cannot be started', async () => {
    const { localServers, logged } = await open({
      gone: { command: '/nowhere/server', args: ['${x}'], env: { KEY: '${x}' } },
    });
    const failure: unknown = await localServers
      .start('gone', { x: 'value of ana' })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'DriverFailure' });
    expect(inspect(failure)).toContain(
      '[processes] The command /nowhere/server of the MCP server gone cannot be started (ENOENT).',
    );
    expect(inspect(failure)).not.toContain('value of ana');
    expect(JSON.stringify(logged)).not.toContain('value of ana');
  });

  it('is explained by exit code and last words, without the values of anybody', async () => {
    const { localServers, logged } = await open(
      {
        fails: script(
          `console.error('starting'); throw new Error('wrong key ' + process.env.KEY + process.env.COMPANY)`,
          {
            env: { KEY: '${key}', COMPANY: '${env:COMPANY_TOKEN}' },
          },
        ),
      },
      { env: { ...process.env, COMPANY_TOKEN: 'company-token' } },
    );
    const reason = await reasonOf(await localServers.start('fails', { key: 'key-of-ana' }));
    expect(reason).toBe('The MCP server fails ended with exit code 1: starting / Error: wrong key ……');
    expect(logged).toContainEqual(expect.objectContaining({ event: 'mcp server said', text: 'starting' }));
    expect(JSON.stringify(logged)).not.toMatch(/key-of-ana|company-token/);
  });

  it('is explained by its last lines, without the source that Node shows', async () => {
    const { localServers } = await open({
      fails: script(`console.error('one\\ntwo\\nno key\\nset THE_KEY.'); process.exitCode = 1;`),
      throws: script(`throw new Error('no key');`),
    });
    expect(await reasonOf(await localServers.start('fails', {}))).toMatch(/: two \/ no key \/ set THE_KEY$/);
    expect(await reasonOf(await localServers.start('throws', {}))).toMatch(/exit code 1: Error: no key$/);
  });

  it('tells its end also to a listener that comes later, and once', async () => {
    const { localServers, logged } = await open({ ends: script('process.exit(3)') });
    const started = await localServers.start('ends', {});
    await waitUntil(
      'the end',
      () => logged.some(({ event }) => event === 'mcp server ended'),
      () => logged,
    );
    expect(await reasonOf(started)).toBe('The MCP server ends ended with exit code 3');
    let again = 0;
    started.onEnd = () => again++;
    await expect(started.send('{}')).rejects.toMatchObject({ name: 'Unavailable' });
    expect(again).toBe(0);
  });

  it('is ended when it sends more than 16 MiB without a line break', async () => {
    const { localServers } = await open({
      flood: script(`const more = () => process.stdout.write('x'.repeat(1e6), more); more();`),
    });
    expect(await reasonOf(await localServers.start('flood', {}))).toBe(
      'The MCP server flood was ended because it sent a line of more than 16 MiB',
    );
  });

  it('may send a line of almost 16 MiB', async () => {
    const { localServers } = await open({
      large: script(
        `console.log(JSON.stringify('x'.repeat(16e6)).replace(/^/, '[') + ']'); process.stdin.resume();`,
      ),
    });
    expect((await messageOf(await localServers.start('large', {}))).length).toBe(16e6 + 4);
  });

  it('gets SIGTERM after two seconds and SIGKILL after five more, with its children', async () => {
    const clock = createManualClock();
    const env = mark();
    const stubborn = `
      process.on('SIGTERM', () => console.log('{"got":"SIGTERM"}'));
      process.stdin.on('end', () => console.log('{"got":"end"}')).resume();
      const { spawn } = await import('node:child_process');
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
      ${FOREVER}`;
    const { localServers } = await open({ stubborn: script(stubborn, { env }) }, { clock });
    const started = await localServers.start('stubborn', {});
    const got: string[] = [];
    started.onMessage = (line) => got.push(line);
    const hasGot = (count: number) =>
      waitUntil(
        'its words',
        () => got.length >= count,
        () => got,
      );
    await hasGot(1);
    expect(markedProcesses(env.MARK)).toHaveLength(2);
    const ended = started.end();
    await hasGot(2);
    await clock.pass(2_000);
    await hasGot(3);
    expect(markedProcesses(env.MARK)).not.toEqual([]);
    await clock.pass(5_000);
    await waitFor('the end', ended, () => got);
    expect(got).toEqual(['{}', '{"got":"end"}', '{"got":"SIGTERM"}']);
    await expect.poll(() => markedProcesses(env.MARK)).toEqual([]);
  });

  it('leaves no child behind when it ends by itself', async () => {
    const env = mark();
    const { localServers } = await open({
      parent: script(
        `const { spawn } = await import('node:child_process');
         spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'inherit' });
         process.stdin.once('data', () => process.exit(0)); console.log('{}');`,
        { env },
      ),
    });
    const started = await localServers.start('parent', {});
    await messageOf(started);
    await started.send('{}');
    expect(await reasonOf(started)).toBe('The MCP server parent ended with exit code 0');
    await expect.poll(() => markedProcesses(env.MARK)).toEqual([]);
  });

  it('is sent no more when 16 MiB wait for it', async () => {
    const { localServers } = await open({ deaf: script(FOREVER) }, { clock: createManualClock() });
    const started = await localServers.start('deaf', {});
    await messageOf(started);
    const message = JSON.stringify('x'.repeat(1024 * 1024));
    const sending = Array.from({ length: 40 }, () => started.send(message).catch((error: unknown) => error));
    expect(await sending.at(-1)).toMatchObject({
      name: 'Unavailable',
      message: expect.stringMatching(/does not read/),
    });
    process.kill(Number(opened?.logged[0]?.['pid']), 'SIGKILL');
    expect(await sending[5]).toMatchObject({ name: 'Unavailable' });
  });

  it('writes a bounded number of short lines to the log', async () => {
    const { localServers, logged } = await open({
      noisy: script(`
        console.log('a greeting on stdout');
        console.error('\\u001b[31mred\\u001b[0m ' + 'y'.repeat(2e4));
        console.error('z'.repeat(1000));
        for (let n = 0; n < 1000; n++) console.error('line ' + n);`),
    });
    const started = await localServers.start('noisy', {});
    let messages = 0;
    started.onMessage = () => messages++;
    await reasonOf(started);
    const said = logged.filter(({ event }) => event === 'mcp server said').map(({ text }) => String(text));
    expect(messages).toBe(0);
    expect(said).toHaveLength(20);
    expect(said).toEqual(
      expect.arrayContaining([
        'a greeting on stdout',
        '(a line of more than 16384 characters)',
        'z'.repeat(500),
      ]),
    );
    expect(logged).toContainEqual(expect.objectContaining({ event: 'mcp server said more', lines: 983 }));
  });
});

describe('all processes together', () => {
  it('are 50 at most, and an ended one makes room', async () => {
    const { localServers } = await open({ cat: { command: 'cat' } });
    const all = await Promise.all(Array.from({ length: 50 }, () => localServers.start('cat', {})));
    await expect(localServers.start('cat', {})).rejects.toMatchObject({ name: 'Unavailable' });
    await all[0]?.end();
    await expect.poll(() => localServers.start('cat', {}).then(() => 'started', String)).toBe('started');
  });

  it('do not count a process that could not be started', async () => {
    const { localServers } = await open({ gone: { command: '/nowhere/server' }, cat: { command: 'cat' } });
    for (let times = 0; times < 60; times++)
      await expect(localServers.start('gone', {})).rejects.toMatchObject({ name: 'DriverFailure' });
    await localServers.start('cat', {});
  });

  it('end when the driver is closed, also those that are starting, and nothing starts afterwards', async () => {
    const env = mark();
    const { localServers } = await open({ cat: { command: 'cat', env } });
    await localServers.start('cat', {});
    const starting = localServers.start('cat', {}).catch(() => null);
    await localServers.close();
    await starting;
    expect(markedProcesses(env.MARK)).toEqual([]);
    await expect(localServers.start('cat', {})).rejects.toMatchObject({ name: 'Unavailable' });
  });

  it('are only those of the file that have a command', async () => {
    const { localServers } = await open({ remote: { url: 'https://mcp.example.com/mcp' } });
    for (const name of ['remote', 'absent'])
      await expect(localServers.start(name, {})).rejects.toMatchObject({ name: 'DriverFailure' });
  });
});
