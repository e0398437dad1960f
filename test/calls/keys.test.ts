// Repeats calls with a key through every door: what an earlier call leaves, and what a repeat is told.
// docs/decisions/053-writes-that-happen-once.md has the tables. reference: Keys of executions
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExecutionKey } from '../../src/ports/execution-keys.ts';
import { DriverFailure } from '../../src/ports/driver-failure.ts';
import { Busy, Unavailable } from '../../src/ports/unavailable.ts';
import {
  type Answered,
  DOORS,
  type Door,
  openRepeatStand,
  type RepeatStand,
} from '../support/repeat-stand.ts';
import { call } from '../support/mcp.ts';
import { waitUntil } from '../support/wait.ts';

let stand: RepeatStand;
beforeEach(async () => {
  stand = await openRepeatStand();
});
afterEach(() => stand.close());

const rows = () => stand.app.deps.store.executionKeys.list(stand.ana.id, 0, null, 100);
async function onlyRow(): Promise<ExecutionKey> {
  const [row, ...others] = await rows();
  if (row === undefined || others.length > 0) throw new Error('there is not one row');
  return row;
}

const json =
  (status: number, body: unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const RESULT = { id: 'ch_1', lines: [1, 2] };

/** What says that the answer is that of an earlier call. */
const isReplay = ({ item, headers }: Answered): boolean =>
  headers === undefined ? item.replayed === true : headers.get('idempotent-replayed') === 'true';
const withoutMark = ({ item: { replayed: _, ...item } }: Answered): object => item;

const STATUS = { IN_PROGRESS: 409, KEY_REUSED: 422, RESULT_GONE: 410, UNKNOWN_OUTCOME: 409 };
function expectRefusal(door: Door, answered: Answered, error: keyof typeof STATUS): void {
  expect(answered.item).toMatchObject({ error, message: expect.stringMatching(/key/) });
  expect(isReplay(answered)).toBe(false);
  if (door !== 'REST') return;
  expect(answered.status).toBe(STATUS[error]);
  expect(answered.headers?.get('retry-after')).toBe(error === 'IN_PROGRESS' ? '1' : null);
}

/** How the first call ends, by what is left of it. */
const ENDINGS: Record<
  string,
  { left: 'nothing' | 'answer' | 'doubt'; answer: RequestListener; args?: object }
> = {
  'the provider answers with a success': { left: 'answer', answer: json(200, RESULT) },
  'the provider answers 400': { left: 'answer', answer: json(400, 'no such card') },
  'the provider answers 404': { left: 'answer', answer: json(404, 'no such order') },
  'the provider answers 409': { left: 'answer', answer: json(409, 'is paid') },
  'the answer of the provider is no JSON': { left: 'answer', answer: (_, response) => response.end('<p>') },
  'the provider answers 401': { left: 'nothing', answer: json(401, 'who are you') },
  'the provider answers 429': { left: 'nothing', answer: json(429, 'later') },
  'the provider answers 500': { left: 'doubt', answer: json(500, 'oh') },
  'the provider answers 503': { left: 'doubt', answer: json(503, 'busy') },
  'the provider closes the connection': { left: 'doubt', answer: ({ socket }) => socket.destroy() },
  'the provider does not answer in time': { left: 'doubt', answer: () => {}, args: { timeoutMs: 100 } },
  'the answer breaks off': {
    left: 'doubt',
    answer: ({ socket }, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => socket.destroy());
    },
  },
  'the provider redirects to an address that cannot be reached': {
    left: 'doubt',
    answer: (_, response) => response.writeHead(303, { location: 'http://127.0.0.1:1/' }).end(),
  },
};

describe('a call with a key is repeated', () => {
  it.each(Object.entries(ENDINGS))('through every door when %s', async (_, { left, answer, args = {} }) => {
    for (const door of DOORS) {
      const before = stand.seen.length;
      const times = () => stand.seen.length - before;
      const sent = { key: door, args };
      stand.answer(answer);
      const first = await stand.send(door, sent);
      expect(isReplay(first)).toBe(false);
      expect(times()).toBe(1);
      stand.answer(json(200, { id: 'ch_2' }));
      const second = await stand.send(door, sent);
      if (left === 'doubt') expectRefusal(door, second, 'UNKNOWN_OUTCOME');
      else {
        expect(withoutMark(second)).toEqual(left === 'answer' ? first.item : { result: { id: 'ch_2' } });
        expect(isReplay(second)).toBe(left === 'answer');
        if (left === 'answer') expect(second.status).toBe(first.status);
      }
      expect(times()).toBe(left === 'nothing' ? 2 : 1);
    }
  });
});

