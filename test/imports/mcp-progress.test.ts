// How long an imported tool may take, and how far it has come: progress passes from the server to the client that asked.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImportUser, type ImportUser } from '../support/import-user.ts';
import { openMcpClients } from '../support/mcp-clients.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
import { json, type Script, type ScriptedServer, startScripted } from '../support/scripted-mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let owner: TestUser;
let ana: ImportUser;
let server: ScriptedServer;

beforeEach(async () => {
  server = await startScripted();
  app = await createTestApp();
  owner = await app.user('owner@localhost');
  ana = createImportUser(app, owner);
});
afterEach(async () => {
  await app.deps.mcp.close();
  await app.close();
  await server.close();
});

const done = { content: [{ type: 'text', text: 'done' }] };
const tokenIn = ({ params }: { params?: Record<string, unknown> }): unknown =>
  (params?.['_meta'] as Record<string, unknown> | undefined)?.['progressToken'];
/** Tells three steps and then answers, as the package `mcp` 1.30.0 of Python does. */
const steps: Script[string] = ({ message, response, stream }) => {
  const send = stream();
  const progressToken = tokenIn(message);
  for (const progress of [0, 1, 1, 2])
    if (progressToken !== undefined)
      send({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 3, message: `step ${progress}` },
      });
  send({ jsonrpc: '2.0', id: message.id, result: done });
  response.end();
};

async function ask(
  progressToken: unknown,
  { accept = 'application/json, text/event-stream', executions = 1 } = {},
) {
  const args = { executions: Array.from({ length: executions }, () => ({ tool: 'acme_tool' })) };
  const meta = progressToken === undefined ? {} : { _meta: { progressToken } };
  const response = await app.request('/mcp', {
    method: 'POST',
    headers: { ...owner.keyHeader, 'content-type': 'application/json', accept },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name: 'execute_tools', arguments: args, ...meta },
    }),
  });
  const type = response.headers.get('content-type');
  const text = await response.text();
  const messages =
    type === 'text/event-stream'
      ? text
          .split('\n\n')
          .filter((event) => event !== '')
          .map((event) => JSON.parse(event.replace('event: message\ndata: ', '')))
      : [JSON.parse(text)];
  return { type, messages };
}

describe('progress', () => {
  beforeEach(async () => {
    await ana.add({ address: server.address });
    server.play({ 'tools/call': steps });
  });

  it.each(['token', 0])('reaches the client that gave the token %o', async (token) => {
    const { type, messages } = await ask(token);
    expect(type).toBe('text/event-stream');
    const told = (progress: number) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
    });
    expect(messages.slice(0, -1)).toEqual([told(0), told(1), told(2)]);
    expect(messages.at(-1)).toMatchObject({ jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text' }] } });
  });

  it.each([
    ['did not ask', undefined, {}],
    ['takes no stream', 1, { accept: 'application/json' }],
  ])('is not asked of the server for a client that %s', async (_, token, how) => {
    const { type, messages } = await ask(token, how);
    expect(type).toMatch(/^application\/json/);
    expect(messages).toEqual([expect.objectContaining({ id: 7 })]);
    expect(tokenIn(server.messages.findLast(({ method }) => method === 'tools/call') ?? {})).toBeUndefined();
  });

  it('stays out of an answer of a server that tells none', async () => {
    server.play({});
    const { type, messages } = await ask('token');
    expect(type).toMatch(/^application\/json/);
    expect(messages).toEqual([expect.objectContaining({ id: 7 })]);
  });

  it('of a batch grows, although each call counts for itself', async () => {
    const { messages } = await ask('token', { executions: 3 });
    const values = messages.slice(0, -1).map(({ params }) => params.progress);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual(values.toSorted((one, other) => one - other));
    expect(new Set(values).size).toBe(values.length);
  });
});

describe('the time of a call', () => {
  const call = async (more: object, script: Script) => {
    const stand = openMcpClients();
    server.play(script);
    try {
      return await stand.clients.call(
        stand.reach(server.address, more),
        { name: 'tool' },
        {},
        createMemoryFiles(),
      );
    } finally {
      await stand.close();
    }
  };

  it('is what the import says', async () => {
    await expect(call({ timeoutMs: 1_000 }, { 'tools/call': () => {} })).rejects.toThrow(
      /did not answer within 1 seconds. The call may have run$/,
    );
  });

  it('ends without progress where the caller wants some', async () => {
    const slow = call({ timeoutMs: 1_000, onProgress: () => {} }, { 'tools/call': () => {} });
    await expect(slow).rejects.toThrow(/did not answer within 1 seconds/);
  });

  it('begins again with each progress', async () => {
    let told = 0;
    const script: Script = {
      'tools/call'({ message, response, stream }) {
        const send = stream();
        const progressToken = tokenIn(message);
        const timer = setInterval(() => {
          send({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: told + 1 },
          });
          if (told < 8) return;
          clearInterval(timer);
          send({ jsonrpc: '2.0', id: message.id, result: done });
          response.end();
        }, 500);
      },
    };
    expect(await call({ timeoutMs: 3_000, onProgress: () => void told++ }, script)).toBe('done');
    expect(told).toBeGreaterThan(7);
  });

  it('is set by the importer, between one second and five minutes', async () => {
    expect(await ana.add({ address: server.address, timeoutSec: 1 })).toMatchObject({ timeoutSec: 1 });
    server.play({ 'tools/call': () => {} });
    expect(await ana.run('acme_tool')).toMatchObject({
      error: expect.stringContaining('did not answer within 1 seconds'),
    });
    expect(await ana.change({ timeoutSec: 120 })).toMatchObject({ timeoutSec: 120 });
    expect(await ana.change({ timeoutSec: null })).not.toHaveProperty('timeoutSec');
    for (const timeoutSec of [0, 301, 1.5, '5'])
      expect((await ana.send('PATCH', '/api/imports/acme', { timeoutSec })).status).toBe(400);
  });

  it('holds for a service with a description too', async () => {
    const { port } = server;
    const document = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Slow', version: '1' },
      servers: [{ url: `http://127.0.0.1:${port}` }],
      paths: { '/slow': { get: { operationId: 'slow', responses: { 200: { description: 'OK' } } } } },
    });
    server.play({ GET: () => {} });
    await ana.add({ document, timeoutSec: 1 });
    expect(await ana.run('acme_slow')).toMatchObject({
      error: expect.stringContaining('did not answer within 1 seconds'),
    });
    server.play({ GET: ({ response }) => json(response, { ok: true }) });
    expect(await ana.run('acme_slow')).toEqual({ result: { ok: true } });
  });
});
