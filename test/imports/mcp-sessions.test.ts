// Sessions with MCP servers: how they are shared, lost, begun again and ended, and what is never repeated.
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SendUpstream } from '../../src/imports/model/reach.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { type ClientsStand, openMcpClients } from '../support/mcp-clients.ts';
import {
  type Gate,
  MCP_SERVERS,
  type Recorded,
  type ServerKind,
  type StartedServer,
  startLocalServer,
} from '../support/mcp-servers.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { type Exchange, json, type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';
import { waitUntil } from '../support/wait.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const files = createMemoryFiles();
const named = (name: string): ServerKind => {
  const found = MCP_SERVERS.find((kind) => kind.name === name);
  if (found === undefined) throw new Error(`no server ${name}`);
  return found;
};

async function start(kind: ServerKind, gate?: Gate): Promise<StartedServer> {
  const server = await kind.start(gate);
  closing.push(() => server.close());
  return server;
}

async function startScript(...given: Parameters<typeof startScripted>): Promise<ScriptedServer> {
  const server = await startScripted(...given);
  closing.push(() => server.close());
  return server;
}

function openStand(options: Parameters<typeof openMcpClients>[0] = {}): ClientsStand {
  const stand = openMcpClients(options);
  closing.push(() => stand.close());
  return stand;
}

const startSlowScript = () => startScript({ 'tools/call': () => {} });

/** A server of HTTP+SSE that answers no call. */
async function startOldScript(): Promise<ScriptedServer> {
  let write: (message: object) => void = () => {};
  const accepted =
    (result?: object) =>
    ({ message, response }: Exchange) => {
      response.writeHead(202).end();
      if (result !== undefined) write({ jsonrpc: '2.0', id: message.id, result });
    };
  const serverInfo = { name: 'old', version: '1' };
  return startScript({
    'server/discover': ({ response }) => response.writeHead(405).end(),
    GET({ response, stream }) {
      write = stream();
      response.write('event: endpoint\ndata: /mcp\n\n');
    },
    initialize: (exchange) =>
      exchange.request.headers.accept?.includes('json') === true
        ? exchange.response.writeHead(405).end()
        : accepted({ protocolVersion: '2024-11-05', capabilities: { tools: {} }, serverInfo })(exchange),
    'tools/list': accepted({ tools: [] }),
    'tools/call': accepted(),
  });
}

const count = (requests: readonly Recorded[], rpc: string): number =>
  requests.filter((request) => request.rpc === rpc).length;
const isSession = ({ headers }: Recorded): boolean => headers['mcp-session-id'] !== undefined;

