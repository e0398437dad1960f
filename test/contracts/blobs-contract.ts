// Tests what every blob store must do.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Blobs } from '../../src/ports/blobs.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** `open` returns an empty store and a function that removes the store. */
export function blobsContract(
  name: string,
  open: () => Promise<{ blobs: Blobs; close: () => Promise<void> }>,
): void {
  describe(`blobs: ${name}`, () => {
    let blobs: Blobs;
    let close: () => Promise<void>;
    beforeAll(async () => ({ blobs, close } = await open()));
    afterAll(() => close());

    const read = async (key: string, range?: { offset: number; length: number }) => {
      const found = await blobs.get(key, range);
      return found && { size: found.size, bytes: await collect(found.body) };
    };
    const list = async (prefix: string) => (await Array.fromAsync(blobs.list(prefix))).toSorted();

    it('returns the stored bytes and their size', async () => {
      expect(await blobs.put('plain/one', text('hello'))).toEqual({ size: 5 });
      expect(await read('plain/one')).toEqual({ size: 5, bytes: text('hello') });
    });

    it('keeps every byte value and an empty blob', async () => {
      const all = Uint8Array.from({ length: 256 }, (_, value) => value);
      await blobs.put('plain/all', all);
      await blobs.put('plain/empty', new Uint8Array());
      expect((await read('plain/all'))?.bytes).toEqual(all);
      expect(await read('plain/empty')).toEqual({ size: 0, bytes: new Uint8Array() });
    });

    it('keeps its own copy when the caller overwrites the buffer', async () => {
      const bytes = text('mine');
      await blobs.put('plain/copy', bytes);
      bytes.fill(0);
      expect((await read('plain/copy'))?.bytes).toEqual(text('mine'));
    });

    it('returns null for an absent key', async () => {
      expect(await blobs.get('plain/absent')).toBeNull();
      expect(await blobs.get('nowhere/at/all')).toBeNull();
      expect(await blobs.get('plain')).toBeNull();
    });

    it('replaces the whole blob', async () => {
      await blobs.put('plain/replaced', text('a long first version'));
      await blobs.put('plain/replaced', text('short'));
      expect(await read('plain/replaced')).toEqual({ size: 5, bytes: text('short') });
    });

    it('keeps a key and the keys below it apart', async () => {
      await blobs.put('both', text('outer'));
      await blobs.put('both/inner', text('inner'));
      expect((await read('both'))?.bytes).toEqual(text('outer'));
      expect((await read('both/inner'))?.bytes).toEqual(text('inner'));
      await blobs.delete('both');
      expect((await read('both/inner'))?.bytes).toEqual(text('inner'));
    });

    it('reads a range and reports the full size', async () => {
      await blobs.put('range/small', text('0123456789'));
      expect(await read('range/small', { offset: 3, length: 4 })).toEqual({ size: 10, bytes: text('3456') });
      expect((await read('range/small', { offset: 8, length: 100 }))?.bytes).toEqual(text('89'));
      expect((await read('range/small', { offset: 10, length: 1 }))?.bytes).toEqual(new Uint8Array());
      expect((await read('range/small', { offset: 0, length: 0 }))?.bytes).toEqual(new Uint8Array());
    });

    it('stores and returns large blobs as streams', async () => {
      const whole = pattern(5_000_000);
      expect(await blobs.put('large/one', streamOf(whole, 70_000))).toEqual({ size: whole.length });
      expect(same((await read('large/one'))?.bytes, whole)).toBe(true);
      const part = await read('large/one', { offset: 1_234_567, length: 2_000_000 });
      expect(same(part?.bytes, whole.slice(1_234_567, 3_234_567))).toBe(true);
      expect(part?.size).toBe(whole.length);
    });

    it('stores nothing when the source stream fails, and rejects with its error', async () => {
      await blobs.put('failing/old', text('old'));
      for (const key of ['failing/old', 'failing/new']) {
        await expect(blobs.put(key, failing())).rejects.toThrow('the source failed');
      }
      expect((await read('failing/old'))?.bytes).toEqual(text('old'));
      expect(await blobs.get('failing/new')).toBeNull();
      expect(await list('failing')).toEqual(['failing/old']);
    });

    it('hides a blob until its put is complete', async () => {
      const { readable, writable } = new TransformStream<Bytes, Bytes>();
      const put = blobs.put('slow/one', readable);
      const writer = writable.getWriter();
      await writer.write(text('first half, '));
      expect(await blobs.get('slow/one')).toBeNull();
      expect(await list('slow')).toEqual([]);
      await writer.write(text('second half'));
      await writer.close();
      await put;
      expect((await read('slow/one'))?.bytes).toEqual(text('first half, second half'));
    });

    it.each(['replaced', 'deleted'])('keeps reading the old bytes when the key is %s', async (fate) => {
      const old = pattern(3_000_000);
      await blobs.put('held/one', old);
      const held = await blobs.get('held/one');
      const reader = held?.body.getReader();
      const first = await reader?.read();
      if (fate === 'deleted') await blobs.delete('held/one');
      else await blobs.put('held/one', text('new'));
      reader?.releaseLock();
      const rest = held && (await collect(held.body));
      expect(same(rest ?? undefined, old.slice(first?.value?.length))).toBe(true);
    });

    it('keeps the blob whole when a reader cancels', async () => {
      const whole = pattern(1_000_000);
      await blobs.put('left/one', whole);
      for (let round = 0; round < 20; round++) {
        const found = await blobs.get('left/one');
        const reader = found?.body.getReader();
        if (round % 2 === 0) await reader?.read();
        await reader?.cancel();
      }
      expect(same((await read('left/one'))?.bytes, whole)).toBe(true);
    });

    it('lists the keys below a prefix, by whole segments', async () => {
      for (const key of ['tree/a', 'tree/b/c', 'tree/b/d.txt', 'tree-house/e'])
        await blobs.put(key, text(key));
      expect(await list('tree')).toEqual(['tree/a', 'tree/b/c', 'tree/b/d.txt']);
      expect(await list('tree/')).toEqual(['tree/a', 'tree/b/c', 'tree/b/d.txt']);
      expect(await list('tree/b')).toEqual(['tree/b/c', 'tree/b/d.txt']);
      expect(await list('tree/a')).toEqual([]);
      expect(await list('absent')).toEqual([]);
      expect(await list('')).toEqual(expect.arrayContaining(['tree/a', 'tree-house/e', 'plain/one']));
    });

    it('deletes keys while it lists them', async () => {
      for (let n = 0; n < 40; n++) await blobs.put(`gone/${n % 4}/${n}`, text('x'));
      for await (const key of blobs.list('gone')) await blobs.delete(key);
      expect(await list('gone')).toEqual([]);
    });

    it('deletes a key, and accepts an absent key', async () => {
      await blobs.put('dead/one', text('x'));
      await blobs.delete('dead/one');
      await blobs.delete('dead/one');
      await blobs.delete('never/there');
      expect(await blobs.get('dead/one')).toBeNull();
    });

    it('keeps one whole version when puts race, while neighbouring keys come and go', async () => {
      const versions = Array.from({ length: 12 }, (_, n) => new Uint8Array(50_000).fill(n));
      await Promise.all([
        ...versions.map((version) => blobs.put('race/key', version)),
        ...versions.map(async (version, n) => {
          await blobs.put(`race/side/${n}`, version);
          await blobs.delete(`race/side/${n}`);
        }),
      ]);
      const kept = await read('race/key');
      expect(versions.some((version) => same(kept?.bytes, version))).toBe(true);
      expect(await list('race')).toEqual(['race/key']);
    });

    it.each([
      '',
      '/',
      'a/',
      '/a',
      'a//b',
      '.',
      '..',
      'a/../b',
      './a',
      'a b',
      'a\\b',
      'ä',
      'a\0',
      'a\n',
      'a+b',
    ])('throws a TypeError for the key %j', async (key) => {
      await expect(blobs.put(key, text('x'))).rejects.toThrow(TypeError);
      await expect(blobs.get(key)).rejects.toThrow(TypeError);
      await expect(blobs.delete(key)).rejects.toThrow(TypeError);
    });

    it('accepts dots inside a segment', async () => {
      await blobs.put('dots/.jot.json', text('x'));
      await blobs.put('dots/..a/b...', text('y'));
      expect(await list('dots')).toEqual(['dots/..a/b...', 'dots/.jot.json']);
    });
  });
}

const text = (value: string): Bytes => new TextEncoder().encode(value);

const pattern = (length: number): Bytes =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 255);

const same = (left: Bytes | undefined, right: Bytes) =>
  left?.length === right.length && left.every((byte, at) => byte === right[at]);

const collect = async (body: ReadableStream<Bytes>): Promise<Bytes> =>
  new Uint8Array(await new Blob(await Array.fromAsync(body)).arrayBuffer());

function streamOf(bytes: Bytes, chunk: number): ReadableStream<Bytes> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, (at += chunk)));
      if (at >= bytes.length) controller.close();
    },
  });
}

function failing(): ReadableStream<Bytes> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new Error('the source failed'));
      else controller.enqueue(text('a first part'));
      sent = true;
    },
  });
}
