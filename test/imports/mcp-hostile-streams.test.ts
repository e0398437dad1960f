// Servers of HTTP+SSE and local processes that misbehave. All calls share their stream.
import type { ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import type { LocalProcess, LocalServers } from '../../src/ports/local-servers.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { startHttpServer } from '../support/http-server.ts';
import { type ClientsStand, openMcpClients } from '../support/mcp-clients.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import type { Message } from '../support/scripted-mcp.ts';

const files = createMemoryFiles();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
function openStand(options: Parameters<typeof openMcpClients>[0] = {}): ClientsStand {
  const stand = openMcpClients(options);
  closing.push(() => stand.close());
  return stand;
}

const SERVER = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'a', version: '1' },
};
const DONE = { content: [{ type: 'text', text: 'done' }] };

/** Answers what every server answers. Undefined leaves the message to the test. */
function answerOf({ id, method }: Message): object | null | undefined {
  if (method === 'initialize') return { jsonrpc: '2.0', id, result: SERVER };
  if (method === 'server/discover')
    return { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } };
  if (method === 'tools/call') return undefined;
  return id === undefined ? null : { jsonrpc: '2.0', id, result: { tools: [] } };
}

const flood = (write: (piece: string) => boolean, piece: string, isOver: () => boolean): void => {
  const go = () => {
    for (let count = 0; count < 50 && !isOver(); count++) write(piece);
    if (!isOver()) setImmediate(go);
  };
  go();
};