describe('a session', () => {
  it('is begun again when the server has forgotten it, and the call runs once', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    const reached = reach(server.address);
    const call = () => clients.call(reached, { name: 'echo' }, { message: 'x' }, files);
    await call();
    server.forget();
    const before = server.requests.length;
    expect(await call()).toBe('Echo: x');
    const after = server.requests.slice(before).filter(({ method }) => method === 'POST');
    // The second attempt knows the era, so it does not ask for it.
    expect(after.map(({ rpc }) => rpc)).toEqual([
      'tools/call',
      'initialize',
      'notifications/initialized',
      'tools/call',
    ]);
  });

  it('is begun again once only', async () => {
    const server = await startScript({
      initialize: ({ message, response }) =>
        void response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' }).end(
          JSON.stringify({
            jsonrpc: '2.0',
            id: message.id,
            result: {
              protocolVersion: '2025-11-25',
              capabilities: { tools: {} },
              serverInfo: { name: 'a', version: '1' },
            },
          }),
        ),
      'tools/call': ({ response }) => response.writeHead(404).end(),
    });
    const { clients, reach } = openStand();
    await expect(clients.call(reach(server.address), { name: 'tool' }, {}, files)).rejects.toThrow(
      'status 404',
    );
    expect(server.messages.filter(({ method }) => method === 'tools/call')).toHaveLength(2);
    expect(server.messages.filter(({ method }) => method === 'initialize')).toHaveLength(2);
  });

  it('gives each request an id of its own', async () => {
    const server = await startScript();
    const { clients, reach } = openStand();
    const reached = reach(server.address);
    await Promise.all(Array.from({ length: 20 }, () => clients.call(reached, { name: 'tool' }, {}, files)));
    const ids = server.messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('belongs to one key', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    for (const key of ['import ana ', 'import ben ', 'import ben second'])
      await clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    const sessions = new Set(
      server.requests.filter(isSession).map(({ headers }) => headers['mcp-session-id']),
    );
    expect(sessions.size).toBe(3);
  });

  it.each(['SDK v1 over HTTP+SSE', 'SDK v1 with sessions', 'SDK v2 in the newer era'])(
    'sends each call with the send of that call: %s',
    async (name) => {
      const server = await start(named(name));
      const { clients, reach } = openStand();
      const { send } = reach(server.address);
      const say = (word: string) => {
        const reached = reach(server.address, {
          send: (url, init) => send(url, { ...init, headers: { ...init.headers, 'x-word': word } }),
        });
        return clients.call(reached, { name: 'echo' }, { message: word }, files);
      };
      const said = await Promise.all(['a', 'b', 'c', 'd'].map(say));
      // One after the other, in the session that the first four have left.
      for (const word of ['e', 'f']) said.push(await say(word));
      expect(said).toEqual(['a', 'b', 'c', 'd', 'e', 'f'].map((word) => `Echo: ${word}`));
      const calls = server.requests.filter(({ rpc }) => rpc === 'tools/call');
      const words = calls.map(({ headers }) => headers['x-word']);
      expect(words).toHaveLength(6);
      expect(new Set(words)).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f']));
      expect(
        server.requests.some(({ headers }) =>
          Object.keys(headers).some((header) => header.startsWith('x-gateway')),
        ),
      ).toBe(false);
    },
  );

  it('ends at the server after five idle minutes', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const clock = createFakeClock();
    const { clients, reach } = openStand({ clock });
    const call = (key: string) =>
      clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    const ended = () => server.requests.filter(({ method }) => method === 'DELETE').length;
    await call('import ana ');
    clock.advance(299);
    await call('import ben ');
    expect(ended()).toBe(0);
    clock.advance(2);
    await call('import ben ');
    await waitUntil('the end of the session', () => ended() === 1, ended);
  });

  it('makes room for newer sessions of the same person, and leaves those of others', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    const call = (key: string) =>
      clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    const ended = () => server.requests.filter(({ method }) => method === 'DELETE').length;
    await call('import0 ben ');
    for (let index = 0; index < 52; index++) await call(`import${index} ana `);
    await waitUntil('the end of two sessions', () => ended() === 2, ended);
    const before = count(server.requests, 'initialize');
    await call('import0 ben ');
    await call('import51 ana ');
    expect(count(server.requests, 'initialize')).toBe(before);
    await call('import0 ana ');
    expect(count(server.requests, 'initialize')).toBe(before + 1);
  });

  it('ends with everything of its prefix', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    for (const key of ['import ana 1', 'import ben 1', 'other ana 1'])
      await clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    await clients.end('import ');
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(2);
  });

  it('ends with its account, and not with another account of the import', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    const call = (key: string) =>
      clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    for (const key of ['import ana  1', 'import ana work 2']) await call(key);
    const before = count(server.requests, 'initialize');
    await clients.end('import ana  ');
    expect(server.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await call('import ana work 2');
    expect(count(server.requests, 'initialize')).toBe(before);
    await call('import ana  3');
    expect(count(server.requests, 'initialize')).toBe(before + 1);
  });

  it('ends when its person has connected its account again', async () => {
    const server = await start(named('SDK v1 with sessions'));
    const { clients, reach } = openStand();
    const call = (key: string) =>
      clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    for (const key of [
      'import ben  1',
      'other ana  1',
      'import ana work 1',
      'import ana  1',
      'import ana  2',
    ])
      await call(key);
    const ended = () => server.requests.filter(({ method }) => method === 'DELETE').length;
    await waitUntil('the end of the earlier session', () => ended() === 1, ended);
    const before = count(server.requests, 'initialize');
    for (const key of ['import ben  1', 'other ana  1', 'import ana work 1', 'import ana  2'])
      await call(key);
    expect(count(server.requests, 'initialize')).toBe(before);
    expect(ended()).toBe(1);
  });

  it('ends with its process', async () => {
    const server = await start(named('SDK v1 over stdio'));
    const { clients, reach } = openStand({ localServers: server.processes });
    await clients.call(reach(server.address), { name: 'echo' }, { message: 'x' }, files);
    await clients.end('import person ');
    expect(server.processes?.started.map(({ killed }) => killed)).toEqual([true]);
  });

  it('shares only data where requests are isolated', async () => {
    const server = await start(named('SDK v1 over HTTP+SSE'));
    const { clients, reach } = openStand({ isIsolated: true });
    const reached = reach(server.address);
    for (const message of ['a', 'b'])
      expect(await clients.call(reached, { name: 'echo' }, { message }, files)).toBe(`Echo: ${message}`);
    expect(server.requests.filter(({ method }) => method === 'GET')).toHaveLength(2);
    const modern = await start(named('SDK v2 in the newer era'));
    const other = reach(modern.address, { key: 'import ana ' });
    for (const message of ['a', 'b']) await clients.call(other, { name: 'echo' }, { message }, files);
    expect(modern.requests.map(({ rpc }) => rpc)).toEqual(['server/discover', 'tools/call', 'tools/call']);
  });
});

