// Reads what a jot is now: its row, its manifest and its earlier versions.
import { JOT_RETIRED_SECONDS } from '../model/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Jot } from '../../ports/records.ts';
import type { JotRecords } from '../model/jot-records.ts';
import type { Blobs } from '../../ports/blobs.ts';
import {
  EMPTY_MANIFEST,
  findReusable,
  type Manifest,
  type StoredBlob,
  type StoredFile,
} from '../model/manifest.ts';
import type { JotReader } from '../serving/reader.ts';

export interface Live {
  /** Null where there is no jot. */
  jot: Jot | null;
  /** Empty where there is no jot, and where the manifest is lost. */
  manifest: Manifest;
  /** The manifest of the jot cannot be read. */
  isLost: boolean;
  /** The manifests of the earlier versions, by their keys. A version whose manifest is lost is not there. */
  earlier: ReadonlyMap<string, Manifest>;
  /** The blobs that the next manifest may refer to, by hash. */
  known: ReadonlyMap<string, StoredFile>;
}

export type ReadLive = (name: string) => Promise<Live>;

export function createReadLive({
  clock,
  reader,
  records,
}: {
  clock: Clock;
  reader: JotReader;
  records: Pick<JotRecords, 'get'>;
}): ReadLive {
  return async function readLive(name) {
    const jot = await records.get(name);
    const found = jot === null ? EMPTY_MANIFEST : await reader.readManifest(jot);
    const manifest = found ?? EMPTY_MANIFEST;
    const earlier = await readEarlier(reader, manifest);
    // The sweep keeps retired blobs twice as long, so a blob that is used again cannot be about to go.
    const known = findReusable(manifest, earlier.values(), clock.now() - JOT_RETIRED_SECONDS / 2);
    return { jot, manifest, isLost: found === null, earlier, known };
  };
}

/** Finds the picture of the live version, with its size. Null where it has none. */
export async function findPicture(blobs: Pick<Blobs, 'get'>, jot: Jot | null): Promise<StoredBlob | null> {
  const key = jot?.thumbnail ?? null;
  const found = key === null ? null : await blobs.get(key, { offset: 0, length: 1 });
  await found?.body.cancel();
  return key === null || found === null ? null : { key, size: found.size };
}

/** Reads the manifests of the earlier versions, by their keys. */
export async function readEarlier(
  reader: JotReader,
  { earlier }: Pick<Manifest, 'earlier'>,
): Promise<Map<string, Manifest>> {
  const read = await Promise.all(
    earlier.map(
      async ({ manifest: { key } }) => [key, await reader.readManifest({ manifest: key })] as const,
    ),
  );
  return new Map(read.flatMap(([key, manifest]) => (manifest === null ? [] : [[key, manifest] as const])));
}
