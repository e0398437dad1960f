// Whose turn it is to read, when there is no room for all. README: Decisions
import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRoom, type Hold, type Room } from '../../src/room.ts';

const KIB = 1024;
const SIZE = 1024 * KIB;

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
    first.close();
    await settled();
    expect(went).toEqual(['first', 'not second', 'third']);
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