describe('the processes of one person', () => {
  async function startLocal() {
    const server = await start(named('SDK v1 over stdio'));
    const { processes } = server;
    if (processes === null) throw new Error('there are no processes');
    const { clients, reach } = openStand({ localServers: processes });
    return {
      call: (key: string) =>
        clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files),
      started: () => processes.started.length,
      running: () =>
        processes.started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
          .length,
    };
  }

  it('are five at most, and the one that was used least recently makes room', async () => {
    const { call, started, running } = await startLocal();
    await call('import0 ben 1');
    for (const index of [0, 1, 2, 3, 4, 0, 5]) await call(`import${index} ana 1`);
    expect(running()).toBe(6);
    expect(started()).toBe(7);
    for (const key of ['import0 ana 1', 'import2 ana 1', 'import0 ben 1']) await call(key);
    expect(started()).toBe(7);
    await call('import1 ana 1');
    expect(started()).toBe(8);
    expect(running()).toBe(6);
  });

  it('do not grow in number when the person connects again and again', async () => {
    const { call, started, running } = await startLocal();
    for (let grant = 0; grant < 8; grant++) await call(`import ana  ${grant}`);
    expect(started()).toBe(8);
    expect(running()).toBe(1);
  });

  it('are refused while five are busy, also after the person has connected again', async () => {
    const server = await startLocalServer([process.execPath, '--input-type=module', '--eval', SLOW]);
    closing.push(() => server.close());
    const { clients, reach } = openStand({ localServers: server.processes });
    const call = (grant: number, name: string, signal?: AbortSignal) =>
      clients.call(
        reach(server.address, { key: `import ana ${grant}`, ...(signal === undefined ? {} : { signal }) }),
        { name },
        {},
        files,
      );
    const cancel = new AbortController();
    const busy = [];
    for (let grant = 0; grant < 5; grant++) {
      await call(grant, 'quick');
      busy.push(call(grant, 'slow', cancel.signal).catch(() => {}));
    }
    const begun = server.processes?.started.length;
    await expect(call(5, 'quick')).rejects.toThrow(/5 local servers at this moment.*Try again/);
    expect(server.processes?.started).toHaveLength(begun ?? 0);
    cancel.abort();
    await Promise.all(busy);
    expect(await call(5, 'quick')).toBe('done');
  });
});

/** Answers every call but those of `slow`. */
const SLOW = `
import { createInterface } from 'node:readline';
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  const say = (rest) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...rest }) + '\\n');
  const serverInfo = { name: 'slow', version: '1' };
  if (method === 'initialize')
    say({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo } });
  else if (method === 'tools/call') {
    if (params.name !== 'slow') say({ result: { content: [{ type: 'text', text: 'done' }] } });
  } else if (id !== undefined) say({ error: { code: -32601, message: 'Method not found' } });
});
`;

describe('a call that cannot be sent', () => {
  it.each(['is not connected', 'Linear asks you to sign in again'])(
    'fails with the words of the gateway: %s',
    async (words) => {
      const server = await startScript();
      const { clients, reach } = openStand();
      const send = () => Promise.reject(new Error(words));
      const called = clients.call(reach(server.address, { send }), { name: 'tool' }, {}, files);
      await expect(called).rejects.toThrow(words);
    },
  );

  it('says that a service of the gateway is down', async () => {
    const server = await startScript();
    const { clients, reach } = openStand();
    const send = () => Promise.reject(new Unavailable('the database'));
    const called = clients.call(reach(server.address, { send }), { name: 'tool' }, {}, files);
    await expect(called).rejects.toBeInstanceOf(Unavailable);
  });
});

