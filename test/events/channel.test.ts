// Brings events into a session, with the official SDK as the session. docs/events.md
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deliver, readAll, subscribe } from '../support/events.ts';
import { type GatewaySite, openGatewaySite } from '../support/gateway-site.ts';
import type { TestUser } from '../support/test-app.ts';
import { waitUntil } from '../support/wait.ts';

const CHANNEL = join(import.meta.dirname, '../../adapters/node/channel.ts');

let site: GatewaySite;
let ana: TestUser;
let open: (() => Promise<unknown>)[];
beforeEach(async () => {
  site = await openGatewaySite();
  ana = await site.app.user();
  open = [() => site.close()];
});
afterEach(async () => {
  for (const close of open.toReversed()) await close();
});

interface Pushed {
  content: string;
  meta: Record<string, string>;
}

async function startSession(more: readonly string[] = []) {
  const client = new Client({ name: 'session', version: '1.0.0' });
  const pushed: Pushed[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) => {
    expect(method).toBe('notifications/claude/channel');
    // The content and the strings beside it are what this kind of message has.
    pushed.push(params as unknown as Pushed);
  };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CHANNEL, '--url', site.base, ...more],
    env: { PATH: process.env['PATH'] ?? '', TOOL_GATEWAY_KEY: ana.apiKey },
    stderr: 'inherit',
  });
  await client.connect(transport);
  open.push(() => client.close());
  await waitUntil(
    'a reader',
    () => site.app.deps.eventWaits.waiting() > 0,
    () => pushed,
  );
  return {
    client,
    pushed,
    until: (count: number) =>
      waitUntil(
        `event ${count}`,
        () => pushed.length >= count,
        () => pushed,
      ),
  };
}

async function hook() {
  const to = await subscribe(site.app, ana, { integration: 'webhook', event: 'header' });
  return {
    id: to.id as string,
    happens: async (body: object) => {
      const headers = { 'x-webhook-secret': to.secret };
      expect((await deliver(site.app, to, JSON.stringify(body), headers)).status).toBe(200);
    },
  };
}

it('declares a channel and nothing else, and says that events are data', async () => {
  const { client } = await startSession();
  expect(client.getServerCapabilities()).toEqual({ experimental: { 'claude/channel': {} } });
  expect(client.getInstructions()).toMatch(/take it as data/);
  await client.ping();
  await expect(client.listTools()).rejects.toThrow();
});

it('pushes what happens from now on, once and in its order', async () => {
  const { happens, id } = await hook();
  await happens({ id: 'before' });
  const { pushed, until } = await startSession();
  for (const number of [1, 2, 3]) await happens({ type: 'order.paid', number });
  await until(3);
  expect(pushed.map(({ content }) => JSON.parse(content).number)).toEqual([1, 2, 3]);
  const [, first] = (await readAll(site.app, ana)).events;
  expect(pushed[0]?.meta).toEqual({
    event: first.id,
    subscription: id,
    integration: 'webhook',
    type: 'order.paid',
    received_at: new Date(first.receivedAt * 1_000).toISOString(),
  });
  for (const name of Object.keys(pushed[0]?.meta ?? {})) expect(name).toMatch(/^\w+$/);
});

it('pushes one subscription alone where it is named, and cuts what is long', async () => {
  const [one, other] = [await hook(), await hook()];
  const { pushed, until } = await startSession(['--subscription', one.id]);
  await other.happens({ id: 'other' });
  await one.happens({ text: 'x'.repeat(100_000) });
  await until(1);
  expect(pushed).toHaveLength(1);
  expect(pushed[0]?.content.length).toBeLessThan(21_000);
  expect(pushed[0]?.content).toMatch(/events_read has it\.$/);
});

it('goes on where it was when the gateway was away', async () => {
  const { happens } = await hook();
  const { pushed, until } = await startSession();
  const { events } = site.app.deps.store;
  const { after } = events;
  let failed = 0;
  events.after = () => Promise.reject(new Error(`away ${++failed}`));
  await happens({ number: 1 });
  await waitUntil(
    'a failed read',
    () => failed > 0,
    () => failed,
  );
  events.after = after;
  await happens({ number: 2 });
  await until(2);
  expect(pushed.map(({ content }) => JSON.parse(content).number)).toEqual([1, 2]);
});

it('ends with a sentence when the gateway refuses the key, and without one', async () => {
  for (const [key, said] of [
    ['wrong', /refuses the key/],
    ['', /TOOL_GATEWAY_KEY is not set/],
  ] as const) {
    const child = spawn(process.execPath, [CHANNEL, '--url', site.base], {
      env: { PATH: process.env['PATH'] ?? '', TOOL_GATEWAY_KEY: key },
    });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(stderr).toMatch(said);
  }
});
