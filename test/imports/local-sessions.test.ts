// Sessions with programs of the operator: shared between people, ended for others, slow to begin, and dying. decision: 044
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { LocalServers } from '../../src/ports/local-servers.ts';
import { type OpenedServers, openServers, script } from '../support/local-servers.ts';
import { openMcpClients } from '../support/mcp-clients.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { talkingServer } from '../support/talking-server.ts';
import { waitUntil } from '../support/wait.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const files = createMemoryFiles();

interface Given {
  maxProcesses?: number;
  silence?: number;
  watch?: (servers: LocalServers) => LocalServers;
}

async function open(
  entries: Parameters<typeof openServers>[0],
  { maxProcesses = 50, silence = 10_000, watch = (servers) => servers }: Given = {},
) {
  const opened = await openServers(entries, { maxProcesses });
  closing.push(() => opened.close());
  const { clients, reach, close } = openMcpClients({
    localServers: watch(opened.localServers),
    limits: { list: 30_000, call: 60_000, silence },
  });
  closing.push(close);
  return {
    clients,
    opened,
    list: (server: string) =>
      clients.list(reach(`stdio:${server}`, { key: `${server} nobody`, isPassing: true })),
    call: (server: string, person: string, name: string, text = '', signal?: AbortSignal) =>
      clients.call(
        reach(`stdio:${server}`, {
          key: `${server} ${person}  `,
          ...(signal === undefined ? {} : { signal }),
        }),
        { name },
        { text },
        files,
      ),
  };
}

const countOf = ({ logged }: OpenedServers, what: 'started' | 'ended'): number =>
  logged.filter(({ event }) => event === `mcp server ${what}`).length;

describe('a program that needs no value of a person', () => {
  it('is one process for all people, and each gets the answer to their own call only', async () => {
    const { call, opened } = await open({ talking: talkingServer() });
    const people = Array.from({ length: 12 }, (_, index) => `person${index}`);
    const answers = await Promise.all(
      people.map((person) => call('talking', person, 'talk', `of ${person}`)),
    );
    // The server is refused a model, whoever it asks for.
    expect(answers).toEqual(people.map((person) => `of ${person} -32601`));
    expect(countOf(opened, 'started')).toBe(1);
  });

  it('goes on for the others when a call is cancelled', async () => {
    const { call, opened } = await open({ talking: talkingServer() });
    expect(await call('talking', 'ben', 'echo', 'x')).toBe('x');
    const cancel = new AbortController();
    const cancelled = call('talking', 'ana', 'hold', '', cancel.signal);
    const held = call('talking', 'ben', 'hold');
    expect(await call('talking', 'ben', 'echo', 'y')).toBe('y');
    cancel.abort();
    await expect(cancelled).rejects.toThrow('Cancelled by the caller');
    await call('talking', 'ben', 'free');
    expect(await held).toBe('freed');
    expect(countOf(opened, 'started')).toBe(1);
  });

  it('is a process for each person when the entry says so', async () => {
    const { call } = await open({ talking: talkingServer({ shared: false }) });
    const [ana, ben] = [await call('talking', 'ana', 'pid'), await call('talking', 'ben', 'pid')];
    expect(ana).not.toEqual(ben);
    expect(await call('talking', 'ana', 'pid')).toEqual(ana);
  });

  it('is listed in the process that runs, and otherwise in one that ends with the listing', async () => {
    const { call, clients, list, opened } = await open({ talking: talkingServer() });
    await list('talking');
    await clients.end('talking nobody');
    expect(countOf(opened, 'ended')).toBe(1);
    await call('talking', 'ana', 'grow', 'more');
    const { tools } = await list('talking');
    expect(tools.map(({ name }) => name)).toContain('more');
    expect(countOf(opened, 'started')).toBe(2);
  });
});

describe('a program that dies in a call', () => {
  const KEY = 'a-key-of-the-operator';

  it('is explained with its last words, in one sentence, without the values of the file', async () => {
    const { call } = await open({ talking: talkingServer({ env: { KEY } }) });
    await expect(call('talking', 'ana', 'die', 'tea ')).rejects.toThrow(
      'The MCP server talking ended with exit code 1 after it said: cannot work with tea …. The call may have run',
    );
  });

  it('is explained without words when it has served several people', async () => {
    const { call } = await open({ talking: talkingServer({ env: { KEY } }) });
    const secret = call('talking', 'ana', 'hold');
    await call('talking', 'ana', 'echo');
    const death = call('talking', 'ben', 'die', 'the tea of ben');
    for (const ended of [secret, death])
      await expect(ended).rejects.toThrow(
        /^The MCP server talking ended with exit code 1\. The call may have run$/,
      );
  });

  it('is explained with its last words when it does not even begin', async () => {
    const { list } = await open({ dying: script(`console.error('set THE_KEY.'); process.exit(2)`) });
    await expect(list('dying')).rejects.toMatchObject({
      status: 502,
      message: 'The MCP server dying ended with exit code 2 after it said: set THE_KEY',
    });
  });
});

