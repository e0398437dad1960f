// Tests the viewer's end of the live view's channel: events from a stream, and commands in batches.
import { describe, expect, it } from 'vitest';
import { type Command, enqueue } from '../../portal/live/wire/commands.ts';
import { createSendQueue } from '../../portal/live/wire/send-queue.ts';
import { readEvents } from '../../portal/live/wire/sse.ts';

async function eventsOf(pieces: readonly string[]): Promise<unknown[]> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const events: unknown[] = [];
  for await (const event of readEvents(stream)) events.push(event);
  return events;
}

function command(method: string, params: object = {}, sessionId = 'A'): Command {
  return { id: 0, method, params: { ...params }, sessionId };
}

const move = (x: number, buttons = 0) =>
  command('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y: 0, buttons });

describe('Live view: events', () => {
  it('reads whole events from a stream that arrives in any pieces', async () => {
    const whole =
      'event: ready\ndata:\n\n: keepalive\n\nevent: cdp\ndata: {"a":"é"}\n\nevent: closed\ndata: {}\n\n';
    const expected = [
      { event: 'ready', data: '' },
      { event: '', data: '' },
      { event: 'cdp', data: '{"a":"é"}' },
      { event: 'closed', data: '{}' },
    ];
    expect(await eventsOf([whole])).toEqual(expected);
    expect(await eventsOf(Array.from(whole))).toEqual(expected);
  });

  it('ignores an event that has no end', async () => {
    expect(await eventsOf(['event: cdp\ndata: {'])).toEqual([]);
  });
});

describe('Live view: commands', () => {
  it('sends only the last of adjacent moves', () => {
    const queue = [move(1), move(2), command('Page.reload'), move(3), move(4)].reduce(
      enqueue,
      [] as Command[],
    );
    expect(queue.map(({ method, params }) => params['x'] ?? method)).toEqual([2, 'Page.reload', 4]);
  });

  it('keeps a drag and a move, or moves in two pages, apart', () => {
    const moves = [move(1), move(2, 1), { ...move(3, 1), sessionId: 'B' }];
    expect(moves.reduce(enqueue, [] as Command[])).toHaveLength(3);
  });

  it('adds up adjacent turns of the wheel', () => {
    const turn = (deltaY: number) =>
      command('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 1, y: 1, deltaX: 0, deltaY });
    const [only, none] = [turn(10), turn(-4)].reduce(enqueue, [] as Command[]);
    expect(only?.params['deltaY']).toBe(6);
    expect(none).toBeUndefined();
  });

  it('sends one request at a time, with at most 64 queued commands in the next', async () => {
    const batches: number[] = [];
    const { promise: first, resolve: answer } = Promise.withResolvers<void>();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const queue = createSendQueue({
      maxBatch: 64,
      post: async (batch) => {
        batches.push(batch.length);
        if (batches.length === 1) await first;
        if (batches.length === 3) finish();
      },
      isBusy: () => false,
      onBusy: () => {},
      onFailed: () => {},
    });
    queue.add(command('Page.enable'));
    await Promise.resolve().then(() => {});
    for (let count = 0; count < 70; count += 1) queue.add(command('Input.dispatchKeyEvent', { count }));
    expect(batches).toEqual([1]);
    answer();
    await done;
    expect(batches).toEqual([1, 64, 6]);
  });

  it('sends the same batch again while the browser is starting', async () => {
    const sent: unknown[] = [];
    let busy = 0;
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const queue = createSendQueue({
      maxBatch: 64,
      post: async (batch) => {
        sent.push(batch[0]?.method);
        if (sent.length < 3) throw new Error('busy');
        finish();
      },
      isBusy: () => true,
      onBusy: () => (busy += 1),
      onFailed: () => {},
      wait: () => Promise.resolve(),
    });
    queue.add(command('Page.enable'));
    await done;
    expect(sent).toEqual(['Page.enable', 'Page.enable', 'Page.enable']);
    expect(busy).toBe(2);
  });

  /** Collects the ids of each batch until there are two batches. */
  function openTwo(wait?: () => Promise<void>) {
    const batches: number[][] = [];
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const queue = createSendQueue({
      maxBatch: 64,
      post: async (batch) => {
        batches.push(batch.map(({ id }) => id));
        if (batches.length === 2) finish();
      },
      isBusy: () => false,
      onBusy: () => {},
      onFailed: () => {},
      ...(wait === undefined ? {} : { wait }),
    });
    return { queue, batches, done };
  }

  it('holds later commands until an awaited command is done', async () => {
    const { queue, batches, done } = openTwo();
    const { promise: pasted, resolve: onPasted } = Promise.withResolvers<void>();
    queue.add({ ...command('Input.insertText'), id: 1 });
    queue.add({ ...command('LiveView.paste'), id: 2 }, pasted);
    queue.add({ ...command('Input.dispatchKeyEvent'), id: 3 });
    await Promise.resolve().then(() => {});
    expect(batches).toEqual([[1, 2]]);
    onPasted();
    await done;
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('sends later commands after a while when an awaited command never ends', async () => {
    const { queue, batches, done } = openTwo(() => Promise.resolve());
    queue.add({ ...command('LiveView.paste'), id: 2 }, new Promise(() => {}));
    queue.add({ ...command('Page.handleJavaScriptDialog'), id: 3 });
    await done;
    expect(batches).toEqual([[2], [3]]);
  });

  it('stops after a refused batch', async () => {
    const { promise: failed, resolve: onFailed } = Promise.withResolvers<unknown>();
    const posts: unknown[] = [];
    const queue = createSendQueue({
      maxBatch: 64,
      post: (batch) => {
        posts.push(batch);
        return Promise.reject(new Error('refused'));
      },
      isBusy: () => false,
      onBusy: () => {},
      onFailed,
    });
    queue.add(command('Page.enable'));
    expect(await failed).toEqual(new Error('refused'));
    queue.add(command('Page.enable'));
    await Promise.resolve();
    expect(posts).toHaveLength(1);
  });
});
