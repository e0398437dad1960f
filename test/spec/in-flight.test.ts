// Who stops waits for the executions that have begun, and for no others. design: A8
import { beforeEach, expect, it } from 'vitest';
import { createInFlight, type InFlight } from '../../src/tools/in-flight.ts';

let executions: InFlight;
/** Those who have waited long enough. */
let done: string[];
beforeEach(() => {
  executions = createInFlight();
  done = [];
});

const waits = (name: string) => void executions.none().then(() => done.push(name));
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('nobody waits where none has begun, or all have ended', async () => {
  waits('at first');
  executions.begin();
  executions.end();
  waits('after one');
  await settled();
  expect(done).toEqual(['at first', 'after one']);
});

it('all wait for the last of them', async () => {
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

it('each waits for those of its time', async () => {
  executions.begin();
  waits('one');
  executions.end();
  executions.begin();
  waits('another');
  await settled();
  expect(done).toEqual(['one']);
});