describe('as many programs as may run', () => {
  const entry = talkingServer({ shared: false });
  const entries = { a: entry, b: entry, c: entry };

  it('make room for another one: the one that is idle longest ends', async () => {
    const { call, opened } = await open(entries, { maxProcesses: 2 });
    const a = await call('a', 'ana', 'pid');
    const b = await call('b', 'ben', 'pid');
    expect(await call('a', 'ana', 'pid')).toEqual(a);
    await call('c', 'carl', 'pid');
    expect(await call('a', 'ana', 'pid')).toEqual(a);
    expect(await call('b', 'ben', 'pid')).not.toEqual(b);
    expect(countOf(opened, 'started') - countOf(opened, 'ended')).toBe(2);
  });

  it('serve seventy people one after the other, five at a time', async () => {
    const { call } = await open(entries, { maxProcesses: 6 });
    const people = Array.from({ length: 70 }, (_, index) => `person${index}`);
    const waiting = people.values();
    const served: unknown[] = [];
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        for (const person of waiting) served.push(await call('a', person, 'echo', person));
      }),
    );
    expect(new Set(served)).toEqual(new Set(people));
  }, 120_000);

  it('are never ended during a call: another person is told to try again', async () => {
    const { call } = await open(entries, { maxProcesses: 2 });
    const held = [call('a', 'ana', 'hold'), call('b', 'ben', 'hold')];
    await Promise.all([call('a', 'ana', 'echo'), call('b', 'ben', 'echo')]);
    await expect(call('c', 'carl', 'echo')).rejects.toMatchObject({
      name: 'Busy',
      message: 'All local servers that may run are busy. Try again in a minute',
    });
    await Promise.all([call('a', 'ana', 'free'), call('b', 'ben', 'free')]);
    expect(await Promise.all(held)).toEqual(['freed', 'freed']);
    expect(await call('c', 'carl', 'echo', 'x')).toBe('x');
  });
});

/** A program that begins when a file exists. */
const gated = (gate: string, program: string) =>
  script(
    `
    const { existsSync } = await import('node:fs');
    while (!existsSync(process.env.GATE)) await new Promise((resolve) => setTimeout(resolve, 20));
    ${program}`,
    { env: { GATE: gate } },
  );

describe('a program that is slow to begin', () => {
  /** Lets the program go on when the older protocol has been tried, too. */
  async function openSlow(source: string) {
    const folder = await mkdtemp(join(tmpdir(), 'gate-'));
    closing.push(() => rm(folder, { recursive: true }));
    const gate = join(folder, 'open');
    const sent: string[] = [];
    const watch = (servers: LocalServers): LocalServers => ({
      ...servers,
      async start(...given) {
        const started = await servers.start(...given);
        const send = started.send.bind(started);
        started.send = (message) => {
          sent.push(JSON.parse(message).method);
          return send(message);
        };
        return started;
      },
    });
    const stand = await open({ slow: gated(gate, source) }, { silence: 1, watch });
    const listed = stand.list('slow');
    await waitUntil(
      'the older protocol',
      () => sent.includes('initialize'),
      () => sent,
    );
    await writeFile(gate, '');
    return { listed: await listed, started: countOf(stand.opened, 'started') };
  }

  it.each(['v1', 'v2'])('is listed by the process that was started first: SDK %s', async (generation) => {
    const file = new URL(`../support/mcp-stdio-${generation}.ts`, import.meta.url);
    const { listed, started } = await openSlow(`await import(${JSON.stringify(file.href)});`);
    expect(listed.tools.length).toBeGreaterThan(0);
    expect(started).toBe(1);
  });

  it('is asked in the newer era when it answers the first question late and refuses a handshake', async () => {
    const { listed, started } = await openSlow(REFUSING.replace('MISSED', '0'));
    expect(listed).toMatchObject({ era: 'modern', tools: [{ name: 'only' }] });
    expect(started).toBe(1);
  });

  it('is asked in the newer era when it refuses a handshake and has missed the first question', async () => {
    const { listed, started } = await openSlow(REFUSING.replace('MISSED', '1'));
    expect(listed).toMatchObject({ era: 'modern', tools: [{ name: 'only' }] });
    expect(started).toBe(1);
  });

  it('is asked in the newer era when it refuses a second handshake before it answers the first question', async () => {
    const { listed, started } = await openSlow(ANSWERING_LATER);
    expect(listed).toMatchObject({ era: 'modern', tools: [{ name: 'only' }] });
    expect(started).toBe(1);
  });
});

/** A server of the newer era only, as those of the Python SDK are when the first question reaches them. */
const REFUSING = `
const { createInterface } = await import('node:readline');
const write = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let questions = 0;
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  const complete = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
  if (method === 'initialize')
    write({ id, error: { code: -32022, message: 'no handshake', data: { supported: ['2026-07-28'], requested: '2025-11-25' } } });
  else if (method === 'server/discover' && ++questions > MISSED)
    write({ id, result: { ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } } });
  else if (method === 'tools/list')
    write({ id, result: { ...complete, tools: [{ name: 'only', inputSchema: { type: 'object' } }] } });
});`;

/** A server that takes the first question for the handshake, and answers it after what came second, as those of the Go SDK may. */
const ANSWERING_LATER = REFUSING.replace(
  "code: -32022, message: 'no handshake'",
  "code: 0, message: 'duplicate'",
).replace('MISSED', '1');
