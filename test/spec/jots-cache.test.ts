// Tests what the cache of manifests holds. reference: Jot serving
import { expect, it } from 'vitest';
import { encodeManifest, EMPTY_MANIFEST } from '../../src/jots/model/manifest.ts';
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
