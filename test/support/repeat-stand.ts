// A gateway with a shop whose calls carry a key, the doors they come through, and the server that the shop calls.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import * as z from 'zod';
import { defineIntegration, type ToolContext, tool } from '../../src/kit/integration.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { call } from './mcp.ts';
import { createTestApp, type Options, type TestApp, type TestUser } from './test-app.ts';
import { waitUntil } from './wait.ts';

export const DOORS = ['MCP', 'MCP batch', 'REST', 'REST batch'] as const;
export type Door = (typeof DOORS)[number];

export interface Sent {
  tool?: string;
  args?: object;
  key?: string;
  select?: string;
  headers?: Record<string, string>;
}

/** `item` is an entry of `results`, or the body of a single REST call in the same form. */
export interface Answered {
  /** Only of a single REST call. */
  status?: number;
  headers?: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any
  item: any;
}

export interface RepeatStand {
  app: TestApp;
  clock: ManualClock;
  ana: TestUser;
  server: HttpServer;
  /** The requests that reached the server. */
  seen: IncomingMessage[];
  /** What the tools without a request have run. */
  ran: string[];
  send(door: Door, sent?: Sent): Promise<Answered>;
  /** What `shop_fail` throws. */
  fail(error: Error): void;
  answer(listener: RequestListener): void;
  /** Lets every later answer of the server wait, and returns the answers that do. */
  hold(): ServerResponse[];
  atServer(count: number): Promise<void>;
  close(): Promise<void>;
}

const PAID: RequestListener = (_, response) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"ch_1","lines":[1,2]}');

const PATIENCE_MS = 20_000;

const KEY = 'order-1';

export async function openRepeatStand(options: Options = {}): Promise<RepeatStand> {
  const seen: IncomingMessage[] = [];
  const ran: string[] = [];
  let current = PAID;
  let failure = new Error('the shop is closed');
  const server = await startHttpServer((request, response) => {
    seen.push(request);
    current(request, response);
  });
  const clock = createManualClock();

  async function request({ fetch }: ToolContext, method: string, timeoutMs = PATIENCE_MS): Promise<unknown> {
    const url = `http://127.0.0.1:${server.port}/pay`;
    const response = await fetch(url, { method, timeoutMs, body: method === 'GET' ? null : '{}' });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text);
  }
  const amount = () => ({ amount: z.number().default(1), timeoutMs: z.number().optional() });
  const shop = defineIntegration({
    name: 'shop',
    version: '1.0.0',
    displayName: 'Shop',
    description: 'Takes payments',
    categories: ['test'],
    logo: null,
    auth: { type: 'none' },
    tools: [
      tool(
        'shop_pay',
        'Pays',
        amount,
        ({ timeoutMs }, context) => request(context, 'POST', timeoutMs),
        'write',
      ),
      tool(
        'shop_look_and_pay',
        'Looks, then pays',
        amount,
        async (_, context) => {
          await request(context, 'GET');
          return request(context, 'POST');
        },
        'write',
      ),
      tool(
        'shop_fail',
        'Fails within the gateway',
        () => ({}),
        () => {
          ran.push('shop_fail');
          throw failure;
        },
        'write',
      ),
      tool('shop_look', 'Looks', amount, (_, context) => request(context, 'GET')),
      tool(
        'shop_long',
        'Answers at length',
        () => ({ characters: z.number(), letter: z.string().default('x') }),
        ({ characters, letter }) => {
          ran.push('shop_long');
          return { text: letter.repeat(characters) };
        },
        'write',
      ),
    ],
  });
  const app = await createTestApp({
    ...options,
    ports: { integrations: [shop], clock, ...options.ports },
  });
  const ana = await app.user();

  async function rest(body: object, headers: Record<string, string>): Promise<Response> {
    return app.request('/rest/shop', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  const stand: RepeatStand = {
    app,
    clock,
    ana,
    server,
    seen,
    ran,
    async send(
      door,
      { tool: name = 'shop_pay', args = {}, key = KEY, select, headers = ana.keyHeader } = {},
    ) {
      const execution = { tool: name, args, ...(select === undefined ? {} : { select }) };
      const keyed = { ...execution, key };
      const beside = { tool: 'shop_nothing', args: {} };
      switch (door) {
        case 'MCP':
        case 'MCP batch': {
          const executions = door === 'MCP' ? [keyed] : [beside, keyed];
          const { results } = await call(app, headers, 'execute_tools', { executions });
          return { item: results.at(-1) };
        }
        case 'REST': {
          const response = await rest(execution, { ...headers, 'idempotency-key': key });
          const { integration: _, tool: __, ...item } = await response.json();
          return { status: response.status, headers: response.headers, item };
        }
        case 'REST batch': {
          const { results } = await (await rest({ executions: [beside, keyed] }, headers)).json();
          return { item: results.at(-1) };
        }
      }
    },
    fail: (error) => void (failure = error),
    answer: (listener) => void (current = listener),
    hold() {
      const held: ServerResponse[] = [];
      current = (_, response) => void held.push(response);
      return held;
    },
    atServer: (count) =>
      waitUntil(
        'the request at the server',
        () => seen.length >= count,
        () => seen.length,
      ),
    async close() {
      await app.close();
      await server.close().catch(() => {});
    },
  };
  return stand;
}
