// Each misbehaviour of a server has one outcome: a sentence with its host, or the answer all the same.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMcpClients, type ClientsStand } from '../support/mcp-clients.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import {
  type Exchange,
  flood,
  json,
  type Script,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-mcp.ts';

let stand: ClientsStand;
let server: ScriptedServer;
let other: ScriptedServer;

beforeEach(async () => {
  [server, other] = await Promise.all([startScripted(), startScripted()]);
});
afterEach(async () => {
  await stand.close();
  await server.close();
  await other.close();
});

const done = { content: [{ type: 'text', text: 'done' }] };
const answer = (id: unknown, result: unknown = done) => ({ jsonrpc: '2.0', id, result });
const messageOf = (id: unknown, structuredContent: string): string =>
  `{"jsonrpc":"2.0","id":${String(id)},"result":{"content":[],"structuredContent":${structuredContent}}}`;
const nested = (levels: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
};

interface Case {
  name: string;
  call: Script[string];
  outcome: RegExp | 'done';
}

const text = (response: Exchange['response'], type: string, body: string): void =>
  void response.writeHead(200, { 'content-type': type }).end(body);

/** The time of one request, also on a busy machine. */
const SLOW_SECONDS = 3;
const DID_NOT_ANSWER = new RegExp(`did not answer within ${SLOW_SECONDS} seconds`);