describe('a server of HTTP+SSE that is down', () => {
  it('could not be reached', async () => {
    const server = await start(named('SDK v1 over HTTP+SSE'));
    const { clients, reach } = openStand();
    const call = (key: string) =>
      clients.call(reach(server.address, { key }), { name: 'echo' }, { message: 'x' }, files);
    await call('import ana ');
    await server.close();
    closing.pop();
    for (const key of ['import ben ', 'import carl '])
      await expect(call(key)).rejects.toThrow(/^127\.0\.0\.1:\d+ could not be reached$/);
  });
});

describe('a cancelled call', () => {
  it('is cancelled at a server of the older era', async () => {
    const server = await startScript({ 'tools/call': () => {} });
    const { clients, reach } = openStand();
    const cancel = new AbortController();
    const called = clients.call(
      reach(server.address, { signal: cancel.signal }),
      { name: 'tool' },
      {},
      files,
    );
    const isCalled = () => server.messages.some(({ method }) => method === 'tools/call');
    await waitUntil('the call', isCalled, () => server.messages);
    cancel.abort();
    await expect(called).rejects.toThrow('Cancelled by the caller');
    const notice = () => server.messages.find(({ method }) => method === 'notifications/cancelled');
    await waitUntil(
      'the notice',
      () => notice() !== undefined,
      () => server.messages,
    );
    const id = server.messages.find(({ method }) => method === 'tools/call')?.id;
    expect(notice()?.params).toMatchObject({ requestId: id });
  });

  it.each(['Streamable HTTP', 'HTTP+SSE'])(
    'is cancelled at a server of the older era by another way than its own, which ends with it: %s',
    async (transport) => {
      const server = transport === 'HTTP+SSE' ? await startOldScript() : await startSlowScript();
      const { clients, reach } = openStand();
      const { send } = reach(server.address);
      const cancel = new AbortController();
      const { signal } = cancel;
      const bound: SendUpstream = (url, init) =>
        send(url, {
          ...init,
          signal: init.signal === undefined ? signal : AbortSignal.any([signal, init.signal]),
        });
      const limits: (number | undefined)[] = [];
      const sendAfterwards: SendUpstream = (url, init) => {
        limits.push(init.timeoutMs);
        return send(url, init);
      };
      // The stream of answers belongs to the call that has opened it.
      await clients.list(reach(server.address));
      const reached = reach(server.address, { signal, send: bound, sendAfterwards });
      const called = clients.call(reached, { name: 'tool' }, {}, files);
      const sent = (method: string) => server.messages.find((message) => message.method === method);
      await waitUntil(
        'the call',
        () => sent('tools/call') !== undefined,
        () => server.messages,
      );
      cancel.abort();
      await expect(called).rejects.toThrow('Cancelled by the caller');
      await waitUntil(
        'the notice',
        () => sent('notifications/cancelled') !== undefined,
        () => server.messages,
      );
      expect(sent('notifications/cancelled')?.params?.['requestId']).toBe(sent('tools/call')?.id);
      expect(limits).toEqual([5_000]);
    },
  );

  it('is no cancellation because an argument looks like one', async () => {
    const server = await startScript();
    const { clients, reach } = openStand();
    const sendAfterwards: SendUpstream = () => Promise.reject(new Error('sent the wrong way'));
    const args = { text: '{"jsonrpc":"2.0","method":"notifications/cancelled"}' };
    const reached = reach(server.address, { sendAfterwards });
    expect(await clients.call(reached, { name: 'tool' }, args, files)).toBe('done');
  });

  it('ends its request at a server of the newer era', async () => {
    const kind = named('SDK v2 in the newer era');
    const closed = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<null>();
    let calls = 0;
    const server = await start(kind, (request) => {
      if (request.headers['mcp-method'] !== 'tools/call') return null;
      calls++;
      request.socket.once('close', () => closed.resolve());
      return stuck.promise;
    });
    const { clients, reach } = openStand();
    const cancel = new AbortController();
    const called = clients.call(
      reach(server.address, { signal: cancel.signal }),
      { name: 'echo' },
      {},
      files,
    );
    await waitUntil(
      'the call',
      () => calls === 1,
      () => server.requests,
    );
    cancel.abort();
    await expect(called).rejects.toThrow('Cancelled by the caller');
    await closed.promise;
    stuck.resolve(null);
  });

  it('leaves the session to the others', async () => {
    const server = await startScript({
      'tools/call': ({ message, result }) =>
        message.params?.['name'] === 'slow'
          ? undefined
          : result({ content: [{ type: 'text', text: 'done' }] }),
    });
    const { clients, reach } = openStand();
    const cancel = new AbortController();
    const slow = clients.call(reach(server.address, { signal: cancel.signal }), { name: 'slow' }, {}, files);
    slow.catch(() => {});
    // The second call waits for the session that the first one opens.
    const second = clients.call(reach(server.address), { name: 'tool' }, {}, files);
    cancel.abort();
    await expect(slow).rejects.toThrow('Cancelled by the caller');
    expect(await second).toBe('done');
  });

  it('never begins when it is cancelled before', async () => {
    const server = await startScript();
    const { clients, reach } = openStand();
    const reached = reach(server.address, { signal: AbortSignal.abort() });
    await expect(clients.call(reached, { name: 'tool' }, {}, files)).rejects.toThrow(
      'Cancelled by the caller',
    );
    expect(server.messages.filter(({ method }) => method === 'tools/call')).toEqual([]);
  });
});