describe('a server of HTTP+SSE', () => {
  interface Old {
    /** What the stream begins with. */
    begin?: (stream: ServerResponse) => void;
    call?: (message: Message, stream: ServerResponse, post: ServerResponse) => void;
  }

  async function startOld({ begin, call }: Old) {
    let stream: ServerResponse | undefined;
    let streams = 0;
    const messages: Message[] = [];
    const server = await startHttpServer((request, response) => {
      void (async () => {
        if (request.method === 'GET') {
          streams++;
          stream = response;
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          if (begin === undefined) response.write('event: endpoint\ndata: /messages?session=1\n\n');
          else begin(response);
          return;
        }
        if (!request.url?.startsWith('/messages')) return void response.writeHead(405).end();
        const message: Message = JSON.parse(await readText(request));
        messages.push(message);
        const answer = answerOf(message);
        if (answer === undefined && call !== undefined && stream !== undefined)
          return call(message, stream, response);
        response.writeHead(202).end();
        const own = answer === undefined ? { jsonrpc: '2.0', id: message.id, result: DONE } : answer;
        if (own !== null) stream?.write(`event: message\ndata: ${JSON.stringify(own)}\n\n`);
      })();
    });
    closing.push(() => server.close());
    return { address: `http://127.0.0.1:${server.port}/sse`, messages, streams: () => streams };
  }

  const callOnce = (stand: ClientsStand, address: string) =>
    stand.clients.call(stand.reach(address), { name: 'tool' }, {}, files);
  const calls = (messages: readonly Message[]) =>
    messages.filter(({ method }) => method === 'tools/call').length;

  it('works when it behaves', async () => {
    const { address, streams } = await startOld({});
    const stand = openStand();
    expect(await callOnce(stand, address)).toBe('done');
    expect(await callOnce(stand, address)).toBe('done');
    expect(streams()).toBe(1);
  });

  it.each([
    'http://localhost:1/messages',
    '//evil.test/messages',
    'https://evil.test/',
    'javascript:alert(1)',
  ])('may not name another place for its messages: %s', async (place) => {
    const { address, messages } = await startOld({
      begin: (stream) => void stream.write(`event: endpoint\ndata: ${place}\n\n`),
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(/127\.0\.0\.1/);
    expect(messages).toEqual([]);
  });

  it('is refused in time when it names no place for messages', async () => {
    const { address } = await startOld({ begin: (stream) => void stream.write(': hello\n\n') });
    const stand = openStand({ limits: { list: 1_000, call: 1_000 } });
    await expect(stand.clients.list(stand.reach(address))).rejects.toMatchObject({ status: 504 });
  });

  it('fails the call when its stream ends, and is asked anew for the next one', async () => {
    let isFirst = true;
    const { address, messages, streams } = await startOld({
      call(message, stream, post) {
        post.writeHead(202).end();
        if (isFirst) stream.end();
        else stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: DONE })}\n\n`);
        isFirst = false;
      },
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(
      /closed the connection before it answered. The call may have run/,
    );
    expect(calls(messages)).toBe(1);
    expect(await callOnce(stand, address)).toBe('done');
    expect(streams()).toBe(2);
  });

  it('fails the call when it breaks the connection', async () => {
    const { address, messages } = await startOld({
      call(_, stream, post) {
        post.writeHead(202).end(() => stream.destroy());
      },
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(/The call may have run/);
    expect(calls(messages)).toBe(1);
  });

  it('fails the call when it refuses the message, and does not run it again', async () => {
    const { address, messages } = await startOld({
      call: (_, __, post) => void post.writeHead(500).end('secret'),
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(/answered with status 500$/);
    expect(calls(messages)).toBe(1);
  });

  it('gets the message again when it did not know the session', async () => {
    let isFirst = true;
    const { address, messages, streams } = await startOld({
      call(message, stream, post) {
        post.writeHead(isFirst ? 404 : 202).end();
        if (!isFirst)
          stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: DONE })}\n\n`);
        isFirst = false;
      },
    });
    const stand = openStand();
    expect(await callOnce(stand, address)).toBe('done');
    expect(calls(messages)).toBe(2);
    expect(streams()).toBe(2);
  });

  it('may not flood its stream with messages', async () => {
    const { address } = await startOld({
      call(_, stream, post) {
        post.writeHead(202).end();
        const note = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' })}\n\n`;
        flood(
          (piece) => stream.write(piece),
          note,
          () => stream.destroyed,
        );
      },
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(/sends more than 10000 messages/);
  });

  it('may not send a line without an end', async () => {
    const { address } = await startOld({
      call(_, stream, post) {
        post.writeHead(202).end();
        stream.write('data: ');
        flood(
          (piece) => stream.write(piece),
          'x'.repeat(64 * 1024),
          () => stream.destroyed,
        );
      },
    });
    const stand = openStand();
    await expect(callOnce(stand, address)).rejects.toThrow(/larger than 16777216 bytes/);
  });

  it('is left before its stream is full', async () => {
    const text = 'x'.repeat(3 * 2 ** 20);
    const { address, streams } = await startOld({
      call(message, stream, post) {
        post.writeHead(202).end();
        const result = { content: [{ type: 'text', text }] };
        stream.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result })}\n\n`);
      },
    });
    const stand = openStand();
    for (let count = 0; count < 6; count++) expect(await callOnce(stand, address)).toBe(text);
    expect(streams()).toBe(2);
  });
});

describe('a local server', () => {
  interface Fake extends LocalProcess {
    ended: boolean;
    received: Message[];
  }

  /** A process in this one: what it receives goes to the test. */
  function createLocal(act: (message: Message, process: Fake) => void) {
    const started: Fake[] = [];
    const servers: LocalServers = {
      maxProcesses: 50,
      servers: [{ name: 'test', fields: [] }],
      async start() {
        const process: Fake = {
          ended: false,
          received: [],
          onMessage: null,
          onEnd: null,
          async send(text) {
            const message: Message = JSON.parse(text);
            process.received.push(message);
            const answer = answerOf(message);
            queueMicrotask(() => {
              if (answer === undefined || message.method === 'server/discover') act(message, process);
              else if (answer !== null) process.onMessage?.(JSON.stringify(answer));
            });
          },
          async end() {
            process.ended = true;
          },
        };
        started.push(process);
        return process;
      },
      async close() {},
    };
    return { servers, started };
  }

  const discover = (message: Message, process: Fake): boolean => {
    if (message.method !== 'server/discover') return false;
    process.onMessage?.(JSON.stringify(answerOf(message)));
    return true;
  };
  const callOnce = ({ clients, reach }: ClientsStand) =>
    clients.call(reach('stdio:test'), { name: 'tool' }, {}, files);
  const done = ({ id }: Message) => JSON.stringify({ jsonrpc: '2.0', id, result: DONE });

  it('that is not in the list is not started', async () => {
    const { servers, started } = createLocal(() => {});
    const { clients, reach } = openStand({ localServers: servers });
    await expect(clients.list(reach('stdio:other'))).rejects.toThrow(
      "The local server other is not in the operator's list of local servers",
    );
    expect(started).toEqual([]);
  });

  it('is not started where no process can be', async () => {
    const { clients, reach } = openStand();
    await expect(clients.list(reach('stdio:test'))).rejects.toMatchObject({
      status: 502,
      message: 'The local server test cannot be started, because this gateway starts no local servers',
    });
  });

  it.each([
    [new Unavailable('full'), 503, 'As many local servers run as may. Try again in some minutes'],
    [
      new DriverFailure('ENOENT /opt/secret'),
      502,
      'The local server test could not be started. Ask the operator to look into the log',
    ],
  ])('that cannot be started is explained: %s', async (failure, status, message) => {
    const { servers } = createLocal(() => {});
    const { clients, reach } = openStand({
      localServers: { ...servers, start: () => Promise.reject(failure) },
    });
    await expect(clients.list(reach('stdio:test'))).rejects.toMatchObject({ status, message });
  });

  it('that ends when it is asked for the newer era is started again for the older one', async () => {
    const { servers, started } = createLocal((message, process) => {
      if (message.method === 'server/discover')
        process.onEnd?.({ reason: 'The local server test has ended', words: '' });
      else process.onMessage?.(done(message));
    });
    expect(await callOnce(openStand({ localServers: servers }))).toBe('done');
    expect(started).toHaveLength(2);
    expect(started[1]?.received[0]?.method).toBe('initialize');
  });

  it('that knows only the older era is asked for the newer one once, until it is another program', async () => {
    const unknown = (message: Message, process: Fake): boolean => {
      if (message.method !== 'server/discover') return false;
      const error = { code: -32_602, message: 'Invalid request parameters' };
      process.onMessage?.(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
      return true;
    };
    const { servers, started } = createLocal((message, process) => {
      if (!unknown(message, process)) process.onMessage?.(done(message));
    });
    const { clients, reach } = openStand({ localServers: servers });
    for (const person of ['ann', 'ben'])
      await clients.call(reach('stdio:test', { key: `import ${person} ` }), { name: 'tool' }, {}, files);
    expect(started.map(({ received }) => received[0]?.method)).toEqual(['server/discover', 'initialize']);
  });

  it('that ends during a call fails it, and is started again for the next one', async () => {
    let isFirst = true;
    const { servers, started } = createLocal((message, process) => {
      if (discover(message, process)) return;
      if (isFirst) process.onEnd?.({ reason: 'The local server test has ended', words: '' });
      else process.onMessage?.(done(message));
      isFirst = false;
    });
    const stand = openStand({ localServers: servers });
    await expect(callOnce(stand)).rejects.toThrow('The local server test has ended. The call may have run');
    expect(await callOnce(stand)).toBe('done');
    expect(started).toHaveLength(2);
  });

  it('that writes its log between the messages is understood', async () => {
    const { servers } = createLocal((message, process) => {
      if (discover(message, process)) return;
      for (const line of ['Listening…', '', '{', '[]', '{"jsonrpc":"1.0"}', 'null'])
        process.onMessage?.(line);
      process.onMessage?.(done(message));
      process.onMessage?.(done(message));
      process.onMessage?.(done({ jsonrpc: '2.0', id: 4_711 }));
    });
    const stand = openStand({ localServers: servers });
    expect(await callOnce(stand)).toBe('done');
    expect(await callOnce(stand)).toBe('done');
  });

  it.each([
    ['floods', /sends more than 10000 messages. The call may have run/],
    ['nests too deeply', /too large or nested too deeply. The call may have run/],
    ['sends too much', /too large or nested too deeply. The call may have run/],
  ])('that %s is ended', async (kind, outcome) => {
    const { servers, started } = createLocal((message, process) => {
      if (discover(message, process)) return;
      if (kind === 'floods') {
        const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
        for (let count = 0; count < 20_000 && !process.ended; count++) process.onMessage?.(note);
      } else if (kind === 'nests too deeply') process.onMessage?.('['.repeat(10_000));
      else process.onMessage?.(' '.repeat(17 * 2 ** 20));
    });
    await expect(callOnce(openStand({ localServers: servers }))).rejects.toThrow(outcome);
    expect(started.map(({ ended }) => ended)).toEqual([true]);
  });

  it('that says nothing is given up in time', async () => {
    const { servers, started } = createLocal((message, process) => void discover(message, process));
    const stand = openStand({ localServers: servers, limits: { list: 1_000, call: 1_000 } });
    await expect(callOnce(stand)).rejects.toThrow('The local server test did not answer within 1 seconds');
    const [process] = started;
    const id = process?.received.find(({ method }) => method === 'tools/call')?.id;
    const notice = process?.received.find(({ method }) => method === 'notifications/cancelled');
    expect(notice?.params).toMatchObject({ requestId: id });
  });
});
