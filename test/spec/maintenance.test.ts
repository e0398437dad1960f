// Tests that a wrong clock deletes nothing, and that a wrong encryption key is noticed. reference: Maintenance; Secrets at rest
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemRandom } from '../../drivers/system/random.ts';
import { requireHexKey } from '../../src/config/config.ts';
import { createSeal } from '../../src/crypto/seal.ts';
import { checkKey } from '../../src/maintenance/key-check.ts';
import { rotateKeys } from '../../src/maintenance/rotate-keys.ts';
import { maintain, maintainOnce, SweepFailed } from '../../src/maintenance/sweep.ts';
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

describe('a round in which several parts fail', () => {
  const failing = () => ({
    ...app.deps,
    clock: { ...app.clock, sleep: async () => stop.abort() },
    store: { ...app.deps.store, sweep: () => Promise.reject(new Error('[sqlite] disk is full')) },
    sealing: { ...app.deps.sealing, deliver: () => Promise.reject(new Error('bucket is away')) },
  });
  const LINES = [
    {
      level: 'error',
      event: 'sweep failed',
      part: 'expired rows',
      error: 'Error: [sqlite] disk is full',
      stack: expect.any(String),
    },
    {
      level: 'error',
      event: 'sweep failed',
      part: 'audit heads',
      error: 'Error: bucket is away',
      stack: expect.any(String),
    },
  ];
  let stop: AbortController;
  beforeEach(() => {
    stop = new AbortController();
  });

  it('logs each of them once, by name', async () => {
    await maintain(failing(), stop.signal);
    expect(app.lines).toEqual(LINES);
  });

  it('rejects for a timer, after it has logged each of them', async () => {
    const round = maintainOnce(failing());
    await expect(round).rejects.toBeInstanceOf(SweepFailed);
    await expect(round).rejects.toThrow('expired rows: [sqlite] disk is full; audit heads: bucket is away');
    expect(app.lines).toEqual(LINES);
  });
});

describe('the check of ENCRYPTION_KEY at start', () => {
  const random = createSystemRandom();
  const key = () => randomBytes(32).toString('hex');
  const WRONG = {
    level: 'error',
    event: 'ENCRYPTION_KEY is not the key of this database',
    cure: expect.stringContaining('ENCRYPTION_KEY_PREVIOUS'),
  };
  const stored = () => app.deps.store.keyCheck.read();

  /** Starts under these keys, and returns the error lines. */
  async function start(...keys: [string, ...string[]]) {
    app.lines.length = 0;
    await checkKey({ ...app.deps, seal: await createSeal(keys, random) });
    return app.lines.splice(0);
  }
  const rotate = async (...keys: [string, ...string[]]) =>
    rotateKeys({ ...app.deps, seal: await createSeal(keys, random) }, () => {});

  it('is silent under the right key, and logs one line with the cure under another', async () => {
    const [own, other] = [key(), key()];
    expect(await start(own)).toEqual([]);
    expect(await start(own)).toEqual([]);
    const lines = await start(other);
    expect(lines).toEqual([WRONG]);
    expect(JSON.stringify(lines)).not.toContain(own);
    expect(JSON.stringify(lines)).not.toContain(other);
    // A wrong start changes nothing.
    expect(await start(own)).toEqual([]);
    expect(await start(other, own)).toEqual([]);
  });

  it('judges a database that 0.1 filled by what is stored there', async () => {
    const ana = await app.user();
    await app.deps.vault.save(ana.id, 'resend', { accessToken: 'k' });
    expect(await start(key())).toEqual([WRONG]);
    expect(await stored()).toBeNull();
    expect(await start(requireHexKey(app.deps.config.ENCRYPTION_KEY))).toEqual([]);
    expect(await stored()).toMatch(/^v1\./);
  });

  it('agrees on one sealed text when processes start together', async () => {
    const own = key();
    const seal = await createSeal([own], random);
    await Promise.all(Array.from({ length: 8 }, () => checkKey({ ...app.deps, seal })));
    expect(app.lines).toEqual([]);
    expect(await start(own)).toEqual([]);
  });

  it('says that the check failed when the store does not answer', async () => {
    const read = () => Promise.reject(new Error('[sqlite] away'));
    const store = { ...app.deps.store, keyCheck: { ...app.deps.store.keyCheck, read } };
    await checkKey({ ...app.deps, store });
    expect(app.lines).toMatchObject([{ level: 'error', event: 'ENCRYPTION_KEY could not be checked' }]);
  });

  it('follows rotate-keys to the new key', async () => {
    const [old, next] = [key(), key()];
    await start(old);
    expect(await rotate(next, old)).toEqual({ resealed: 0, alreadyCurrent: 0, unreadable: [] });
    expect(await start(next)).toEqual([]);
    expect(await start(old)).toEqual([WRONG]);
  });

  it('notices that ENCRYPTION_KEY_PREVIOUS was removed before rotate-keys has ended', async () => {
    const [old, next] = [key(), key()];
    await start(old);
    expect(await start(next, old)).toEqual([]);
    expect(await start(next)).toEqual([WRONG]);
  });

  it('forgets a lost key only when nothing needs it any more', async () => {
    const [lost, next] = [key(), key()];
    await start(lost);
    const ana = await app.user();
    expect((await rotate(next, key())).unreadable).toHaveLength(1);
    expect(await start(next)).toEqual([WRONG]);
    await app.deps.apiKeys.remove(ana.id);
    await rotate(next, key());
    expect(await start(next)).toEqual([]);
  });
});
