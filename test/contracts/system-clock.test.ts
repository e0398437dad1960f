// Tests the real clock as far as possible without waiting.
import { describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';

describe('system clock', () => {
  const clock = createSystemClock();

  it('reports whole Unix seconds, and milliseconds that never go back', () => {
    expect(Number.isInteger(clock.now())).toBe(true);
    expect(clock.now()).toBeGreaterThan(1_700_000_000);
    expect(clock.now()).toBeLessThan(100_000_000_000);
    const before = clock.millis();
    expect(clock.millis()).toBeGreaterThanOrEqual(before);
  });

  it('sleeps for the given time', async () => {
    const before = clock.millis();
    await clock.sleep(5);
    expect(clock.millis() - before).toBeGreaterThanOrEqual(4);
  });

  it('wakes at once when the signal aborts before or during the sleep', async () => {
    const hour = 3_600_000;
    await clock.sleep(hour, AbortSignal.abort());
    const abort = new AbortController();
    const sleeping = clock.sleep(hour, abort.signal);
    abort.abort();
    await sleeping;
  });

  it('runs a function later, unless it is called off', async () => {
    const ran: string[] = [];
    const callOff = clock.later(1, () => ran.push('called off'));
    callOff();
    await new Promise<void>((resolve) => void clock.later(2, () => (ran.push('kept'), resolve())));
    expect(ran).toEqual(['kept']);
  });

  it.each([
    ['a timer', createSystemClock()],
    ['setImmediate', createSystemClock(setImmediate)],
  ])('runs waiting microtasks before a turn ends: %s', async (_name, turning) => {
    let went = false;
    queueMicrotask(() => queueMicrotask(() => (went = true)));
    await turning.turn();
    expect(went).toBe(true);
  });
});
