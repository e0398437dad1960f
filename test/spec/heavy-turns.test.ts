// Checks that heavy steps do not run together, and leave time to small calls. reference: Limits
import { Hono } from 'hono';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createEgress } from '../../src/egress/door.ts';
import { createReadLargeBody } from '../../src/http/request-body.ts';
import { createMemoryBudget } from '../../src/memory/budget.ts';
import { createHeavyTurns, type HeavyTurn } from '../../src/memory/heavy-turns.ts';
import { HEAVY_TEXT, MAX_HEAVY_PAUSE_MS } from '../../src/memory/limits.ts';
import { closeAll, listen } from '../support/egress-door.ts';

let millis: number;
/** What waits for the next turn of the event loop. */
let turns: (() => void)[];
let sleeps: { until: number; end: () => void }[];
let steps: string[];
let heavyTurn: HeavyTurn;

const clock = {
  millis: () => millis,
  turn: () => new Promise<void>((resolve) => void turns.push(resolve)),
  sleep: (milliseconds: number) =>
    new Promise<void>((resolve) => void sleeps.push({ until: millis + milliseconds, end: resolve })),
};

beforeEach(() => {
  millis = 0;
  turns = [];
  sleeps = [];
  steps = [];
  heavyTurn = createHeavyTurns({ clock });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Runs one turn: what began to wait before it goes on. */
async function turn(): Promise<void> {
  await settled();
  for (const resolve of turns.splice(0)) {
    resolve();
    await settled();
  }
}

async function pass(milliseconds: number): Promise<void> {
  millis += milliseconds;
  const over = sleeps.filter(({ until }) => until <= millis);
  sleeps = sleeps.filter(({ until }) => until > millis);
  for (const { end } of over) end();
  await settled();
}

/** Begins a request that does some steps, one after another, of the same length. */
async function request(owner: string, names: readonly string[], lasts = 0): Promise<void> {
  for (const name of names) {
    await heavyTurn(owner);
    steps.push(name);
    millis += lasts;
  }
}

it('runs one step in a turn, in the order they came', async () => {
  for (const name of ['first', 'second', 'third']) void request('ana', [name]);
  expect(steps).toEqual([]);
  await turn();
  expect(steps).toEqual(['first']);
  await turn();
  expect(steps).toEqual(['first', 'second']);
  await turn();
  expect(steps).toEqual(['first', 'second', 'third']);
});

it('lets people take turns, so that four requests of one delay another by one step', async () => {
  for (const name of ['a1', 'a2', 'a3', 'a4']) void request('ana', [name]);
  void request('bea', ['b1']);
  for (let count = 0; count < 5; count++) await turn();
  expect(steps).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
});

it('puts the next step of a request behind those of others', async () => {
  void request('ana', ['a1', 'a2', 'a3']);
  void request('bea', ['b1', 'b2']);
  for (let count = 0; count < 5; count++) await turn();
  expect(steps).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
});

it('pauses for a quarter of the time of a step before the next one', async () => {
  void request('ana', ['a1', 'a2'], 200);
  await turn();
  await turn();
  await turn();
  expect(steps).toEqual(['a1']);
  await pass(49);
  expect(steps).toEqual(['a1']);
  await pass(1);
  expect(steps).toEqual(['a1', 'a2']);
});

it('pauses for a tenth of a second at most', async () => {
  void request('ana', ['a1'], 5_000);
  void request('bea', ['b1']);
  await turn();
  await turn();
  await pass(MAX_HEAVY_PAUSE_MS);
  expect(steps).toEqual(['a1', 'b1']);
});

it('does not pause when enough time has passed since the last step', async () => {
  void request('ana', ['a1'], 200);
  await turn();
  await turn();
  await pass(50);
  void request('bea', ['b1']);
  await turn();
  expect(steps).toEqual(['a1', 'b1']);
  expect(sleeps).toEqual([]);
});

it('lets no request wait for another on an edge runtime', async () => {
  heavyTurn = createHeavyTurns({ clock, isIsolated: true });
  void request('ana', ['a1'], 200);
  void request('bea', ['b1']);
  await turn();
  expect(steps).toEqual(['a1', 'b1']);
  expect(turns).toEqual([]);
});

describe('what is large', () => {
  const memoryBudget = createMemoryBudget(Infinity);
  let owners: string[];
  const record: HeavyTurn = async (owner) => void owners.push(owner);
  beforeEach(() => {
    owners = [];
  });
  afterAll(closeAll);

  it.each([
    ['takes a turn of its sender before a large body is counted', HEAVY_TEXT, ['ana']],
    ['takes none for a smaller body', HEAVY_TEXT - 1, []],
  ])('%s', async (_, length, expected) => {
    const readLargeBody = createReadLargeBody({ heavyTurn: record, memoryBudget });
    const app = new Hono().post('/', (c) => readLargeBody(c, 'ana', (text) => c.text(String(text.length))));
    const response = await app.request('/', { method: 'POST', body: 'x'.repeat(length) });
    expect(await response.text()).toBe(String(length));
    expect(owners).toEqual(expected);
  });

  it.each([
    ['takes a turn of the caller before a large answer ends', HEAVY_TEXT, ['ana']],
    ['takes none for a smaller answer', HEAVY_TEXT - 1, []],
  ])('%s', async (_, length, expected) => {
    const { url } = await listen((_request, response) => response.end('x'.repeat(length)));
    const egress = createEgress({
      clock: createSystemClock(),
      config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
      heavyTurn: record,
      network: createUndiciNetwork(),
    });
    const response = await egress.bind({ lease: memoryBudget.open('ana') }).fetch(url);
    expect((await response.text()).length).toBe(length);
    expect(owners).toEqual(expected);
  });
});