const CALLS: Case[] = [
  {
    name: 'never answers',
    call: () => {},
    outcome: DID_NOT_ANSWER,
  },
  {
    name: 'stalls within a JSON answer',
    call: ({ response }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).write('{"jsonrpc":'),
    outcome: DID_NOT_ANSWER,
  },
  {
    name: 'stalls within a stream',
    call: ({ stream }) => void stream(),
    outcome: DID_NOT_ANSWER,
  },
  {
    name: 'floods a stream with notifications',
    call: flood,
    outcome: /sends more than 10000 messages/,
  },
  {
    name: 'sends a line without an end',
    call({ response, stream }) {
      stream();
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', flood);
      };
      response.write('data: ');
      flood();
    },
    outcome: /larger than 16777216 bytes/,
  },
  {
    name: 'sends a JSON answer without an end',
    call({ response }) {
      response.writeHead(200, { 'content-type': 'application/json' });
      const flood = () => {
        while (!response.destroyed && response.write(' '.repeat(64 * 1024)));
        if (!response.destroyed) response.once('drain', flood);
      };
      flood();
    },
    outcome: /larger than 16777216 bytes/,
  },
  {
    name: 'promises more bytes than it sends',
    call({ message, response }) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000' });
      response.write(JSON.stringify(answer(message.id)), () => response.destroy());
    },
    outcome: /broke off/,
  },
  {
    name: 'sends more bytes than it promises',
    call({ message, response }) {
      const body = JSON.stringify(answer(message.id));
      response.socket?.write(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n${body}`,
      );
    },
    outcome: /127\.0\.0\.1/,
  },
  {
    name: 'answers with another id',
    call: ({ response }) => json(response, answer(987_654)),
    outcome: /without a result\. The call may have run/,
  },
  {
    name: 'answers with another id in a stream',
    call({ response, stream }) {
      stream()(answer(987_654));
      response.end();
    },
    outcome: /without a result\. The call may have run/,
  },
  {
    name: 'answers twice',
    call: ({ message, response }) =>
      json(response, [answer(message.id), answer(message.id, { content: [{ type: 'text', text: 'no' }] })]),
    outcome: 'done',
  },
  {
    name: 'answers twice in a stream',
    call({ message, response, stream }) {
      const send = stream();
      send(answer(message.id));
      send(answer(message.id, { content: [{ type: 'text', text: 'no' }] }));
      response.end();
    },
    outcome: 'done',
  },
  {
    name: 'sends results that nobody asked for',
    call({ message, response, stream }) {
      const send = stream();
      for (let id = 1_000; id < 1_100; id++) send(answer(id, { content: [] }));
      send(answer(message.id));
      response.end();
    },
    outcome: 'done',
  },
  {
    name: 'writes events that are not JSON among the others',
    call({ message, response, stream }) {
      const send = stream();
      response.write('data: {"jsonrpc":\n\nevent: ping\ndata: 1\n\n: comment\n\n');
      send(answer(message.id));
      response.end();
    },
    outcome: 'done',
  },
  {
    name: 'answers with invalid JSON',
    call: ({ response }) => text(response, 'application/json', '{"jsonrpc":"2.0"'),
    outcome: /is not valid JSON/,
  },
  {
    name: 'answers with JSON that is not JSON-RPC',
    call: ({ response }) => json(response, { hello: 'world' }),
    outcome: /does not answer as an MCP server does/,
  },
  {
    name: 'answers with a page',
    call: ({ response }) => text(response, 'text/html', '<h1>Hello</h1>'),
    outcome: /does not answer as an MCP server does/,
  },
  {
    name: 'answers with JSON nested 600 levels deep',
    call: ({ message, response }) =>
      json(response, answer(message.id, { content: [], structuredContent: nested(600) })),
    outcome: /nested too deeply/,
  },
  {
    name: 'streams JSON nested 100,000 levels deep',
    call({ message, response, stream }) {
      stream();
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      response.end(`data: {"jsonrpc":"2.0","id":${String(message.id)},"result":${deep}}\n\n`);
    },
    outcome: /nested too deeply/,
  },
  {
    name: 'answers with millions of tiny values',
    call: ({ message, response }) =>
      text(response, 'application/json', messageOf(message.id, `[${'{},'.repeat(2_000_000)}{}]`)),
    outcome: /has more than 1,000,000 values/,
  },
  {
    name: 'streams millions of tiny values with a large integer',
    call({ message, response, stream }) {
      stream();
      response.end(`data: ${messageOf(message.id, `[${'1,'.repeat(2_000_000)}12345678901234567890]`)}\n\n`);
    },
    outcome: /has more than 1,000,000 values/,
  },
  {
    name: 'answers without a result',
    call: ({ message, response }) => json(response, { jsonrpc: '2.0', id: message.id }),
    outcome: /does not answer as an MCP server does/,
  },
  {
    name: 'redirects to another server',
    call: ({ response }) => response.writeHead(307, { location: other.address }).end(),
    outcome: /redirects to another host/,
  },
  {
    name: 'closes the connection before it answers',
    call: ({ response }) => response.destroy(),
    outcome: /^127\.0\.0\.1:\d+ closed the connection before it answered\. The call may have run$/,
  },
  {
    name: 'closes the connection in the middle of a stream',
    call({ response, stream }) {
      stream();
      response.write('data: {"json', () => response.destroy());
    },
    outcome: /The call may have run/,
  },
  {
    name: 'fails with a page',
    call: ({ response }) => response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>secret</h1>'),
    outcome: /^127\.0\.0\.1:\d+ answered with status 500$/,
  },
  {
    name: 'fails with words',
    call: ({ message, response }) =>
      response.writeHead(503, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32_000, message: 'Come\u202e back' },
        }),
      ),
    outcome: /answered with status 503: Come back$/,
  },
  {
    name: 'refuses with an error of a megabyte',
    call: ({ message, response }) =>
      json(response, { jsonrpc: '2.0', id: message.id, error: { code: 1, message: 'e'.repeat(2 ** 20) } }),
    outcome: /refused the request: e{100,2048}$/,
  },
  {
    name: 'accepts the call and never answers it',
    call: ({ response }) => response.writeHead(202).end(),
    outcome: /without a result\. The call may have run/,
  },
];

describe('a server that misbehaves in a call', () => {
  it.each(CALLS)('$name', async ({ call, outcome }) => {
    const isSlow = outcome === DID_NOT_ANSWER;
    stand = openMcpClients({ limits: { list: 20_000, call: isSlow ? SLOW_SECONDS * 1_000 : 20_000 } });
    // The call picks up the session of the listing: a handshake within its limit could take all of it.
    await stand.clients.list(stand.reach(server.address));
    server.play({ 'tools/call': call });
    const result = stand.clients.call(stand.reach(server.address), { name: 'tool' }, {}, createMemoryFiles());
    if (outcome === 'done') expect(await result).toBe('done');
    else {
      const error: unknown = await result.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(outcome);
      expect((error as Error).message).toContain('127.0.0.1');
    }
    // Nothing is repeated.
    expect(server.messages.filter(({ method }) => method === 'tools/call')).toHaveLength(1);
    expect(other.messages).toEqual([]);
  });

  it('asks for a lost stream again, but only so often', async () => {
    stand = openMcpClients({ clock: createFakeClock() });
    const storm: Script[string] = ({ response, stream }) => {
      stream();
      response.end('id: 1\nretry: 0\ndata:\n\n');
    };
    server.play({ 'tools/call': storm, GET: storm });
    const result = stand.clients.call(stand.reach(server.address), { name: 'tool' }, {}, createMemoryFiles());
    await expect(result).rejects.toThrow('breaks off its answer again and again');
    // The stream of the session is opened too.
    expect(server.messages.filter(({ http }) => http === 'GET').length).toBeLessThanOrEqual(302);
  });
});

describe('a server that misbehaves when a session begins', () => {
  it.each([
    ['a session id with control characters', 'a\tb'],
    ['a session id of spaces', 'a b'],
    ['a session id of a kilobyte too much', 'x'.repeat(2_048)],
    ['a session id of a megabyte', 'x'.repeat(2 ** 20)],
  ])('is refused with %s', async (_, id) => {
    stand = openMcpClients();
    server.play({
      initialize({ message, response }) {
        response.socket?.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nmcp-session-id: ${id}\r\nconnection: close\r\n\r\n` +
            JSON.stringify(
              answer(message.id, {
                protocolVersion: '2025-11-25',
                capabilities: {},
                serverInfo: { name: 'a', version: '1' },
              }),
            ),
        );
      },
    });
    await expect(stand.clients.list(stand.reach(server.address))).rejects.toThrow(/127\.0\.0\.1/);
    expect(server.messages.some(({ method }) => method === 'tools/list')).toBe(false);
  });

  it('is refused when it says too much of itself', async () => {
    stand = openMcpClients();
    server.play({
      initialize: ({ result }) =>
        result({
          protocolVersion: '2025-11-25',
          capabilities: { tools: {} },
          serverInfo: { name: 'a', version: '1' },
          instructions: 'x'.repeat(100_000),
        }),
    });
    await expect(stand.clients.list(stand.reach(server.address))).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('introduces itself with more than 64 KiB'),
    });
  });

  it('is refused in time when it says nothing', async () => {
    stand = openMcpClients({ limits: { list: 500, call: 500 } });
    server.play({ 'server/discover': () => {} });
    await expect(stand.clients.list(stand.reach(server.address))).rejects.toMatchObject({ status: 504 });
  });

  it('is refused when it is no MCP server', async () => {
    stand = openMcpClients();
    const page: Script[string] = ({ response }) => text(response, 'text/html', '<h1>Hello</h1>');
    server.play({ 'server/discover': page, initialize: page, GET: page });
    await expect(stand.clients.list(stand.reach(server.address))).rejects.toMatchObject({
      status: 502,
      message: expect.stringContaining('does not answer as an MCP server does'),
    });
  });

  it('is refused when nothing listens at its address', async () => {
    stand = openMcpClients();
    await expect(stand.clients.list(stand.reach('http://127.0.0.1:1/mcp'))).rejects.toMatchObject({
      status: 502,
      message: '127.0.0.1:1 could not be reached',
    });
  });

  it.each(['', 'nonsense', 'file:///etc/passwd', 'javascript:alert(1)', 'stdio:'])(
    'is refused at the address "%s"',
    async (address) => {
      stand = openMcpClients();
      await expect(stand.clients.list(stand.reach(address))).rejects.toThrow();
    },
  );
});

