// Runs the official SDK against the preview of MCP Events: it lists what its person has subscribed to, and polls for it.
// reference: MCP Events
import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { runTool } from '../support/events.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { modernHeaders, modernMeta, rpc } from '../support/mcp.ts';
import { createTestApp } from '../support/test-app.ts';

let site: Site;
let gateway: Gateway & Banner;
let client: Client;
beforeAll(async () => {
  site = await openSite();
  gateway = await site.start({ env: { EVENTS_PREVIEW: 'true' } });
  client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { 'x-service-api-key': gateway.apiKey } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.base), { requestInit }));
});
afterAll(async () => {
  await client.close();
  await site.close();
});
beforeEach(async () => {
  const { subscriptions } = (await run('events_list')).result;
  for (const { id } of subscriptions) await run('events_unsubscribe', { id });
});

/** As the sketch declares them. */
const ListResult = z.object({
  events: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      delivery: z.array(z.enum(['poll', 'push', 'webhook'])).min(1),
      inputSchema: z.looseObject({ type: z.literal('object') }),
      payloadSchema: z.looseObject({ type: z.literal('object') }),
    }),
  ),
});
const PollResult = z.object({
  events: z.array(
    z.object({
      eventId: z.string(),
      name: z.string(),
      timestamp: z.iso.datetime(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
  cursor: z.string(),
  truncated: z.boolean(),
  hasMore: z.boolean(),
  nextPollMs: z.number(),
});

const user = () => ({ keyHeader: { 'x-service-api-key': gateway.apiKey } });
const run = async (tool: string, args: object = {}) => (await runTool(gateway, user(), tool, args)).body;
const subscribe = async () =>
  (await run('events_subscribe', { integration: 'webhook', event: 'header' })).result;
async function deliver({ address, secret }: { address: string; secret: string }, body: object) {
  const init = { method: 'POST', headers: { 'x-webhook-secret': secret }, body: JSON.stringify(body) };
  expect((await gateway.request(new URL(address).pathname, init)).status).toBe(200);
}
const list = () => client.request({ method: 'events/list' }, ListResult);
const poll = (params: object) =>
  client.request({ method: 'events/poll', params: { name: 'webhook.header', ...params } }, PollResult);
const errorOf = (request: Promise<unknown>): Promise<ProtocolError> =>
  request.then(
    () => Promise.reject(new Error('it was answered')),
    (error: unknown) => (error instanceof ProtocolError ? error : Promise.reject(error)),
  );
const payloadsOf = ({ events }: z.output<typeof PollResult>) => events.map(({ data }) => data['payload']);

it('is declared where clients of the sketch and of the extension look for it', () => {
  expect(client.getServerCapabilities()).toMatchObject({
    extensions: { 'io.modelcontextprotocol/events': {} },
  });
});

it('lists what the person has subscribed to, by its name', async () => {
  expect((await list()).events).toEqual([]);
  const [one, other] = [await subscribe(), await subscribe()];
  await run('events_subscribe', { integration: 'schedule', args: { cron: '0 8 * * *' } });
  const { events } = await list();
  expect(events.map(({ name, delivery }) => [name, delivery])).toEqual([
    ['schedule.due', ['poll']],
    ['webhook.header', ['poll']],
  ]);
  expect(events[1]?.inputSchema).toMatchObject({
    properties: { subscription: { enum: expect.arrayContaining([one.id, other.id]) } },
  });
});

it('starts at now, and then tells of each event once, the oldest first', async () => {
  const to = await subscribe();
  await deliver(to, { before: true });
  const first = await poll({ cursor: null });
  expect(first).toMatchObject({ events: [], truncated: false, hasMore: false });
  for (const number of [1, 2, 3]) await deliver(to, { number });
  const second = await poll({ cursor: first.cursor, maxEvents: 2 });
  expect(payloadsOf(second)).toEqual([{ number: 1 }, { number: 2 }]);
  expect(second.hasMore).toBe(true);
  const third = await poll({ cursor: second.cursor, maxEvents: 2 });
  expect(payloadsOf(third)).toEqual([{ number: 3 }]);
  expect(third.hasMore).toBe(false);
  expect(payloadsOf(await poll({ cursor: third.cursor }))).toEqual([]);
  const ids = [...second.events, ...third.events].map(({ eventId }) => eventId);
  expect(new Set(ids).size).toBe(3);
});

it('holds a poll until an event comes', async () => {
  const to = await subscribe();
  const { cursor } = await poll({ cursor: null });
  const polling = poll({ cursor, timeoutMs: 50_000 });
  await deliver(to, { late: true });
  expect(payloadsOf(await polling)).toEqual([{ late: true }]);
});

it('tells of one subscription where it is asked to, and goes on behind the events of others', async () => {
  const [one, other] = [await subscribe(), await subscribe()];
  const { cursor } = await poll({ cursor: null });
  await deliver(other, { of: 'other' });
  const passed = await poll({ cursor, arguments: { subscription: one.id } });
  expect([passed.events, passed.hasMore]).toEqual([[], true]);
  await deliver(one, { of: 'one' });
  const found = await poll({ cursor: passed.cursor, arguments: { subscription: one.id } });
  expect(payloadsOf(found)).toEqual([{ of: 'one' }]);
  expect(found.events[0]).toMatchObject({ name: 'webhook.header', data: { subscription: one.id } });
});

it('says that events were left out as too old', async () => {
  const to = await subscribe();
  const { cursor } = await poll({ cursor: null });
  await deliver(to, { old: true });
  // An event has the second in which it came, so that the next one begins first.
  const asked = async () => payloadsOf(await poll({ cursor, maxAgeMs: 1 }));
  await expect.poll(asked).toEqual([]);
  expect(await poll({ cursor, maxAgeMs: 1 })).toMatchObject({ events: [], truncated: true });
});

it.each([
  ['a name that nobody has subscribed to', { name: 'webhook.none' }, -32011],
  ['a subscription of another name', { arguments: { subscription: 'none' } }, -32602],
  ['other arguments', { arguments: { from: 'me' } }, -32602],
  ['a cursor that it has not given', { cursor: 'here' }, -32602],
])('refuses %s', async (_, params, code) => {
  await subscribe();
  expect((await errorOf(poll(params))).code).toBe(code);
});

it('says that it delivers by polls alone', async () => {
  for (const [method, value] of [
    ['events/stream', 'push'],
    ['events/subscribe', 'webhook'],
  ] as const) {
    const error = await errorOf(client.request({ method, params: { name: 'webhook.header' } }, z.unknown()));
    expect([error.code, error.data]).toEqual([-32014, { feature: 'deliveryMode', value }]);
  }
});

it('heeds the rules of the person for the tools that it stands for', async () => {
  await subscribe();
  const headers = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
  const put = (rules: object[]) =>
    gateway.request('/api/policy', { method: 'PUT', headers, body: JSON.stringify({ rules }) });
  expect((await put([{ tool: 'events_read', decision: 'block' }])).status).toBe(200);
  expect((await errorOf(poll({ cursor: null }))).code).toBe(-32012);
  expect((await put([])).status).toBe(200);
  expect((await poll({ cursor: null })).events).toEqual([]);
});

it('is not there unless the operator switches it on', async () => {
  const app = await createTestApp();
  const ana = await app.user();
  const ask = (method: string) =>
    rpc(app, { ...ana.keyHeader, ...modernHeaders(method) }, method, { _meta: modernMeta });
  expect(JSON.stringify((await ask('server/discover')).body)).not.toContain('events');
  expect(await ask('events/list')).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  await app.close();
});