describe('a server whose tools change', () => {
  it.each(['SDK v1 with sessions', 'SDK v1 over HTTP+SSE', 'SDK v2 in the newer era'])(
    'is heard: %s',
    async (name) => {
      const server = await start(named(name));
      const { clients, reach } = openStand();
      const keys: string[] = [];
      clients.onToolsChanged((key) => keys.push(key));
      await clients.call(reach(server.address), { name: 'echo' }, { message: 'x' }, files);
      await vi.waitFor(
        async () => {
          await server.changeTools();
          expect(keys).toContain('import person ');
        },
        { timeout: 10_000 },
      );
    },
  );
});

describe('a server that asks for something', () => {
  it('is refused a model, an input and the folders, and may ping', async () => {
    const asked = ['sampling/createMessage', 'elicitation/create', 'roots/list', 'ping'];
    let stream: ((message: object) => void) | undefined;
    let finish = () => {};
    const server = await startScript({
      'tools/call'({ message, response, ...exchange }) {
        stream = exchange.stream();
        for (const [index, method] of asked.entries())
          stream({ jsonrpc: '2.0', id: `ask${index}`, method, params: {} });
        finish = () => {
          stream?.({ jsonrpc: '2.0', id: message.id, result: { content: [{ type: 'text', text: 'done' }] } });
          response.end();
        };
      },
      response({ response }) {
        response.writeHead(202).end();
        if (
          server.messages.filter(({ http, method }) => http === 'POST' && method === undefined).length === 4
        )
          finish();
      },
    });
    const { clients, reach } = openStand();
    expect(await clients.call(reach(server.address), { name: 'tool' }, {}, files)).toBe('done');
    const answers = server.messages.filter(({ http, method }) => http === 'POST' && method === undefined);
    const byId = Object.fromEntries(answers.map(({ id, error, result }) => [id, error?.code ?? result]));
    expect(byId).toEqual({ ask0: -32_601, ask1: -32_601, ask2: -32_601, ask3: {} });
    const hello = server.messages.find(({ method }) => method === 'initialize');
    // It takes the pages of tools, and promises nothing else.
    expect(Object.keys(hello?.params?.['capabilities'] ?? {})).toEqual(['extensions']);
  });

  it('is told that the gateway passes no questions on', async () => {
    const server = await startScript({
      'server/discover': ({ result }) =>
        result({
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        }),
      'tools/call': ({ result }) =>
        result({ resultType: 'input_required', requestState: 'state', inputRequests: {} }),
    });
    const { clients, reach } = openStand();
    await expect(clients.call(reach(server.address), { name: 'tool' }, {}, files)).rejects.toThrow(
      /asks for input in the middle of a call, which the gateway does not pass on/,
    );
    expect(server.messages.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
  });
});

describe('a server of the newer era', () => {
  it('gets arguments in headers where its schema wants them', async () => {
    const headers: unknown[] = [];
    const server = await startScript({
      'server/discover': ({ result }) =>
        result({
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        }),
      'tools/call'({ request, message, response }) {
        headers.push(request.headers['mcp-param-region']);
        json(response, {
          jsonrpc: '2.0',
          id: message.id,
          // A block that the library does not know must not fail the call.
          result: { content: [{ type: 'text', text: 'done' }, { type: 'hologram' }] },
        });
      },
    });
    const { clients, reach } = openStand();
    const inputSchema = {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    };
    const tool = { name: 'tool', inputSchema };
    const said = await clients.call(reach(server.address), tool, { region: 'eu' }, files);
    expect(said).toEqual([{ type: 'text', text: 'done' }, { type: 'hologram' }]);
    expect(headers).toEqual(['eu']);
  });
});
