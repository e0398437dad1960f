// Blobs that no jot refers to are collected: never one that a deploy may still refer to, never under a reader.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../../drivers/blobs/memory.ts';
import { maintain, maintainOnce } from '../../src/maintenance/sweep.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import { asFiles, blobKeys, done, publish, served } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

let app: TestApp;
let ana: TestUser;
let beforePut: (key: string) => void | Promise<void>;
beforeEach(async () => {
  const memory = createMemoryBlobs();
  beforePut = () => {};
  const blobs: Blobs = {
    ...memory,
    async put(key, body) {
      await beforePut(key);
      return memory.put(key, body);
    },
  };
  app = await createTestApp({ ports: { blobs } });
  ana = await app.user();
});
afterEach(() => app.close());

/** The next sweep that is due. */
async function sweep(): Promise<string[]> {
  app.clock.advance(HOUR);
  await app.deps.jots.sweep();
  return blobKeys(app);
}

describe('the sweep', () => {
  it('leaves what a jot refers to, however old', async () => {
    await publish(app, ana, 'old', { 'a.txt': 'a' });
    const keys = await blobKeys(app);
    app.clock.advance(400 * DAY);
    expect(await sweep()).toEqual(keys);
    expect(Object.keys(await served(app, ana, 'old'))).toEqual(['index.html', 'a.txt']);
  });

  it('removes what a deploy has replaced, an hour after and a day after it was made', async () => {
    await publish(app, ana, 'replaced', { 'a.txt': 'one', 'same.txt': 'same' });
    const first = await blobKeys(app);
    app.clock.advance(2 * DAY);
    await publish(app, ana, 'replaced', { 'a.txt': 'two', 'same.txt': 'same' });
    const both = await blobKeys(app);
    app.clock.advance(HOUR - 1);
    await app.deps.jots.sweep();
    // Somebody who has read the manifest before may still ask for it.
    expect(await blobKeys(app)).toEqual(both);
    const after = await sweep();
    // a.txt and the manifest of the first.
    expect(first.filter((key) => !after.includes(key))).toHaveLength(2);
    expect(both.filter((key) => !first.includes(key)).every((key) => after.includes(key))).toBe(true);
    expect(await served(app, ana, 'replaced')).toMatchObject({ 'a.txt': 'two', 'same.txt': 'same' });
  });

  it('takes no file from a jot that has it again', async () => {
    await publish(app, ana, 'again', { 'a.txt': 'one' });
    app.clock.advance(2 * DAY);
    await publish(app, ana, 'again');
    await sweep();
    await publish(app, ana, 'again', { 'a.txt': 'one' });
    expect(await served(app, ana, 'again')).toMatchObject({ 'a.txt': 'one' });
  });

  it('removes everything of a deleted jot, and nothing else', async () => {
    await publish(app, ana, 'stays');
    const stays = await blobKeys(app);
    await publish(app, ana, 'goes', { 'a.txt': 'a' });
    await app.deps.blobs.put('results/other', new Uint8Array(1));
    await done(app, ana, 'delete_jot', { name: 'goes' });
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(stays);
    expect(await app.deps.blobs.get('results/other')).not.toBeNull();
  });

  it('removes what a dead process has staged, after a day', async () => {
    await publish(app, ana, 'crashed');
    const keys = await blobKeys(app);
    const begun = app.clock.now().toString(36);
    const staged = `jots/crashed/${begun}-0123456789abcdef/0`;
    await app.deps.blobs.put(staged, new Uint8Array(1));
    expect(await sweep()).toContain(staged);
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(keys);
  });

  it('leaves keys that it does not know', async () => {
    await app.deps.blobs.put('jots/strange', new Uint8Array(1));
    await app.deps.blobs.put('jots/x/y/z', new Uint8Array(1));
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(['jots/strange', 'jots/x/y/z']);
  });

  it('leaves everything of a jot whose manifest cannot be read', async () => {
    await publish(app, ana, 'lost', { 'a.txt': 'a' });
    const manifest = (await app.deps.store.jots.get('lost'))?.manifest ?? '';
    await app.deps.blobs.delete(manifest);
    const keys = await blobKeys(app);
    app.clock.advance(2 * DAY);
    expect(await sweep()).toEqual(keys);
  });

  it('comes once an hour, whichever process makes it', async () => {
    await app.deps.jots.sweep();
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    app.clock.advance(HOUR - 1);
    await app.deps.jots.sweep();
    expect(await blobKeys(app)).toHaveLength(1);
    app.clock.advance(1);
    await app.deps.jots.sweep();
    expect(await blobKeys(app)).toEqual([]);
  });

  it('is part of the maintenance', async () => {
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    const stop = new AbortController();
    // One round: what waits for the next one waits for the end.
    const sleep = async () => stop.abort();
    await maintain({ ...app.deps, clock: { ...app.clock, sleep } }, stop.signal);
    expect(await blobKeys(app)).toEqual([]);
  });
});

