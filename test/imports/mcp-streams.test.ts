// What a server of the older era says and asks beside the answers to calls arrives, within limits, while its session lives.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMcpClients, type ClientsStand } from '../support/mcp-clients.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import {
  flood,
  json,
  type Message,
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

const call = () => stand.clients.call(stand.reach(server.address), { name: 'tool' }, {}, createMemoryFiles());
const requests = (http: string) => server.messages.filter((message) => message.http === http);
const done = { content: [{ type: 'text', text: 'done' }] };

/**
 * The package `mcp` 1.30.0 of Python with JSON answers: it declares `listChanged: false`, and says and asks everything on
 * the stream of the GET. What is said before the stream is open is lost.
 */
function pythonServer() {
  let say: ((message: object) => void) | undefined;
  const waiting = new Map<unknown, (answer: Message) => void>();
  const script: Script = {
    'server/discover': ({ response }) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 'server-error',
          error: { code: -32_600, message: 'Bad Request: Missing session ID' },
        }),
      ),
    initialize: ({ message, response }) =>
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'one' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: message.id,
          result: {
            protocolVersion: '2025-11-25',
            capabilities: { experimental: {}, tools: { listChanged: false } },
            serverInfo: { name: 'one', version: '1.30.0' },
          },
        }),
      ),
    'notifications/initialized': ({ response }) =>
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': 0 }).end(),
    GET({ response, stream }) {
      say = stream();
      response.flushHeaders();
    },
    async 'tools/call'({ result }) {
      say?.({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
      const answered = new Promise<Message>((resolve) => waiting.set(0, resolve));
      say?.({
        jsonrpc: '2.0',
        id: 0,
        method: 'sampling/createMessage',
        params: { messages: [], maxTokens: 1 },
      });
      const { error } = await answered;
      result({ content: [{ type: 'text', text: error?.message ?? 'allowed' }] });
    },
    response({ message, response }) {
      waiting.get(message.id)?.(message);
      response.writeHead(202, { 'content-type': 'application/json', 'content-length': 0 }).end();
    },
  };
  return { script, say: (message: object) => say?.(message) };
}

describe('the stream of a session', () => {
  it('is open before the first call, so that what the server asks is refused at once', async () => {
    server.play(pythonServer().script);
    expect(await call()).toBe('Method not found');
    expect(requests('GET')).toHaveLength(1);
  });

  it('brings the news that tools have changed, although the server has not promised it', async () => {
    const python = pythonServer();
    server.play(python.script);
    const keys: string[] = [];
    stand.clients.onToolsChanged((key) => keys.push(key));
    await call();
    await vi.waitFor(() => expect(keys).toEqual(['import person ']));
    python.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await vi.waitFor(() => expect(keys).toHaveLength(2));
  });

  it('is asked for once where the server has none', async () => {
    for (let each = 0; each < 3; each++) expect(await call()).toBe('done');
    expect(requests('GET')).toHaveLength(1);
  });

  it('goes on where it ended, and not at once', async () => {
    const headers: unknown[] = [];
    server.play({
      GET({ request, response, stream }) {
        headers.push(request.headers['last-event-id']);
        stream();
        response.write('id: 7\nretry: 0\ndata:\n\n');
        if (headers.length < 3) response.end();
      },
    });
    for (let each = 0; each < 5; each++) await call();
    await vi.waitFor(() => expect(headers).toEqual([undefined, '7', '7']), { timeout: 15_000 });
  });

  it('is given up when the server floods it, and the calls go on', async () => {
    server.play({
      GET: flood,
    });
    for (let each = 0; each < 3; each++) expect(await call()).toBe('done');
    await vi.waitFor(async () => {
      expect(await call()).toBe('done');
      expect(requests('GET')).toHaveLength(1);
    });
  });

  it('ends with its session', async () => {
    let isOpen = false;
    server.play({
      GET({ response, stream }) {
        stream();
        response.flushHeaders();
        isOpen = true;
        response.once('close', () => (isOpen = false));
      },
    });
    await call();
    expect(isOpen).toBe(true);
    await stand.clients.end('import ');
    await vi.waitFor(() => expect(isOpen).toBe(false));
  });
});

describe('a server that goes back to the older era', () => {
  const discovered = {
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    ttlMs: 0,
    cacheScope: 'private',
  };
  const refusal =
    (status: number, error: object): Script[string] =>
    ({ response }) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));

  it.each([
    ['400', refusal(400, { code: -32_000, message: 'Bad Request: Mcp-Session-Id header is required' })],
    ['400 of Python', refusal(400, { code: -32_600, message: 'Bad Request: Unsupported protocol version' })],
    ['404', refusal(404, { code: -32_001, message: 'Session not found' })],
    ['404 without words', (({ response }) => response.writeHead(404).end()) satisfies Script[string]],
  ])('is asked once more which one it speaks after a %s, and the call runs once', async (_, refuse) => {
    server.play({
      'server/discover': ({ result }) => result({ ...discovered, capabilities: { tools: {} } }),
      'tools/call': ({ result }) => result({ resultType: 'complete', ...done }),
    });
    expect(await call()).toBe('done');
    let ran = 0;
    server.play({
      'server/discover': refuse,
      initialize: ({ message, response }) =>
        response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'old' }).end(
          JSON.stringify({
            jsonrpc: '2.0',
            id: message.id,
            result: {
              protocolVersion: '2025-06-18',
              capabilities: { tools: {} },
              serverInfo: { name: 'old', version: '1' },
            },
          }),
        ),
      'tools/call'(exchange) {
        if (exchange.request.headers['mcp-session-id'] !== 'old') return refuse(exchange);
        ran++;
        json(exchange.response, { jsonrpc: '2.0', id: exchange.message.id, result: done });
      },
    });
    expect(await call()).toBe('done');
    expect(ran).toBe(1);
  });
});
