// Calls of imported tools with a key: what a failure of their server leaves. reference: Keys of executions
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { type Exchange, type Script, type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
let ana: ImportUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = createImportUser(app, await app.user('owner@localhost'));
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
});

const run = (tool: string) => ana.run(tool, {}, { key: 'order-1' });

type Left = 'nothing' | 'answer' | 'doubt';

/** Says what the first call has left, by what its repeat is answered while everything works again. */
function leftBy(first: { error?: string }, second: { error?: string; replayed?: true }): Left {
  if (second.error === 'UNKNOWN_OUTCOME') return 'doubt';
  if (second.replayed !== true) return 'nothing';
  const { replayed: _, ...answer } = second;
  expect(answer).toEqual(first);
  return 'answer';
}

describe('an operation of an OpenAPI description', () => {
  let server: HttpServer;
  const ok: RequestListener = (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  const status =
    (code: number): RequestListener =>
    (_, response) =>
      void response.writeHead(code).end();

  beforeEach(async () => {
    server = await startHttpServer(ok);
    const operation = { responses: { 200: { description: 'OK' } } };
    const document = {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: `http://127.0.0.1:${server.port}` }],
      paths: {
        '/pay': { post: { ...operation, operationId: 'pay' } },
        // It says that it deletes, so it counts as a deletion whatever its method.
        '/purge': { get: { ...operation, operationId: 'purgeOrders' } },
      },
    };
    await ana.add({ document: JSON.stringify(document) });
  });
  afterEach(() => server.close().catch(() => {}));

  const ENDINGS: [what: string, answer: RequestListener, left: Left][] = [
    ['answers', ok, 'answer'],
    ['answers 422', status(422), 'answer'],
    ['answers 401', status(401), 'nothing'],
    ['answers 429', status(429), 'nothing'],
    ['answers 502', status(502), 'doubt'],
    ['closes the connection', ({ socket }) => socket.destroy(), 'doubt'],
  ];

  it.each(ENDINGS)('whose service %s', async (_, answer, left) => {
    server.answer(answer);
    const first = await run('acme_pay');
    server.answer(ok);
    expect(leftBy(first, await run('acme_pay'))).toBe(left);
  });

  it('that deletes by GET and loses its answer may have run', async () => {
    server.answer(({ socket }) => socket.destroy());
    const first = await run('acme_orders');
    expect(first.error).toContain('may have run');
    server.answer(ok);
    expect(leftBy(first, await run('acme_orders'))).toBe('doubt');
  });

  it('that could not be sent has not run', async () => {
    await server.close();
    expect((await run('acme_pay')).error).toContain('could not be reached');
    expect((await run('acme_pay')).error).toContain('could not be reached');
  });
});

describe('a tool of an MCP server', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScripted({});
    await ana.add({ address: server.address });
  });
  afterEach(() => server.close());

  const called = () => server.messages.filter(({ method }) => method === 'tools/call').length;
  const close = ({ request }: Exchange) => request.socket.destroy();
  const fail = ({ message, response }: Exchange) => {
    const error = { code: -32_602, message: 'no such card' };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
  };

  const ENDINGS: [what: string, script: Script, left: Left][] = [
    ['answers', {}, 'answer'],
    [
      'says that it failed',
      { 'tools/call': ({ result }) => result({ isError: true, content: [{ type: 'text', text: 'no' }] }) },
      'answer',
    ],
    ['refuses the arguments', { 'tools/call': fail }, 'answer'],
    ['closes the connection of the call', { 'tools/call': close }, 'doubt'],
    ['answers the call with 500', { 'tools/call': ({ response }) => response.writeHead(500).end() }, 'doubt'],
    [
      'ends the stream of the call without an answer',
      {
        'tools/call'({ stream, response }) {
          stream()({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
          response.end();
        },
      },
      'doubt',
    ],
    ['answers the call without a result', { 'tools/call': ({ result }) => result('nothing') }, 'doubt'],
  ];

  it.each(ENDINGS)('whose server %s', async (_, script, left) => {
    server.play(script);
    const first = await run('acme_tool');
    expect(called()).toBeGreaterThan(0);
    const before = called();
    server.play({});
    expect(leftBy(first, await run('acme_tool'))).toBe(left);
    expect(called()).toBe(left === 'nothing' ? before + 1 : before);
  });

  it('has not run when the server hangs up before the call', async () => {
    await app.deps.mcp.close();
    server.play({ initialize: close, 'server/discover': close });
    const first = await run('acme_tool');
    expect(called()).toBe(0);
    server.play({});
    expect(leftBy(first, await run('acme_tool'))).toBe('nothing');
  });
});
