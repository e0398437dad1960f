// Checks that the sweep removes unreferenced blobs, and none that a deploy or a reader may still need.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { JOT_VERSIONS } from '../../src/jots/model/limits.ts';
import { maintain, maintainOnce } from '../../src/maintenance/sweep.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import { asFiles, blobKeys, done, publish, downloadAll } from '../support/jots.ts';
import { createMemoryFiles } from '../support/memory-files.ts';
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

/** Advances the clock by an hour, runs the sweep, and returns the keys that are left. */
async function sweep(): Promise<string[]> {
  app.clock.advance(HOUR);
  await app.deps.jots.sweep();
  return blobKeys(app);
}

describe('The sweep', () => {
  it('keeps the blobs that a jot refers to, however old they are', async () => {
    await publish(app, ana, 'old', { 'a.txt': 'a' });
    const keys = await blobKeys(app);
    app.clock.advance(400 * DAY);
    expect(await sweep()).toEqual(keys);
    expect(Object.keys(await downloadAll(app, ana, 'old'))).toEqual(['index.html', 'a.txt']);
  });

  it('keeps the blobs of an earlier version, and removes them an hour after the version has gone', async () => {
    await publish(app, ana, 'replaced', { 'a.txt': 'one', 'same.txt': 'same' });
    const first = await blobKeys(app);
    app.clock.advance(2 * DAY);
    for (let version = 2; version <= JOT_VERSIONS; version++)
      await publish(app, ana, 'replaced', { 'a.txt': `version ${version}`, 'same.txt': 'same' });
    app.clock.advance(2 * DAY);
    const kept = await sweep();
    expect(first.filter((key) => !kept.includes(key))).toEqual([]);
    await publish(app, ana, 'replaced', { 'a.txt': 'two', 'same.txt': 'same' });
    const both = await blobKeys(app);
    app.clock.advance(HOUR - 1);
    await app.deps.jots.sweep();
    // A reader with the older manifest may still ask for the blob.
    expect(await blobKeys(app)).toEqual(both);
    const after = await sweep();
    // The first deploy leaves a.txt and its manifest.
    expect(first.filter((key) => !after.includes(key))).toHaveLength(2);
    expect(both.filter((key) => !first.includes(key)).every((key) => after.includes(key))).toBe(true);
    expect(await downloadAll(app, ana, 'replaced')).toMatchObject({ 'a.txt': 'two', 'same.txt': 'same' });
  });

  it('keeps what left a jot that is published again and again for a reader, in a manifest that does not grow', async () => {
    const sizeOf = async () => {
      const { manifest = '' } = (await app.deps.store.jots.get('busy')) ?? {};
      return (await app.deps.blobs.get(manifest))?.size ?? 0;
    };
    for (let round = 0; round <= JOT_VERSIONS; round++)
      await publish(app, ana, 'busy', { 'a.txt': `round ${100 + round}` });
    const size = await sizeOf();
    const keys = await blobKeys(app);
    for (let round = 0; round < 20; round++)
      await publish(app, ana, 'busy', { 'a.txt': `round ${200 + round}` });
    expect(await sizeOf()).toBeLessThan(size + 100);
    app.clock.advance(HOUR);
    const kept = await sweep();
    expect(keys.filter((key) => !kept.includes(key))).toEqual([]);
    app.clock.advance(DAY);
    const after = await sweep();
    expect(keys.filter((key) => after.includes(key))).toHaveLength(1);
    expect(await downloadAll(app, ana, 'busy')).toMatchObject({ 'a.txt': 'round 219' });
  });

  it('keeps a file that the jot has again', async () => {
    await publish(app, ana, 'again', { 'a.txt': 'one' });
    app.clock.advance(2 * DAY);
    await publish(app, ana, 'again');
    await sweep();
    await publish(app, ana, 'again', { 'a.txt': 'one' });
    expect(await downloadAll(app, ana, 'again')).toMatchObject({ 'a.txt': 'one' });
  });

  it('removes all blobs of a deleted jot, and no others', async () => {
    await publish(app, ana, 'stays');
    const stays = await blobKeys(app);
    await publish(app, ana, 'goes', { 'a.txt': 'a' });
    await app.deps.blobs.put('results/other', new Uint8Array(1));
    await done(app, ana, 'delete_jot', { name: 'goes' });
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(stays);
    expect(await app.deps.blobs.get('results/other')).not.toBeNull();
  });

  it('removes the staged blobs of a dead process after a day', async () => {
    await publish(app, ana, 'crashed');
    const keys = await blobKeys(app);
    const begun = app.clock.now().toString(36);
    const staged = `jots/crashed/${begun}-0123456789abcdef/0`;
    await app.deps.blobs.put(staged, new Uint8Array(1));
    expect(await sweep()).toContain(staged);
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(keys);
  });

  it('keeps blobs with keys that it does not know', async () => {
    await app.deps.blobs.put('jots/strange', new Uint8Array(1));
    await app.deps.blobs.put('jots/x/y/z', new Uint8Array(1));
    app.clock.advance(DAY);
    expect(await sweep()).toEqual(['jots/strange', 'jots/x/y/z']);
  });

  it('keeps all blobs of a jot whose manifest cannot be read', async () => {
    await publish(app, ana, 'lost', { 'a.txt': 'a' });
    const manifest = (await app.deps.store.jots.get('lost'))?.manifest ?? '';
    await app.deps.blobs.delete(manifest);
    const keys = await blobKeys(app);
    app.clock.advance(2 * DAY);
    expect(await sweep()).toEqual(keys);
  });

  it('runs once an hour in all processes together', async () => {
    await app.deps.jots.sweep();
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    app.clock.advance(HOUR - 1);
    await app.deps.jots.sweep();
    expect(await blobKeys(app)).toHaveLength(1);
    app.clock.advance(1);
    await app.deps.jots.sweep();
    expect(await blobKeys(app)).toEqual([]);
  });

  it('runs as a part of the maintenance', async () => {
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    const stop = new AbortController();
    // This is one round: the abort ends the wait for the next one.
    const sleep = async () => stop.abort();
    await maintain({ ...app.deps, clock: { ...app.clock, sleep } }, stop.signal);
    expect(await blobKeys(app)).toEqual([]);
  });
});

