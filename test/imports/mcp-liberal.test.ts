// Servers that differ from each other where MCP allows it, and where it does not. Each works, and says what it should not do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMcpClients, type ClientsStand } from '../support/mcp-clients.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import {
  type Exchange,
  json,
  type Script,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-mcp.ts';

let stand: ClientsStand;
let server: ScriptedServer;

beforeEach(async () => {
  server = await startScripted();
  stand = openMcpClients();
});
afterEach(async () => {
  await stand.close();
  await server.close();
});

const tool = { name: 'tool', inputSchema: { type: 'object' } };
const tools = { tools: [tool] };
const done = { content: [{ type: 'text', text: 'done' }] };
const list = () => stand.clients.list(stand.reach(server.address));
const call = () => stand.clients.call(stand.reach(server.address), { name: 'tool' }, {}, createMemoryFiles());

const send = (response: Exchange['response'], body: string | Buffer, type?: string): void =>
  void response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);

async function works(script: Script): Promise<readonly string[]> {
  server.play(script);
  const { tools: listed, warnings } = await list();
  expect(listed.map(({ name }) => name)).toEqual(['tool']);
  expect(await call()).toBe('done');
  return warnings;
}

const notice = (answer: (response: Exchange['response']) => void): Script => ({
  'notifications/initialized': ({ response }) => answer(response),
});

describe('the answer to a notification', () => {
  // The package `mcp` 1.30.0 of Python: server/streamable_http.py answers every notification so.
  it('may be 202 with the type of JSON and no body', async () => {
    const headers = { 'content-type': 'application/json', 'content-length': 0 };
    const warnings = await works(notice((response) => response.writeHead(202, headers).end()));
    expect(warnings).toEqual([]);
  });

  it.each([
    ['200 without a body', 200, undefined, ''],
    ['204', 204, undefined, ''],
    ['200 with a text', 200, 'text/plain', 'OK'],
    ['200 with JSON that is no message', 200, 'application/json', '{"ok":true}'],
    ['200 with broken JSON', 200, 'application/json', '{"ok"'],
    ['200 with a page', 200, 'text/html', '<h1>Thanks</h1>'],
    ['200 with null', 200, 'application/json', 'null'],
  ])('may be %s', async (_, status, type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const warnings = await works(notice((response) => response.writeHead(status, headers).end(body)));
    expect(warnings).toEqual([expect.stringContaining(`it answers a notification with status ${status}`)]);
  });

  it('may be a stream that never ends', async () => {
    await works(
      notice(
        (response) => void response.writeHead(202, { 'content-type': 'text/event-stream' }).write(':\n\n'),
      ),
    );
  });
});

/** Answers every request of the script with its result, written by `write`. */
function writing(
  write: (exchange: Exchange, message: Record<string, unknown>) => void,
  overrides: Record<string, unknown> = {},
): Script {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '1.0.0' },
    },
    'tools/list': tools,
    'tools/call': done,
    ...overrides,
  };
  return Object.fromEntries(
    Object.entries(results).map(([method, result]) => [
      method,
      (exchange) => write(exchange, { jsonrpc: '2.0', id: exchange.message.id, result }),
    ]),
  );
}