describe.each(DOORS)('a call with a key through %s', (door) => {
  it('that could not be sent leaves no key', async () => {
    await stand.server.close();
    const first = await stand.send(door);
    expect(first.item.error).toContain('could not be reached');
    expect(await rows()).toEqual([]);
  });

  it('is told that the first is under way, and gets its answer afterwards', async () => {
    const held = stand.hold();
    const first = stand.send(door);
    await stand.atServer(1);
    expectRefusal(door, await stand.send(door), 'IN_PROGRESS');
    expectRefusal(door, await stand.send(door, { args: { amount: 2 } }), 'KEY_REUSED');
    held[0]?.end('{"id":"ch_1"}');
    expect((await first).item).toEqual({ result: { id: 'ch_1' } });
    expect(withoutMark(await stand.send(door))).toEqual({ result: { id: 'ch_1' } });
    expect(stand.seen).toHaveLength(1);
  });

  it.each(['asking', 'running', 'done', 'unknown'] as const)(
    'refuses other arguments beside a row that is %s',
    async (state) => {
      await stand.send(door);
      const row = await onlyRow();
      const { run } = row;
      await stand.app.deps.store.executionKeys.move(row, {
        run,
        state,
        running_until: stand.clock.now() + 9,
      });
      expectRefusal(door, await stand.send(door, { args: { amount: 2 } }), 'KEY_REUSED');
      expect(stand.seen).toHaveLength(1);
    },
  );

  it('does not know what came of a run that nobody keeps alive', async () => {
    await stand.send(door);
    const row = await onlyRow();
    const lost = { run: row.run, state: 'running', running_until: stand.clock.now(), sealed: null } as const;
    await stand.app.deps.store.executionKeys.move(row, lost);
    for (let n = 0; n < 3; n++) expectRefusal(door, await stand.send(door), 'UNKNOWN_OUTCOME');
    expectRefusal(door, await stand.send(door, { args: { amount: 2 } }), 'KEY_REUSED');
    expect(stand.seen).toHaveLength(1);
  });

  it('runs where an earlier one was lost while it asked', async () => {
    await stand.send(door);
    const row = await onlyRow();
    const lost = { run: row.run, state: 'asking', running_until: stand.clock.now(), sealed: null } as const;
    await stand.app.deps.store.executionKeys.move(row, lost);
    expect((await stand.send(door, { args: { amount: 2 } })).item).toEqual({ result: RESULT });
    expect(stand.seen).toHaveLength(2);
  });

  it('says that it ran when its answer is not kept', async () => {
    // A letter of three bytes: databases count bytes.
    const long = { tool: 'shop_long', args: { characters: 200_000, letter: '語' }, select: 'length(text)' };
    await stand.send(door, long);
    expectRefusal(door, await stand.send(door, long), 'RESULT_GONE');
    expect(stand.ran).toHaveLength(1);
  });

  it('runs again a day later', async () => {
    await stand.send(door);
    await stand.clock.pass((24 * 3_600 - 1) * 1_000);
    expect(isReplay(await stand.send(door))).toBe(true);
    await stand.clock.pass(1_000);
    expect(isReplay(await stand.send(door, { args: { amount: 2 } }))).toBe(false);
    expect(stand.seen).toHaveLength(2);
  });

  it('that only reads runs each time, and stores nothing', async () => {
    for (let n = 0; n < 2; n++)
      expect((await stand.send(door, { tool: 'shop_look' })).item).toEqual({ result: RESULT });
    expect(stand.seen).toHaveLength(2);
    expect(await rows()).toEqual([]);
  });

  it('leaves no key when its arguments are wrong', async () => {
    await stand.send(door, { args: { amount: 'much' } });
    expect(await rows()).toEqual([]);
  });

  it('keeps the whole result, so that a repeat may select something else', async () => {
    expect((await stand.send(door, { select: 'id' })).item).toEqual({ result: 'ch_1' });
    const second = await stand.send(door, { select: 'lines' });
    expect(withoutMark(second)).toEqual({ result: [1, 2] });
    expect(isReplay(second)).toBe(true);
    expect(withoutMark(await stand.send(door, { select: 'abs(@)' }))).toMatchObject({ result: RESULT });
    expect(withoutMark(await stand.send(door))).toEqual({ result: RESULT });
    expect(stand.seen).toHaveLength(1);
  });

  it('lets one of fifty repeats at once run', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => stand.send(door)));
    expect(stand.seen).toHaveLength(1);
    const results = answers.filter(({ item }) => 'result' in item);
    expect(results.filter((answer) => !isReplay(answer))).toHaveLength(1);
    for (const { item } of answers) if ('error' in item) expect(item.error).toBe('IN_PROGRESS');
  });
});