describe('A round of the maintenance that fails', () => {
  it('is logged, and the next round follows', async () => {
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

describe('A part of the maintenance that fails', () => {
  it('does not stop the other parts', async () => {
    await app.deps.blobs.put('jots/x/1-0123456789abcdef/0', new Uint8Array(1));
    const sweep = () => Promise.reject(new Error('[sqlite] database or disk is full'));
    await expect(maintainOnce({ ...app.deps, store: { ...app.deps.store, sweep } })).rejects.toThrow(
      'disk is full',
    );
    expect(await blobKeys(app)).toEqual([]);
  });
});

describe('A deploy that takes long', () => {
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
      {
        kind: 'replace',
        name: 'slow',
        userId: ana.id,
        access: 'public',
        password_hash: null,
        cors: false,
        cors_chosen: true,
      },
      asFiles(files).map((file) => ({ ...file, encoding: 'utf8' as const })),
      createMemoryFiles(),
    );

  it('keeps the blobs that it reuses and those that it has staged', async () => {
    await publish(app, ana, 'slow', { 'a.txt': 'relied upon' });
    app.clock.advance(2 * DAY);
    const { reached, go } = hold();
    const deploying = deploy({ 'a.txt': 'relied upon', 'index.html': 'slow' });
    await reached;
    // Meanwhile the file leaves the jot, and a sweep runs.
    await publish(app, ana, 'slow');
    app.clock.advance(1_700);
    await app.deps.jots.sweep();
    go();
    await deploying;
    app.clock.advance(2 * DAY);
    await sweep();
    expect(await downloadAll(app, ana, 'slow')).toEqual({ 'a.txt': 'relied upon', 'index.html': 'slow' });
  });

  it('is refused where the blob that it reuses was deleted with its jot', async () => {
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
    'is refused after %i seconds, before a sweep could remove its blobs',
    async (seconds) => {
      await publish(app, ana, 'slow');
      const before = await downloadAll(app, ana, 'slow');
      const { reached, go } = hold();
      const deploying = deploy({ 'index.html': 'too slow' });
      const refused = expect(deploying).rejects.toMatchObject({ reason: 'DEPLOY_FAILED' });
      await reached;
      app.clock.advance(seconds);
      await app.deps.jots.sweep();
      go();
      await refused;
      expect(await downloadAll(app, ana, 'slow')).toEqual(before);
    },
  );
});

describe('Deploys and sweeps in any order', () => {
  it('never leave a jot without a file, nor an unreferenced blob for ever', async () => {
    // The seed makes a failure reproducible.
    let seed = 7;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const contents = ['one', 'two', 'three', 'four'];
    for (let round = 0; round < 120; round++) {
      const files = { 'a.txt': contents[next(4)] ?? '', 'b.txt': contents[next(4)] ?? '' };
      const deletes = next(9) === 0;
      // A deploy does not store an unchanged file again, so it fails where the jot is deleted meanwhile.
      const deploy = async (these: Record<string, string>) => {
        const refused = await publish(app, ana, 'mixed', these).catch(String);
        if (typeof refused !== 'string') return;
        expect([deletes, refused]).toEqual([true, expect.stringContaining('was changed during this upload')]);
      };
      const work: Promise<unknown>[] = [deploy(files), app.deps.jots.sweep()];
      if (next(3) === 0) work.push(deploy({ 'c.txt': contents[next(4)] ?? '' }));
      if (deletes) work.push(app.deps.jots.delete(ana.id, 'mixed'));
      app.clock.advance([60, 1_000, HOUR, DAY, 3 * DAY][next(5)] ?? 0);
      await Promise.all(work);
      if ((await app.deps.store.jots.get('mixed')) === null) continue;
      for (const text of Object.values(await downloadAll(app, ana, 'mixed'))) expect(text).not.toBe('');
    }
    expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
    app.clock.advance(3 * DAY);
    const left = await sweep();
    expect(left.length).toBeLessThanOrEqual(4);
  });
});
