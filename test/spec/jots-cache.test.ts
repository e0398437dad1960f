// Tests what the cache of manifests holds. reference: Jot serving
import { expect, it } from 'vitest';
import { encodeManifest, EMPTY_MANIFEST } from '../../src/jots/model/manifest.ts';
import { createHash } from 'node:crypto';
import { JOT_VERSIONS } from '../../src/jots/model/limits.ts';
import { publish } from '../support/jots.ts';
import { createTestApp } from '../support/test-app.ts';
import { createJotCache, createJotReader } from '../../src/jots/serving/reader.ts';
import { createMemoryBlobs } from '../support/memory-blobs.ts';

it('counts the blobs that a manifest has retired, so that a jot which is published every second takes no more memory', async () => {
  const blobs = createMemoryBlobs();
  const asked: string[] = [];
  const counting = {
    ...blobs,
    get: (...[key, range]: Parameters<typeof blobs.get>) => {
      asked.push(key);
      return blobs.get(key, range);
    },
  };
  const reader = createJotReader({
    blobs: counting,
    jotCache: createJotCache(),
    log: { shows: () => false, write() {} },
  });
  const retired = Array.from({ length: 8_000 }, (_, at) => ({
    file: { key: `jots/x/${at}`, hash: 'a'.repeat(64), size: 1 },
    at,
  }));
  const manifests = Array.from({ length: 4 }, (_, at) => `jots/x/manifest-${at}`);
  for (const manifest of manifests) {
    await blobs.put(manifest, encodeManifest({ ...EMPTY_MANIFEST, retired }));
    await reader.readManifest({ manifest });
  }
  expect(manifests.filter((manifest) => reader.cachedManifest({ manifest }) !== undefined)).toEqual(
    manifests.slice(-2),
  );
  expect(asked).toEqual(manifests);
});

it('drops what has left a jot, so that a jot which is published again and again takes no more memory', async () => {
  const app = await createTestApp();
  const ana = await app.user();
  const { reader } = app.deps.jots;
  const manifests: string[] = [];
  for (let round = 0; round < 2 * JOT_VERSIONS; round++) {
    await publish(app, ana, 'busy', { 'index.html': `round ${round}` });
    expect(await (await app.request('/j/busy/')).text()).toBe(`round ${round}`);
    manifests.push((await app.deps.store.jots.get('busy'))?.manifest ?? '');
  }
  const cached = manifests.filter((manifest) => reader.cachedManifest({ manifest }) !== undefined);
  expect(cached).toEqual(manifests.slice(-JOT_VERSIONS));
  const current = reader.cachedManifest({ manifest: manifests.at(-1) ?? '' });
  expect([...(current?.files.values() ?? [])].every((file) => reader.cachedFile(file) !== undefined)).toBe(
    true,
  );
  const hash = createHash('sha256').update('round 0').digest('hex');
  expect(reader.cachedFile({ key: '', hash, size: 0 })).toBeUndefined();
  await app.close();
});
