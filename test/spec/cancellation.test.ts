// Tests callers that leave. MCP 2026-07-28, Cancellation: a caller that leaves cancels; up to 2025-11-25 it
// does not. reference: Execution rules; Audit
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defineIntegration, tool } from '../../src/kit/integration.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { modernHeaders, modernMeta } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let upstream: HttpServer;
let app: TestApp;
let ana: TestUser;
let arrivals: PromiseWithResolvers<[IncomingMessage, ServerResponse]>;
let asked: number;

beforeAll(async () => {
  upstream = await startHttpServer();
  const url = `http://127.0.0.1:${upstream.port}/`;
  const slow = defineIntegration({
    name: 'slow',
    version: '1',
    displayName: 'Slow',
    description: 'Takes its time',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'slow_read',
        'Reads',
        () => ({}),
        async (_, { fetch }) => (await fetch(url)).text(),
      ),
      tool(
        'slow_write',
        'Writes',
        () => ({}),
        async (_, { fetch }) => (await fetch(url, { method: 'POST' })).text(),
        'write',
      ),
    ],
  });
  app = await createTestApp({ ports: { integrations: [slow] } });
  ana = await app.user();
});
afterAll(async () => {
  await app.close();
  await upstream.close();
});

beforeEach(() => {
  asked = 0;
  arrivals = Promise.withResolvers();
  upstream.answer((request, response) => {
    asked++;
    arrivals.resolve([request, response]);
  });
});

type Send = (tools: string[], signal: AbortSignal) => Promise<Response>;

const calls = (tools: string[]) => tools.map((name) => ({ tool: name, args: {} }));

const rest: Send = (tools, signal) =>
  app.request('/rest/slow', {
    method: 'POST',
    headers: { ...ana.keyHeader, 'content-type': 'application/json' },
    body: JSON.stringify({ executions: calls(tools) }),
    signal,
  });

const mcp =
  (headers: Record<string, string>, meta: object): Send =>
  (tools, signal) =>
    app.request('/mcp', {
      method: 'POST',
      headers: { ...ana.keyHeader, ...headers },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { ...meta, name: 'execute_tools', arguments: { executions: calls(tools) } },
      }),
      signal,
    });
const modern = mcp(modernHeaders('tools/call', 'execute_tools'), { _meta: modernMeta });
const legacy = mcp({}, {});

/** Newest first. */
async function audited(count: number) {
  const response = await app.request('/api/audit', { headers: ana.keyHeader });
  const { entries } = await response.json();
  return entries.slice(0, count);
}

const GONE = { success: false, error: 'Cancelled by the caller' };

it.each([
  ['/rest', rest],
  ['/mcp, 2026-07-28', modern],
])('ends the upstream call of a read when a caller of %s leaves', async (_surface, send) => {
  const caller = new AbortController();
  const answer = send(['slow_read'], caller.signal);
  const [, response] = await arrivals.promise;
  const ended = once(response, 'close');
  caller.abort();
  await ended;
  await answer;
  expect(await audited(1)).toMatchObject([{ tool: 'slow_read', ...GONE }]);
});

it.each([
  ['/rest', rest],
  ['/mcp, 2026-07-28', modern],
])('finishes a write when a caller of %s leaves, and audits its outcome', async (_, send) => {
  const caller = new AbortController();
  const answer = send(['slow_write'], caller.signal);
  const [, response] = await arrivals.promise;
  caller.abort();
  response.end('done');
  await answer;
  expect(await audited(1)).toMatchObject([{ tool: 'slow_write', success: true, error: null }]);
});

it.each([
  ['/rest', rest],
  ['/mcp, 2026-07-28', modern],
])('begins no further item of a batch of %s when its caller leaves', async (_surface, send) => {
  const caller = new AbortController();
  const answer = send([...Array.from({ length: 8 }, () => 'slow_read'), 'slow_write'], caller.signal);
  await expect.poll(() => asked).toBe(8);
  caller.abort();
  await answer;
  const entries = await audited(9);
  expect(entries).toMatchObject(Array.from({ length: 9 }, () => GONE));
  expect(entries.map(({ tool: name }: { tool: string }) => name)).toContain('slow_write');
  expect(asked).toBe(8);
});

it('cancels nothing when a client of the legacy eras leaves', async () => {
  const caller = new AbortController();
  const answer = legacy(['slow_read'], caller.signal);
  const [, response] = await arrivals.promise;
  caller.abort();
  response.end('read');
  await answer;
  expect(await audited(1)).toMatchObject([{ tool: 'slow_read', success: true }]);
});