describe('an answer', () => {
  const text = JSON.stringify;

  it.each<[string, (exchange: Exchange, message: Record<string, unknown>) => void]>([
    [
      'JSON with a charset',
      ({ response }, message) => send(response, text(message), 'application/json; charset=utf-8'),
    ],
    ['JSON in capital letters', ({ response }, message) => send(response, text(message), 'Application/JSON')],
    [
      'JSON with a byte order mark',
      ({ response }, message) => send(response, `\uFEFF${text(message)}`, 'application/json'),
    ],
    [
      'JSON in UTF-16',
      ({ response }, message) =>
        send(
          response,
          Buffer.from(`\uFEFF${text(message)}`, 'utf16le'),
          'application/json; charset=utf-16le',
        ),
    ],
    ['a list with one message', ({ response }, message) => json(response, [message])],
    [
      'an event with a byte order mark',
      ({ response }, message) => send(response, `\uFEFFdata: ${text(message)}\n\n`, 'text/event-stream'),
    ],
    [
      'an event named message, with an id and comments',
      ({ response }, message) =>
        send(
          response,
          `: hello\n\nevent: message\nid: 1\nretry: 10\ndata: ${text(message)}\n\n`,
          'text/event-stream; charset=utf-8',
        ),
    ],
    [
      'an event with line ends of Windows, in several lines',
      ({ response }, message) =>
        send(
          response,
          `${text(message, null, 1)
            .split('\n')
            .map((line) => `data: ${line}\r\n`)
            .join('')}\r\n`,
          'text/event-stream',
        ),
    ],
  ])('may be %s', async (_, write) => {
    expect(await works(writing(write))).toEqual([]);
  });

  it.each<[string, RegExp, (exchange: Exchange, message: Record<string, unknown>) => void]>([
    ['JSON without a type', /what type/, ({ response }, message) => send(response, text(message))],
    [
      'JSON as a text',
      /what type/,
      ({ response }, message) => send(response, ` ${text(message)}`, 'text/plain'),
    ],
    [
      'an event without a type',
      /what type/,
      ({ response }, message) => send(response, `data: ${text(message)}\n\n`),
    ],
    [
      'JSON with the id as a text',
      /the id/,
      ({ response }, message) => json(response, { ...message, id: String(message['id']) }),
    ],
    [
      'an event with the id as a text',
      /the id/,
      ({ response }, message) =>
        send(response, `data: ${text({ ...message, id: String(message['id']) })}\n\n`, 'text/event-stream'),
    ],
    [
      'JSON with an error of null',
      /JSON-RPC/,
      ({ response }, message) => json(response, { ...message, error: null }),
    ],
    [
      'an event with unknown members',
      /JSON-RPC/,
      ({ response }, message) =>
        send(response, `data: ${text({ ...message, time: 1, _links: {} })}\n\n`, 'text/event-stream'),
    ],
    [
      'JSON without its version',
      /JSON-RPC/,
      ({ response }, { id, result }) => json(response, { id, result }),
    ],
  ])('is understood as %s, with a warning', async (_, warning, write) => {
    expect(await works(writing(write))).toEqual([expect.stringMatching(warning)]);
  });

  it.each([
    ['a code as a text', { code: '-32000', message: 'No such row' }],
    ['more members', { code: -32_000, message: 'No such row', hint: 'look again' }],
    ['no code', { message: 'No such row' }],
    ['no object', 'No such row'],
  ])('may be an error with %s', async (_, error) => {
    server.play({
      'tools/call': ({ message, response }) => json(response, { jsonrpc: '2.0', id: message.id, error }),
    });
    await expect(call()).rejects.toThrow(/refused the request: No such row$/);
  });

  it.each([null, 'server-error', undefined])('may be an error with the id %o', async (id) => {
    server.play({
      'tools/call': ({ response }) =>
        json(response, {
          jsonrpc: '2.0',
          ...(id === undefined ? {} : { id }),
          error: { code: 1, message: 'No' },
        }),
    });
    await expect(call()).rejects.toThrow(/refused the request: No$/);
  });

  it('that is empty is no answer, and nothing is parsed', async () => {
    server.play({
      'tools/call': ({ response }) =>
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 0 }).end(),
    });
    await expect(call()).rejects.toThrow(/without a result\. The call may have run/);
  });
});

describe('a session', () => {
  it.each([404, 405, 400, 501])('works where a GET is answered with %i', async (status) => {
    await works({ GET: ({ response }) => response.writeHead(status).end('no') });
  });

  it('works where a GET is answered with a page', async () => {
    await works({ GET: ({ response }) => send(response, '<h1>MCP</h1>', 'text/html') });
  });

  it('works with members that MCP does not know', async () => {
    const warnings = await works(
      writing(({ response }, message) => json(response, message), {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: null, more: 1 }, experimental: { a: {} }, unknown: true },
          serverInfo: { name: 'scripted', version: '1.0.0', vendor: 'somebody' },
          extra: [1],
        },
        'tools/list': {
          tools: [{ ...tool, inputSchema: { type: 'object' }, extra: 1, _meta: null }],
          total: 1,
        },
      }),
    );
    expect(warnings).toEqual([]);
  });

  it('works where the server does not say who it is', async () => {
    await works(
      writing(({ response }, message) => json(response, message), {
        initialize: { protocolVersion: '2025-03-26', capabilities: { prompts: null }, serverInfo: null },
      }),
    );
  });

  it.each([
    ['has no properties', { type: 'object' }],
    ['is empty', {}],
    ['is missing', undefined],
    ['is null', null],
    ['is true', true],
  ])('works where the schema of a tool %s', async (_, inputSchema) => {
    await works({ 'tools/list': ({ result }) => result({ tools: [{ name: 'tool', inputSchema }] }) });
  });
});
