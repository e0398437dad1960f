// Tests which request may read on when the memory budget is used up. decision: 011
import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBudget, type Lease, type MemoryBudget } from '../../src/memory/budget.ts';

const KIB = 1024;
const SIZE = 1024 * KIB;
const UNCOUNTED = 64 * KIB;

let budget: MemoryBudget;
/** The readers that went on, in order. */
let went: string[];
beforeEach(() => {
  budget = createMemoryBudget(SIZE);
  went = [];
});

/** Lets the handlers of all settled promises run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

async function waitAs(lease: Lease, name: string, signal?: AbortSignal): Promise<void> {
  void Promise.resolve(lease.waitForSpace(signal)).then(
    () => went.push(name),
    () => went.push(`not ${name}`),
  );
  await settle();
}

function charge(userId: string, kib: number): Lease {
  const lease = budget.open(userId);
  lease.charge(kib * KIB);
  return lease;
}

describe('a reservation', () => {
  it('takes no space from others while it waits', async () => {
    let admitted = 0;
    const leases = Array.from({ length: 40 }, () => budget.open('ana'));
    for (const lease of leases) void lease.reserve(100 * KIB).then(() => admitted++);
    await settle();
    // One person may go on until half of the budget is used.
    expect(admitted).toBe(6);
    await waitAs(charge('bea', 300), 'bea');
    expect(went).toEqual(['bea']);
    leases[0]?.close();
    await settle();
    expect(admitted).toBe(7);
  });

  it('that waits for another person goes on one at a time', async () => {
    const full = charge('bea', 1_100);
    let admitted = 0;
    const leases = Array.from({ length: 10 }, () => budget.open('ana'));
    for (const lease of leases) void lease.reserve(400 * KIB).then(() => admitted++);
    await settle();
    expect(admitted).toBe(0);
    full.close();
    await settle();
    expect(admitted).toBe(1);
    for (const lease of leases) {
      lease.close();
      await settle();
    }
    expect(admitted).toBe(10);
  });

  it('ends when its signal aborts', async () => {
    charge('bea', 1_100);
    const end = new AbortController();
    const waiting = budget.open('ana').reserve(100 * KIB, end.signal);
    end.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
  });
});

describe('a lease', () => {
  it('charges a small read with its length and a larger one with four times its length', () => {
    const lease = budget.open('ana');
    lease.chargeRead(new Uint8Array(UNCOUNTED));
    lease.chargeRead(new Uint8Array((SIZE - UNCOUNTED) / 4));
    expect(lease.isOverBudget()).toBe(false);
    lease.chargeRead(new Uint8Array(1));
    expect(lease.isOverBudget()).toBe(true);
  });

  it.each([',', '{', '['])('charges each "%s" as much as eight more bytes', (mark) => {
    const lease = budget.open('ana');
    lease.chargeRead(new TextEncoder().encode('x'.repeat(SIZE / 4 - 9) + mark));
    expect(lease.isOverBudget()).toBe(false);
    lease.chargeRead(new Uint8Array(1));
    expect(lease.isOverBudget()).toBe(true);
  });

  it('is over budget by what the lease itself read, not by what the other leases of the request read', () => {
    const whole = charge('ana', 1_100);
    const child = whole.child();
    child.charge(SIZE);
    expect([whole.isOverBudget(), child.isOverBudget()]).toEqual([true, false]);
    child.charge(1);
    expect(child.isOverBudget()).toBe(true);
  });

  it('never waits and is never over budget when the budget is infinite', () => {
    budget = createMemoryBudget(Infinity);
    const lease = charge('ana', 1e12);
    expect([lease.waitForSpace(), lease.isOverBudget()]).toEqual([undefined, false]);
  });
});

describe('a batch', () => {
  it.each([
    [16 * 1024 * KIB, 2 * 1024 * KIB],
    [1024 * 1024 * KIB, 128 * 1024 * KIB],
    [64 * 1024 * 1024 * KIB, 128 * 1024 * KIB],
    [Infinity, 128 * 1024 * KIB],
  ])('may take an eighth of a budget of %d bytes, and 128 MiB at most', (size, expected) => {
    expect(createMemoryBudget(size).open('ana').child().batchBytes).toBe(expected);
  });
});

describe('a request', () => {
  it('that exceeded the budget lets its parts read, one after the other', async () => {
    const whole = charge('ana', 1_100);
    expect(whole.waitForSpace()).toBeUndefined();
    const [first, second] = [whole.child(), whole.child()];
    expect(first.waitForSpace()).toBeUndefined();
    await waitAs(second, 'second');
    expect(went).toEqual([]);
    first.close();
    await settle();
    expect(went).toEqual(['second']);
  });

  it('never waits while it is small, and counts with all its bytes once it is large', async () => {
    charge('ana', 1_100);
    const small = budget.open('ben');
    small.charge(UNCOUNTED);
    expect(small.waitForSpace()).toBeUndefined();
    small.charge(1);
    await waitAs(small, 'small');
    expect(went).toEqual([]);
  });

  it('waits when its person uses half of the budget, while another person reads on', async () => {
    charge('ana', 440);
    const second = charge('ana', 72);
    expect(second.waitForSpace()).toBeUndefined();
    second.charge(1);
    await waitAs(second, 'second');
    expect(went).toEqual([]);
    expect(charge('ben', 72).waitForSpace()).toBeUndefined();
  });

  it('waits until there is space, no matter which person uses the budget', async () => {
    charge('ana', 500);
    const second = charge('ben', 450);
    const third = charge('cy', 74);
    expect(third.waitForSpace()).toBeUndefined();
    third.charge(1);
    await waitAs(third, 'third');
    expect(went).toEqual([]);
    second.close();
    await settle();
    expect(went).toEqual(['third']);
  });

  it('goes on in the order of age, and only as many at once as can read one piece each', async () => {
    budget = createMemoryBudget(16 * 1024 * KIB);
    charge('ana', 13 * 1024);
    const large = charge('ben', 4 * 1024);
    const [first, second, third] = [charge('cy', 100), charge('di', 100), charge('ed', 100)];
    await waitAs(third, 'third');
    await waitAs(second, 'second');
    await waitAs(first, 'first');
    large.close();
    await settle();
    expect(went).toEqual(['first', 'second']);
    first.close();
    await settle();
    expect(went).toEqual(['first', 'second', 'third']);
  });

  it('gives back once what it was charged, with all its children', async () => {
    const large = charge('ana', 600);
    const child = large.child();
    child.charge(500 * KIB);
    const next = charge('ben', 100);
    await waitAs(next, 'next');
    child.close();
    child.close();
    await settle();
    expect(went).toEqual(['next']);
    const other = charge('cy', 324);
    expect(other.waitForSpace()).toBeUndefined();
    other.charge(1);
    await waitAs(other, 'other');
    expect(went).toEqual(['next']);
    large.child().charge(100 * KIB);
    large.close();
    large.close();
    await settle();
    expect(went).toEqual(['next', 'other']);
    expect(charge('ana', 512).waitForSpace()).toBeUndefined();
    const last = charge('di', 88);
    await waitAs(last, 'last');
    expect(went).toEqual(['next', 'other']);
  });

  it('is charged nothing once it is closed', () => {
    const over = charge('ana', 600);
    over.close();
    over.charge(1_100 * KIB);
    over.chargeRead(new Uint8Array(SIZE));
    expect(over.waitForSpace()).toBeUndefined();
    expect(charge('ana', 512).waitForSpace()).toBeUndefined();
  });

  it('goes on with all answers that it reads at the same time', async () => {
    const large = charge('ana', 1_100);
    const next = charge('ben', 100);
    await waitAs(next, 'one answer');
    await waitAs(next, 'another');
    large.close();
    await settle();
    expect(went).toEqual(['one answer', 'another']);
  });

  it('does not begin to wait when its caller has gone', async () => {
    charge('ana', 1_100);
    const reason = new Error('gone');
    await expect(charge('ben', 100).waitForSpace(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('stops waiting with the reason of the abort when its caller goes', async () => {
    charge('ana', 1_100);
    const caller = new AbortController();
    const space = charge('ben', 100).waitForSpace(caller.signal);
    const reason = new Error('gone');
    caller.abort(reason);
    await expect(space).rejects.toBe(reason);
  });

  it('goes on without space when it becomes the oldest', async () => {
    const oldest = charge('ana', 1_100);
    const second = charge('ben', 1_100);
    const third = charge('cy', 100);
    await waitAs(third, 'third');
    await waitAs(second, 'second');
    oldest.close();
    await settle();
    expect(went).toEqual(['second']);
  });
});

describe('the children of the oldest request, when there is no space,', () => {
  let oldest: Lease;
  beforeEach(() => {
    oldest = charge('ana', 1_100);
  });

  it('read one after the other', async () => {
    const [first, second, third] = [oldest.child(), oldest.child(), oldest.child()];
    await waitAs(first, 'first');
    await waitAs(second, 'second');
    await waitAs(third, 'third');
    expect(went).toEqual(['first']);
    first.charge(1);
    first.close();
    await settle();
    expect(went).toEqual(['first', 'second']);
    second.charge(1);
    second.close();
    await settle();
    expect(went).toEqual(['first', 'second', 'third']);
  });

  it('go on after a child that read nothing', async () => {
    const [first, second] = [oldest.child(), oldest.child()];
    await waitAs(first, 'first');
    await waitAs(second, 'second');
    first.close();
    await settle();
    expect(went).toEqual(['first', 'second']);
  });

  it('do not wait for a child that was cancelled while it waited', async () => {
    const [first, second, third] = [oldest.child(), oldest.child(), oldest.child()];
    const given = new AbortController();
    await waitAs(first, 'first');
    await waitAs(second, 'second', given.signal);
    await waitAs(third, 'third');
    given.abort();
    second.close();
    await settle();
    expect(went).toEqual(['first', 'not second']);
    first.close();
    await settle();
    expect(went).toEqual(['first', 'not second', 'third']);
  });

  it('do not wait for a child that was cancelled before they asked', async () => {
    const [first, second, third] = [oldest.child(), oldest.child(), oldest.child()];
    const given = new AbortController();
    await waitAs(first, 'first');
    first.charge(KIB);
    await waitAs(second, 'second', given.signal);
    given.abort();
    await settle();
    expect(went).toEqual(['first', 'not second']);
    second.close();
    first.close();
    expect(third.waitForSpace()).toBeUndefined();
  });

  it('leave no listener on a signal that lives longer than their wait', async () => {
    const [first, second] = [oldest.child(), oldest.child()];
    const { signal } = new AbortController();
    await waitAs(first, 'first', signal);
    await waitAs(second, 'second', signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    first.close();
    await settle();
    expect(went).toEqual(['first', 'second']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
