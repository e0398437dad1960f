// Removes the blobs that no jot refers to. It must not remove a blob that a deploy or a reader still needs:
// - The key of a blob contains the start of its deploy. The sweep skips blobs of deploys that may still commit.
// - The manifest names the earlier versions that are kept. The sweep keeps their manifests and files.
// - The manifest lists a blob that has left the jot as retired. The sweep keeps it while a reader may still ask for it.
// - Keys are never used again, so a blob that is old and unreferenced at the start of a sweep stays unreferenced.
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { JOT_RETIRED_SECONDS, JOT_STAGED_SECONDS, JOT_SWEEP_SECONDS } from '../model/limits.ts';
import { JOTS_FOLDER, parseBlobKey } from '../model/manifest.ts';
import type { JotReader } from '../serving/reader.ts';
import { readEarlier } from './live.ts';

type Needs = Pick<Ports, 'blobs' | 'clock' | 'log' | 'random' | 'store'>;

export function createSweep(
  { blobs, clock, log, random, store }: Needs,
  reader: JotReader,
): () => Promise<void> {
  /** Resolves to null where the manifest cannot be read: then all blobs of the jot stay. */
  async function findKeptKeys(name: string, started: number): Promise<ReadonlySet<string> | null> {
    const jot = await store.jots.get(name);
    if (jot === null) return new Set();
    const manifest = await reader.readManifest(jot);
    if (manifest === null) return null;
    const retired = manifest.retired.filter(({ at }) => at > started - JOT_RETIRED_SECONDS);
    const earlier = await readEarlier(reader, manifest);
    // Without its manifest nobody knows which blobs a version needs, so all of them stay.
    if (earlier.size < manifest.earlier.length) return null;
    const files = [manifest, ...earlier.values()].flatMap((version) => [...version.files.values()]);
    const kept = [...files, ...retired.map(({ file }) => file), ...earlier.keys().map((key) => ({ key }))];
    const pictures = manifest.earlier.map(({ picture }) => picture?.key ?? '');
    return new Set([jot.manifest, jot.thumbnail ?? '', ...pictures, ...kept.map(({ key }) => key)]);
  }

  return async function sweep() {
    const started = clock.now();
    // Nobody releases this lease, so all processes together make one sweep in this time.
    const until = started + JOT_SWEEP_SECONDS;
    if (!(await store.leases.acquire('jots sweep', toHex(random.bytes(16)), started, until))) return;
    // Listings are sorted by key, so it is enough to remember the jot of the previous key.
    let current: { name: string; kept: ReadonlySet<string> | null } = { name: '', kept: null };
    let removed = 0;
    for await (const key of blobs.list(JOTS_FOLDER)) {
      const made = parseBlobKey(key);
      if (made === null || made.begun > started - JOT_STAGED_SECONDS) continue;
      if (current.name !== made.name)
        current = { name: made.name, kept: await findKeptKeys(made.name, started) };
      if (current.kept === null || current.kept.has(key)) continue;
      await blobs.delete(key);
      removed++;
    }
    if (removed > 0) log.write('info', 'unreferenced blobs of jots removed', { removed });
  };
}
