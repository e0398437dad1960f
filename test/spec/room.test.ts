// Whose turn it is to read, when there is no room for all. README: Decisions
import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRoom, type Hold, type Room } from '../../src/memory/budget.ts';

const KIB = 1024;
const SIZE = 1024 * KIB;
const UNCOUNTED = 64 * KIB;

let room: Room;
/** Those whose turn it has been, in order. */
let went: string[];
beforeEach(() => {
  room = createRoom(SIZE);
  went = [];
});

/** What is settled by now has been heard of. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function waits(hold: Hold, name: string, signal?: AbortSignal): Promise<void> {
  void Promise.resolve(hold.turn(signal)).then(
    () => went.push(name),
    () => went.push(`not ${name}`),
  );
  await settled();
}

function taken(userId: string, kib: number): Hold {
  const hold = room.open(userId);
  hold.take(kib * KIB);
  return hold;
}

describe('what is read', () => {
  it('takes its own length while it is small, four times that beyond', () => {
    const hold = room.open('ana');
    hold.read(new Uint8Array(UNCOUNTED));
    hold.read(new Uint8Array((SIZE - UNCOUNTED) / 4));
    expect(hold.isTooMuch()).toBe(false);
    hold.read(new Uint8Array(1));
    expect(hold.isTooMuch()).toBe(true);
  });

  it.each([',', '{', '['])('takes as much as eight bytes more behind each "%s"', (mark) => {
    const hold = room.open('ana');
    hold.read(new TextEncoder().encode('x'.repeat(SIZE / 4 - 9) + mark));
    expect(hold.isTooMuch()).toBe(false);
    hold.read(new Uint8Array(1));
    expect(hold.isTooMuch()).toBe(true);
  });

  it('is too much for a part by what that part has read', () => {
    const whole = taken('ana', 1_100);
    const part = whole.part();
    part.take(SIZE);
    expect([whole.isTooMuch(), part.isTooMuch()]).toEqual([true, false]);
    part.take(1);
    expect(part.isTooMuch()).toBe(true);
  });

  it('never waits, and is never too much, where there is room for everything', () => {
    room = createRoom(Infinity);
    const hold = taken('ana', 1e12);
    expect([hold.turn(), hold.isTooMuch()]).toEqual([undefined, false]);
  });
});

describe('a request', () => {
  it('never waits with its first bytes; then all of them count', async () => {
    taken('ana', 1_100);
    const small = room.open('ben');
    small.take(UNCOUNTED);
    expect(small.turn()).toBeUndefined();
    small.take(1);
    await waits(small, 'small');
    expect(went).toEqual([]);
  });

  it('waits for half of the room, if it is its person who has the other', async () => {
    taken('ana', 440);
    const second = taken('ana', 72);
    expect(second.turn()).toBeUndefined();
    second.take(1);
    await waits(second, 'second');
    expect(went).toEqual([]);
    expect(taken('ben', 72).turn()).toBeUndefined();
  });

  it('waits until there is room, whoever has it', async () => {
    taken('ana', 500);
    const second = taken('ben', 450);
    const third = taken('cy', 74);
    expect(third.turn()).toBeUndefined();
    third.take(1);
    await waits(third, 'third');
    expect(went).toEqual([]);
    second.close();
    await settled();
    expect(went).toEqual(['third']);
  });

  it('has its turn by age, no more at once than there is room for a piece of each', async () => {
    room = createRoom(16 * 1024 * KIB);
    taken('ana', 13 * 1024);
    const large = taken('ben', 4 * 1024);
    const [first, second, third] = [taken('cy', 100), taken('di', 100), taken('ed', 100)];
    await waits(third, 'third');
    await waits(second, 'second');
    await waits(first, 'first');
    large.close();
    await settled();
    expect(went).toEqual(['first', 'second']);
    first.close();
    await settled();
    expect(went).toEqual(['first', 'second', 'third']);
  });

  it('gives back what it has taken, once, with all its parts', async () => {
    const large = taken('ana', 600);
    const part = large.part();
    part.take(500 * KIB);
    const next = taken('ben', 100);
    await waits(next, 'next');
    part.close();
    part.close();
    await settled();
    expect(went).toEqual(['next']);
    const other = taken('cy', 324);
    expect(other.turn()).toBeUndefined();
    other.take(1);
    await waits(other, 'other');
    expect(went).toEqual(['next']);
    large.part().take(100 * KIB);
    large.close();
    large.close();
    await settled();
    expect(went).toEqual(['next', 'other']);
    expect(taken('ana', 512).turn()).toBeUndefined();
    const last = taken('di', 88);
    await waits(last, 'last');
    expect(went).toEqual(['next', 'other']);
  });

  it('takes nothing any more once it is over', () => {
    const over = taken('ana', 600);
    over.close();
    over.take(1_100 * KIB);
    over.read(new Uint8Array(SIZE));
    expect(over.turn()).toBeUndefined();
    expect(taken('ana', 512).turn()).toBeUndefined();
  });

  it('goes on with all it reads at once', async () => {
    const large = taken('ana', 1_100);
    const next = taken('ben', 100);
    await waits(next, 'one answer');
    await waits(next, 'another');
    large.close();
    await settled();
    expect(went).toEqual(['one answer', 'another']);
  });

  it('whose caller has gone does not begin to wait', async () => {
    taken('ana', 1_100);
    const reason = new Error('gone');
    await expect(taken('ben', 100).turn(AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('whose caller goes hears why', async () => {
    taken('ana', 1_100);
    const caller = new AbortController();
    const turn = taken('ben', 100).turn(caller.signal);
    const reason = new Error('gone');
    caller.abort(reason);
    await expect(turn).rejects.toBe(reason);
  });

  it('that is the oldest now goes on, though there is no room', async () => {
    const oldest = taken('ana', 1_100);
    const second = taken('ben', 1_100);
    const third = taken('cy', 100);
    await waits(third, 'third');
    await waits(second, 'second');
    oldest.close();
    await settled();
    expect(went).toEqual(['second']);
  });
});

describe('the parts of the oldest request, when there is no room', () => {
  let oldest: Hold;
  beforeEach(() => {
    oldest = taken('ana', 1_100);
  });

  it('have their turns one after the other', async () => {
    const [first, second, third] = [oldest.part(), oldest.part(), oldest.part()];
    await waits(first, 'first');
    await waits(second, 'second');
    await waits(third, 'third');
    expect(went).toEqual(['first']);
    first.take(1);
    first.close();
    await settled();
    expect(went).toEqual(['first', 'second']);
    second.take(1);
    second.close();
    await settled();
    expect(went).toEqual(['first', 'second', 'third']);
  });

  it('follow one that has read nothing', async () => {
    const [first, second] = [oldest.part(), oldest.part()];
    await waits(first, 'first');
    await waits(second, 'second');
    first.close();
    await settled();
    expect(went).toEqual(['first', 'second']);
  });

  it('do not wait for one that was given up while it waited', async () => {
    const [first, second, third] = [oldest.part(), oldest.part(), oldest.part()];
    const given = new AbortController();
    await waits(first, 'first');
    await waits(second, 'second', given.signal);
    await waits(third, 'third');
    given.abort();
    second.close();
    await settled();
    expect(went).toEqual(['first', 'not second']);
    first.close();
    await settled();
    expect(went).toEqual(['first', 'not second', 'third']);
  });

  it('do not wait for one that was given up before they asked', async () => {
    const [first, second, third] = [oldest.part(), oldest.part(), oldest.part()];
    const given = new AbortController();
    await waits(first, 'first');
    first.take(KIB);
    await waits(second, 'second', given.signal);
    given.abort();
    await settled();
    expect(went).toEqual(['first', 'not second']);
    second.close();
    first.close();
    expect(third.turn()).toBeUndefined();
  });

  it('leave nothing behind at a signal that outlives their wait', async () => {
    const [first, second] = [oldest.part(), oldest.part()];
    const { signal } = new AbortController();
    await waits(first, 'first', signal);
    await waits(second, 'second', signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    first.close();
    await settled();
    expect(went).toEqual(['first', 'second']);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