describe('a tool list', () => {
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: 'object' }, ...more });
  const list = async (script: Script['tools/list']) => {
    stand = openMcpClients();
    server.play({ 'tools/list': script ?? (() => {}) });
    return stand.clients.list(stand.reach(server.address));
  };

  it('loses entries that are not tools', async () => {
    const listed = await list(({ result }) =>
      result({
        tools: [tool('good'), null, 7, 'tool', [], {}, { name: 5 }, { name: 'bad', inputSchema: 'x' }],
      }),
    );
    expect(listed.tools.map(({ name }) => name)).toEqual(['good']);
    expect(listed.warnings).toEqual([
      '6 entries of the tool list were left out, because they are not tools',
      'The tool "bad" was left out, because the schema of its arguments is not a schema',
    ]);
  });

  it.each(['application/json', 'text/event-stream'])(
    'keeps the other tools beside one that is nested too deeply: %s',
    async (type) => {
      const depth = 2_000;
      const deep = `${'{"type":"object","properties":{"]}":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
      const listed = await list(({ message, response }) => {
        const tools = `[{"name":"a"},{"name":"deep","inputSchema":${deep}},{"name":"b"}]`;
        const body = `{"jsonrpc":"2.0","id":${String(message.id)},"result":{"tools":${tools}}}`;
        text(response, type, type === 'text/event-stream' ? `data: ${body}\n\n` : body);
      });
      expect(listed.tools.map(({ name }) => name)).toEqual(['a', 'deep', 'b']);
    },
  );

  it('keeps the first tool of each name', async () => {
    const listed = await list(({ result }) =>
      result({
        tools: [tool('a', { description: 'first' }), tool('a', { description: 'second' }), tool('b')],
      }),
    );
    expect(listed.tools.map(({ name, description }) => [name, description])).toEqual([
      ['a', 'first'],
      ['b', ''],
    ]);
    expect(listed.warnings).toEqual(['Only the first tool of each name was taken; listed twice: a']);
  });

  it('loses tools that run only as tasks', async () => {
    const asTask = (taskSupport: unknown) => ({ execution: { taskSupport } });
    const listed = await list(({ result }) =>
      result({
        tools: [
          tool('a', asTask('required')),
          tool('b', asTask('optional')),
          tool('c', asTask('forbidden')),
          tool('d', { execution: 'required' }),
        ],
      }),
    );
    expect(listed.tools.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
    expect(listed.warnings).toEqual(['Not supported: a (long-running task)']);
  });

  it('follows its pages', async () => {
    const listed = await list(({ message, result }) => {
      const page = Number(message.params?.['cursor'] ?? 0);
      result({ tools: [tool(`tool${page}`)], ...(page < 3 ? { nextCursor: String(page + 1) } : {}) });
    });
    expect(listed.tools.map(({ name }) => name)).toEqual(['tool0', 'tool1', 'tool2', 'tool3']);
  });

  it('may not have 10,000 tools', async () => {
    const tools = Array.from({ length: 10_000 }, (_, index) => tool(`tool${index}`));
    await expect(list(({ result }) => result({ tools }))).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('more than 2000 tools'),
    });
  });

  it('may not take more than 16 MiB', async () => {
    const description = 'x'.repeat(2 ** 20);
    let page = 0;
    const listing = list(({ result }) =>
      result({ tools: [tool(`tool${++page}`, { description })], nextCursor: String(page) }),
    );
    await expect(listing).rejects.toMatchObject({ status: 413 });
    expect(page).toBe(16);
  });

  it('ends when its pages go in a circle', async () => {
    let pages = 0;
    const listed = await list(({ result }) =>
      result({ tools: [tool(`tool${pages % 2}`)], nextCursor: ['a', 'b'][pages++ % 2] }),
    );
    expect(listed.tools.map(({ name }) => name)).toEqual(['tool0', 'tool1']);
    expect(listed.warnings).toEqual([expect.stringContaining('does not end')]);
    expect(pages).toBe(3);
  });

  it.each([
    ['is the last one for ever', [tool('only')]],
    ['is empty for ever', []],
  ])('ends when its page %s', async (_, tools) => {
    let pages = 0;
    const listed = await list(({ result }) => result({ tools, nextCursor: String(pages++) }));
    expect(listed.tools).toHaveLength(tools.length);
    expect(listed.warnings).toEqual([expect.stringContaining('does not end')]);
    expect(pages).toBeLessThan(20);
  });

  it('follows cursors of every form', async () => {
    const cursors = [1, { page: 2 }, 'x'.repeat(1_000)];
    const asked: unknown[] = [];
    const listed = await list(({ message, result }) => {
      asked.push(message.params?.['cursor']);
      result({ tools: [tool(`tool${asked.length}`)], nextCursor: cursors[asked.length - 1] ?? null });
    });
    expect(asked).toEqual([undefined, ...cursors]);
    expect(listed.tools).toHaveLength(4);
    expect(listed.warnings).toEqual([]);
  });

  it.each([{}, { tools: 'none' }, { tools: { a: 1 } }])('is refused as %o', async (result) => {
    await expect(list((exchange) => exchange.result(result))).rejects.toMatchObject({ status: 502 });
  });

  it('is empty when the server knows no tools', async () => {
    const listed = await list(({ message, response }) =>
      json(response, {
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32_601, message: 'Method not found' },
      }),
    );
    expect(listed.tools).toEqual([]);
    expect(listed.warnings).toEqual([expect.stringContaining('offers no tools')]);
  });
});