describe('a call with a key', () => {
  it('whose own reading fails before it writes has not run', async () => {
    stand.answer((request, response) =>
      request.method === 'GET' ? request.socket.destroy() : response.end('{}'),
    );
    expect((await stand.send('MCP', { tool: 'shop_look_and_pay' })).item.error).toContain('may have run');
    stand.answer(json(200, RESULT));
    expect((await stand.send('MCP', { tool: 'shop_look_and_pay' })).item).toEqual({ result: RESULT });
  });

  it.each([
    ['fails with its own sentence', new Error('no space left'), 'answer'],
    ['cannot reach what the gateway depends on', new Unavailable('the store is away'), 'doubt'],
    ['meets a failure of the gateway', new DriverFailure('[files] broken'), 'doubt'],
    ['meets a gateway that has no room', new Busy('as many run as may'), 'nothing'],
  ])('of a tool of the gateway itself that %s', async (_, error, left) => {
    stand.fail(error);
    const first = await stand.send('MCP', { tool: 'shop_fail' });
    const second = await stand.send('MCP', { tool: 'shop_fail' });
    expect(stand.ran).toHaveLength(left === 'nothing' ? 2 : 1);
    if (left === 'doubt') expectRefusal('MCP', second, 'UNKNOWN_OUTCOME');
    else expect(withoutMark(second)).toEqual(first.item);
  });

  it('goes through every door to the same row', async () => {
    const answers: Answered[] = [];
    for (const door of DOORS) answers.push(await stand.send(door));
    expect(answers.map(isReplay)).toEqual([false, true, true, true]);
    expect(stand.seen).toHaveLength(1);
  });

  it('is another one for another tool, key, caller and person', async () => {
    const ben = await stand.app.user('ben@example.com');
    const token = stand.app.deps.accessTokens.issue({
      userId: stand.ana.id,
      clientId: 'c',
      scope: 'read write destroy',
    });
    const all = [
      {},
      { key: 'order-2' },
      { tool: 'shop_look_and_pay' },
      { headers: ben.keyHeader },
      { headers: { authorization: `Bearer ${token}` } },
    ];
    for (const sent of all) expect(isReplay(await stand.send('MCP', sent))).toBe(false);
    for (const sent of all) expect(isReplay(await stand.send('MCP', sent))).toBe(true);
  });

  it('writes an audit row for a repeat, which does not count as a second call', async () => {
    await stand.send('MCP');
    await stand.send('MCP');
    await stand.send('MCP', { args: { amount: 2 } });
    const entries = await stand.app.deps.store.audit.list({ user_id: stand.ana.id, limit: 9 });
    expect(entries.map(({ action, outcome, error }) => [action, outcome, error])).toEqual([
      ['EXECUTE', 'error', 'KEY_REUSED'],
      ['REPLAY', 'ok', null],
      ['EXECUTE', 'ok', null],
    ]);
  });

  it('answers the caller although the end could not be noted, and then does not know', async () => {
    const { executionKeys } = stand.app.deps.store;
    const { move } = executionKeys;
    executionKeys.move = () => Promise.reject(new Unavailable('the store is away'));
    expect((await stand.send('MCP')).item).toEqual({ result: RESULT });
    executionKeys.move = move;
    expect((await stand.send('MCP')).item.error).toBe('IN_PROGRESS');
    await stand.clock.pass(46_000);
    expect((await stand.send('MCP')).item.error).toBe('UNKNOWN_OUTCOME');
    expect(stand.seen).toHaveLength(1);
  });

  it('does not run when the key cannot be stored', async () => {
    stand.app.deps.store.executionKeys.claim = () => Promise.reject(new Unavailable('the store is away'));
    expect((await stand.send('MCP')).item.error).toContain('cannot be reached');
    expect(stand.seen).toHaveLength(0);
  });

  it('is kept alive for as long as it runs', async () => {
    const held = stand.hold();
    const first = stand.send('MCP');
    await stand.atServer(1);
    const asleep = stand.clock.asleep();
    for (let beat = 0; beat < 5; beat++) {
      await stand.clock.pass(15_000);
      // The next beat sleeps once this one is stored.
      await waitUntil(
        'the next beat',
        () => stand.clock.asleep() >= asleep,
        () => stand.clock.asleep(),
      );
      expect((await onlyRow()).running_until).toBe(stand.clock.now() + 45);
    }
    expect((await stand.send('MCP')).item.error).toBe('IN_PROGRESS');
    held[0]?.end('{}');
    expect((await first).item).toEqual({ result: {} });
  });

  it('stores neither the key nor the result in plain text', async () => {
    await stand.send('MCP', { key: 'my very own key' });
    const row = await onlyRow();
    expect(JSON.stringify(row)).not.toMatch(/my very own key|ch_1/);
    expect(row.sealed).toMatch(/^v1\./);
  });

  it('is refused beyond the number of keys of a person, and nobody else is', async () => {
    const { executionKeys } = stand.app.deps.store;
    const { claim } = executionKeys;
    executionKeys.claim = (row) => claim(row, 1);
    await stand.send('MCP');
    const { item, status, headers } = await stand.send('REST', { key: 'order-2' });
    expect([status, item.error, headers?.get('retry-after')]).toEqual([429, 'TOO_MANY_CALLS', '3600']);
    expect(isReplay(await stand.send('MCP'))).toBe(true);
    const ben = await stand.app.user('ben@example.com');
    expect((await stand.send('MCP', { headers: ben.keyHeader })).item).toEqual({ result: RESULT });
  });

  it('stores a cut result anew for each repeat', async () => {
    const long = { tool: 'shop_long', args: { characters: 100_000 }, key: 'k' };
    const read = async () => {
      const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
        executions: [long],
        maxChars: 2_000,
      });
      const { handle } = results[0].result.text.more;
      return call(stand.app, stand.ana.keyHeader, 'read_result', {
        handle,
        path: '/results/0/result/text',
        offset: 0,
      });
    };
    const first = await read();
    await stand.clock.pass(2 * 3_600 * 1_000);
    expect(await read()).toEqual(first);
    expect(stand.ran).toHaveLength(1);
  });
});