describe('a round of the maintenance that fails', () => {
  it('is logged, and followed by the next', async () => {
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    const stop = new AbortController();
    let rounds = 0;
    const store = {
      ...app.deps.store,
      async sweep(now: number) {
        rounds++;
        if (rounds === 1) throw new Error('[sqlite] away');
        return app.deps.store.sweep(now);
      },
    };
    const sleep = async () => {
      if (rounds === 2) stop.abort();
    };
    await maintain({ ...app.deps, store, clock: { ...app.clock, sleep } }, stop.signal);
    expect(app.lines.filter(({ event }) => event === 'sweep failed')).toEqual([
      expect.objectContaining({ level: 'error', error: expect.stringContaining('[sqlite] away') }),
    ]);
    expect(await blobKeys(app)).toEqual([]);
  });
});

describe('a part of the maintenance that fails', () => {
  it('keeps no other part from its work', async () => {
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    const sweep = () => Promise.reject(new Error('[sqlite] database or disk is full'));
    await expect(maintainOnce({ ...app.deps, store: { ...app.deps.store, sweep } })).rejects.toThrow(
      'disk is full',
    );
    expect(await blobKeys(app)).toEqual([]);
  });
});

describe('a deploy that is under way for long', () => {
  const hold = () => {
    const [reached, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    beforePut = async () => {
      beforePut = () => {};
      reached.resolve();
      await go.promise;
    };
    return { reached: reached.promise, go: go.resolve };
  };
  const deploy = (files: Record<string, string>) =>
    app.deps.jots.deploy(
      { kind: 'replace', name: 'slow', userId: ana.id, access: 'public', password_hash: null, cors: false },
      asFiles(files).map((file) => ({ ...file, encoding: 'utf8' as const })),
    );

  it('keeps the blobs it relies on and those it has staged', async () => {
    await publish(app, ana, 'slow', { 'a.txt': 'relied upon' });
    app.clock.advance(2 * DAY);
    const { reached, go } = hold();
    const deploying = deploy({ 'a.txt': 'relied upon', 'index.html': 'slow' });
    await reached;
    // Meanwhile the file leaves the jot, and a sweep comes by.
    await publish(app, ana, 'slow');
    app.clock.advance(1_700);
    await app.deps.jots.sweep();
    go();
    await deploying;
    app.clock.advance(2 * DAY);
    await sweep();
    expect(await served(app, ana, 'slow')).toEqual({ 'a.txt': 'relied upon', 'index.html': 'slow' });
  });

  it('is refused when what it relies on has gone with its jot', async () => {
    await publish(app, ana, 'slow', { 'a.txt': 'relied upon' });
    const { reached, go } = hold();
    const deploying = deploy({ 'a.txt': 'relied upon', 'index.html': 'slow' });
    const refused = expect(deploying).rejects.toMatchObject({ reason: 'DEPLOY_FAILED' });
    await reached;
    await done(app, ana, 'delete_jot', { name: 'slow' });
    go();
    await refused;
    expect(await app.deps.store.jots.get('slow')).toBeNull();
  });

  it.each([1_801, 2 * DAY])(
    'is refused after %i seconds, before a sweep could have taken anything',
    async (seconds) => {
      await publish(app, ana, 'slow');
      const before = await served(app, ana, 'slow');
      const { reached, go } = hold();
      const deploying = deploy({ 'index.html': 'too slow' });
      const refused = expect(deploying).rejects.toMatchObject({ reason: 'DEPLOY_FAILED' });
      await reached;
      app.clock.advance(seconds);
      await app.deps.jots.sweep();
      go();
      await refused;
      expect(await served(app, ana, 'slow')).toEqual(before);
    },
  );
});

describe('deploys and sweeps in any order', () => {
  it('never leave a jot with a file that is gone, nor a blob for ever', async () => {
    // Chance with a seed: a failure can be repeated.
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const contents = ['one', 'two', 'three', 'four'];
    for (let round = 0; round < 120; round++) {
      const files = { 'a.txt': contents[next(4)] ?? '', 'b.txt': contents[next(4)] ?? '' };
      const deletes = next(9) === 0;
      // An unchanged file is not stored again: when its jot is deleted meanwhile, the deploy has to say so.
      const deploy = async (these: Record<string, string>) => {
        const refused = await publish(app, ana, 'mixed', these).catch(String);
        if (typeof refused !== 'string') return;
        expect([deletes, refused]).toEqual([true, expect.stringContaining('was changed while this upload')]);
      };
      const work: Promise<unknown>[] = [deploy(files), app.deps.jots.sweep()];
      if (next(3) === 0) work.push(deploy({ 'c.txt': contents[next(4)] ?? '' }));
      if (deletes) work.push(app.deps.jots.delete(ana.id, 'mixed'));
      app.clock.advance([60, 1_000, HOUR, DAY, 3 * DAY][next(5)] ?? 0);
      await Promise.all(work);
      if ((await app.deps.store.jots.get('mixed')) === null) continue;
      for (const text of Object.values(await served(app, ana, 'mixed'))) expect(text).not.toBe('');
    }
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    app.clock.advance(3 * DAY);
    const left = await sweep();
    expect(left.length).toBeLessThanOrEqual(4);
  });
});
