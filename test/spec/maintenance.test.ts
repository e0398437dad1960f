// Tests that a wrong clock deletes nothing. reference: Maintenance
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maintain } from '../../src/maintenance/sweep.ts';
import { flow } from '../contracts/store/records.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const HOUR = 3_600;

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

describe('a clock that jumps', () => {
  /** Runs one round for each step, and returns which flows are left after each. The step runs before its round. */
  async function rounds(steps: readonly (() => void)[]): Promise<string[][]> {
    const now = app.clock.now();
    const states = {
      'in ten minutes': now + 600,
      'in two hours': now + 2 * HOUR,
      'in ten years': now + 87_600 * HOUR,
    };
    for (const [state, expires_at] of Object.entries(states))
      await app.deps.store.flows.put(flow({ state, expires_at }));
    const left: string[][] = [];
    const stop = new AbortController();
    const sleep = async () => {
      const found: string[] = [];
      for (const state of Object.keys(states)) {
        const taken = await app.deps.store.flows.take(state);
        if (taken === null) continue;
        found.push(state);
        await app.deps.store.flows.put(taken);
      }
      left.push(found);
      const step = steps[left.length];
      if (step === undefined) stop.abort();
      else step();
    };
    steps[0]?.();
    await maintain({ ...app.deps, clock: { ...app.clock, sleep } }, stop.signal);
    return left;
  }
  const minute = () => app.clock.advance(60);
  const warnings = () => app.lines.filter(({ level }) => level === 'warn');

  it('deletes nothing in the round after a jump of more than an hour, and says so', async () => {
    const jump = () => {
      app.clock.advance(60);
      app.clock.setForward(3 * HOUR);
    };
    const back = () => {
      app.clock.advance(60);
      app.clock.setForward(-3 * HOUR);
    };
    const all = ['in ten minutes', 'in two hours', 'in ten years'];
    expect(await rounds([minute, jump, back, minute])).toEqual([all, all, all, all]);
    expect(warnings()).toEqual([
      {
        level: 'warn',
        event: 'the clock jumped forward: nothing is deleted in this round',
        seconds: 3 * HOUR,
      },
    ]);
  });

  it('deletes again once the clock was steady for a round', async () => {
    const jump = () => app.clock.setForward(3 * HOUR);
    const left = await rounds([minute, jump, minute, minute]);
    expect(left.map((found) => found.length)).toEqual([3, 3, 1, 1]);
    expect(warnings()).toHaveLength(1);
  });

  it('skips a round for each jump', async () => {
    const jump = () => app.clock.setForward(3 * HOUR);
    expect((await rounds([minute, jump, jump, minute])).map((found) => found.length)).toEqual([3, 3, 3, 1]);
    expect(warnings()).toHaveLength(2);
  });

  it('deletes as ever when time passes, or the clock is corrected by less than an hour', async () => {
    const hours = () => app.clock.advance(3 * HOUR);
    const correction = () => app.clock.setForward(HOUR);
    const left = await rounds([minute, correction, hours]);
    expect(left.map((found) => found.length)).toEqual([3, 2, 1]);
    expect(warnings()).toEqual([]);
  });
});