describe('the key of a call', () => {
  it.each([
    ['', 400],
    ['x'.repeat(255), 200],
    ['x'.repeat(256), 400],
  ])('%j over REST', async (key, status) => {
    expect((await stand.send('REST', { key })).status).toBe(status);
  });

  it.each(['', 'x'.repeat(256), 5])('%j in a batch fails its item alone', async (key) => {
    const response = await stand.app.request('/rest/shop', {
      method: 'POST',
      headers: { ...stand.ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ executions: [{ tool: 'shop_pay', key }, { tool: 'shop_pay' }] }),
    });
    const { results } = await response.json();
    expect(results).toEqual([
      { error: 'Invalid arguments', integration: 'shop', message: expect.stringContaining('key') },
      { result: RESULT },
    ]);
  });

  it('may be written as a string of structured fields', async () => {
    await stand.send('REST', { key: '"order-1"' });
    expect(isReplay(await stand.send('MCP'))).toBe(true);
  });

  it('is taken from the body of a single call beside its arguments', async () => {
    const pay = async (body: object, headers: Record<string, string> = {}) => {
      const response = await stand.app.request('/rest/shop', {
        method: 'POST',
        headers: { ...stand.ana.keyHeader, 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ tool: 'shop_pay', ...body }),
      });
      return [response.status, response.headers.get('idempotent-replayed')];
    };
    expect(await pay({ args: {}, key: 'order-1' })).toEqual([200, null]);
    expect(await pay({ args: {}, key: 'order-1' })).toEqual([200, 'true']);
    expect(await pay({ args: {}, key: null }, { 'idempotency-key': 'order-1' })).toEqual([200, 'true']);
    expect(await pay({ args: {}, key: 'order-1' }, { 'idempotency-key': 'order-2' })).toEqual([400, null]);
    expect(await pay({ args: {}, key: '' })).toEqual([400, null]);
    // Without `args` it is an argument, which this tool does not know.
    expect(await pay({ key: 'order-1' })).toEqual([400, null]);
    expect(stand.seen).toHaveLength(1);
  });

  it('is not taken from the header for a batch', async () => {
    const response = await stand.app.request('/rest/shop', {
      method: 'POST',
      headers: { ...stand.ana.keyHeader, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: JSON.stringify({ executions: [{ tool: 'shop_pay' }] }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: 'Idempotency-Key is for one call. Give each execution its own key',
    });
    expect(stand.seen).toHaveLength(0);
  });

  it('is taken at the address of a tool too', async () => {
    const pay = () =>
      stand.app.request('/rest/shop/pay', {
        method: 'POST',
        headers: { ...stand.ana.keyHeader, 'content-type': 'application/json', 'idempotency-key': 'order-1' },
        body: '{}',
      });
    await pay();
    const response = await pay();
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(await response.json()).toEqual({ integration: 'shop', tool: 'shop_pay', result: RESULT });
  });
});

it('costs no statement of the store where there is no key', async () => {
  const { executionKeys } = stand.app.deps.store;
  const used = (['claim', 'move', 'trim', 'keepRunning', 'release', 'list', 'page'] as const).map((name) => ({
    name,
    spy: vi.spyOn(executionKeys, name),
  }));
  const counts = () =>
    Object.fromEntries(
      used.map(({ name, spy }) => [name, spy.mock.calls.length]).filter(([, count]) => count !== 0),
    );
  await call(stand.app, stand.ana.keyHeader, 'execute_tools', { executions: [{ tool: 'shop_pay' }] });
  expect(counts()).toEqual({});
  await stand.send('MCP');
  expect(counts()).toEqual({ claim: 1, move: 1, trim: 1 });
  await stand.send('MCP');
  expect(counts()).toEqual({ claim: 2, move: 1, trim: 1 });
});
