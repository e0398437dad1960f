// Tests that shutdown waits for the executions that have begun, and for no others. decision: 010
import { beforeEach, expect, it } from 'vitest';
import { createInFlight, type InFlight } from '../../src/calls/in-flight.ts';

let executions: InFlight;
/** The names of the waiters that have resolved. */
let done: string[];
beforeEach(() => {
  executions = createInFlight();
  done = [];
});

const waits = (name: string) => void executions.none().then(() => done.push(name));
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('resolves at once when no execution has begun, or all have ended', async () => {
  waits('at first');
  executions.begin();
  executions.end();
  waits('after one');
  await settled();
  expect(done).toEqual(['at first', 'after one']);
});

it('resolves for all waiters with the last execution', async () => {
  executions.begin();
  executions.begin();
  waits('one');
  waits('another');
  executions.end();
  await settled();
  expect(done).toEqual([]);
  executions.end();
  await settled();
  expect(done).toEqual(['one', 'another']);
});

it('makes each waiter wait only for the executions of its time', async () => {
  executions.begin();
  waits('one');
  executions.end();
  executions.begin();
  waits('another');
  await settled();
  expect(done).toEqual(['one']);
});
