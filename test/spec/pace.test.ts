// Tests the pauses of long work in the background. reference: Maintenance; decision: 013
import { beforeEach, expect, it } from 'vitest';
import { createPace } from '../../src/memory/pace.ts';
import { createFakeClock, type FakeClock } from '../support/fake-clock.ts';

let clock: FakeClock;
beforeEach(() => {
  clock = createFakeClock();
});
const work = (milliseconds: number) => clock.sleep(milliseconds);

async function pauseOf(pause: () => Promise<void>): Promise<number> {
  const before = clock.millis();
  await pause();
  return clock.millis() - before;
}

it('pauses nine times as long as the work took since the last pause', async () => {
  const { pause } = createPace(clock, 1_000);
  for (const milliseconds of [10, 20]) {
    await work(milliseconds);
    expect(await pauseOf(pause)).toBe(9 * milliseconds);
  }
  expect(await pauseOf(pause)).toBe(0);
});

it('pauses for a quarter of a second at most', async () => {
  const { pause } = createPace(clock, 1_000);
  await work(600);
  expect(await pauseOf(pause)).toBe(250);
});

it('has time until the time is over, the pauses included', async () => {
  const { hasTime, pause } = createPace(clock, 1_000);
  await work(90);
  await pause();
  await work(659);
  expect(hasTime()).toBe(true);
  await work(1);
  expect(hasTime()).toBe(false);
});

it('has no time and pauses no more once it is stopped', async () => {
  const stop = new AbortController();
  const { hasTime, pause } = createPace(clock, 1_000, stop.signal);
  await work(10);
  stop.abort();
  expect(hasTime()).toBe(false);
  expect(await pauseOf(pause)).toBe(0);
});
