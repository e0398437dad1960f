// Tests that a client that asked for progress hears, while its call waits for a person, that it still waits.
// reference: Waiting for a connection; Approvals
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ACCEPT, createAskingClient, headersOf, paramsOf, waitForSleep } from '../support/asking-client.ts';
import { fixtures } from '../support/fixtures.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { ask, openPolicyStand, type PolicyStand } from '../support/policy-stand.ts';

let clock: ManualClock;
let stand: PolicyStand;
beforeEach(async () => {
  clock = createManualClock();
  stand = await openPolicyStand({
    rules: [ask('ledger_post')],
    integrations: fixtures,
    ports: { clock },
    env: { CALL_DETAILS: 'off', VAULTED_CLIENT_ID: 'id', VAULTED_CLIENT_SECRET: 'secret' },
  });
});
afterEach(() => stand.close());

const EVENTS = 'application/json, text/event-stream';

async function post(params: Record<string, unknown>, headers: Record<string, string> = {}) {
  const response = await stand.app.request('/mcp', {
    method: 'POST',
    headers: { ...stand.key, accept: EVENTS, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }),
  });
  const type = response.headers.get('content-type');
  const read = async () => {
    const text = await response.text();
    if (type !== 'text/event-stream') return [JSON.parse(text)];
    const events = text.split('\n\n').filter((event) => event !== '');
    return events.map((event) => JSON.parse(event.replace('event: message\ndata: ', '')));
  };
  return { type, read };
}

async function pendingConnection(): Promise<string> {
  const connection_id = stand.app.deps.random.uuid();
  const expires_at = clock.now() + 600;
  await stand.app.deps.pending.put({
    connection_id,
    user_id: stand.ana.id,
    integration: 'vaulted',
    expires_at,
  });
  return connection_id;
}

const waitFor = (connectionId: string, meta?: object) => ({
  name: 'wait_for_connection',
  arguments: { connectionId },
  ...(meta === undefined ? {} : { _meta: meta }),
});

it('tells at once and every 15 seconds that the person has not connected yet, and then the answer', async () => {
  const connectionId = await pendingConnection();
  const { type, read } = await post(waitFor(connectionId, { progressToken: 'p' }));
  expect(type).toBe('text/event-stream');
  const reading = read();
  await waitForSleep(clock);
  await clock.pass(31_000);
  await stand.app.deps.pending.connect(stand.ana.id, 'vaulted');
  await clock.pass(2_000);
  const messages = await reading;
  const message = 'The person has not finished connecting yet';
  expect(messages.slice(0, -1)).toEqual(
    [1, 2, 3].map((progress) => ({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'p', progress, message },
    })),
  );
  expect(messages.at(-1)).toMatchObject({
    id: 7,
    result: { content: [{ text: '{"status":"CONNECTED"}' }] },
  });
});

it.each([
  ['without a token', undefined, EVENTS],
  ['that takes no events', { progressToken: 'p' }, 'application/json'],
])('sends a client %s the same JSON as before', async (_name, meta, accept) => {
  const connectionId = await pendingConnection();
  const { type, read } = await post(waitFor(connectionId, meta), { accept });
  expect(type).toBe('application/json');
  await stand.app.deps.pending.connect(stand.ana.id, 'vaulted');
  await clock.pass(2_000);
  expect(await read()).toMatchObject([{ id: 7, result: { content: [{ text: '{"status":"CONNECTED"}' }] } }]);
});

it('tells a client that repeats its call who has to decide, and where', async () => {
  const { state, id } = await createAskingClient(stand, clock).ask();
  const sent = paramsOf({ requestState: state, inputResponses: ACCEPT });
  const params = { ...sent, _meta: { ...sent._meta, progressToken: 9 } };
  const { type, read } = await post(params, headersOf({}));
  expect(type).toBe('text/event-stream');
  const reading = read();
  await waitForSleep(clock);
  await clock.pass(16_000);
  await stand.approve(id);
  await clock.pass(2_000);
  const messages = await reading;
  expect(messages.slice(0, -1)).toMatchObject(
    [1, 2].map((progress) => ({
      method: 'notifications/progress',
      params: { progressToken: 9, progress, message: expect.stringContaining(`/approvals/${id}`) },
    })),
  );
  expect(JSON.parse(messages.at(-1).result.content[0].text)).toEqual({
    results: [{ result: { done: 'ledger_post' } }],
  });
});

it('ends the waiting, and leaves the link, when the client goes', async () => {
  const connectionId = await pendingConnection();
  const response = await stand.app.request('/mcp', {
    method: 'POST',
    headers: { ...stand.key, accept: EVENTS },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: waitFor(connectionId, { progressToken: 'p' }),
    }),
  });
  await waitForSleep(clock);
  await response.body?.cancel();
  await clock.pass(2_000);
  expect(clock.asleep()).toBe(0);
  expect((await stand.app.deps.pending.get(connectionId))?.status).toBe('PENDING');
});
