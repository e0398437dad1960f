// Removes blobs that no jot refers to. Never one that a deploy is about to refer to, never under a reader:
// - a blob's key holds the start of its deploy, and a deploy may only commit long before the sweep looks at its blobs;
// - a blob that has left a jot stands in its manifest as retired, and stays until it has been there for a while;
// - keys are never used again, so what is unreferenced and old at the start of a sweep is so for ever.
import { toHex } from '../../crypto/encoding.ts';
import type { Ports } from '../../ports/ports.ts';
import { JOT_RETIRED_SECONDS, JOT_STAGED_SECONDS, JOT_SWEEP_SECONDS } from '../../config/limits.ts';
import { JOTS_FOLDER, parseBlobKey } from '../manifest.ts';
import type { JotReader } from '../serving/reader.ts';

type Needs = Pick<Ports, 'blobs' | 'clock' | 'log' | 'random' | 'store'>;

export function createSweep(
  { blobs, clock, log, random, store }: Needs,
  reader: JotReader,
): () => Promise<void> {
  /** Null when it cannot be known: then everything of this jot stays. */
  async function keptBy(name: string, started: number): Promise<ReadonlySet<string> | null> {
    const jot = await store.jots.get(name);
    if (jot === null) return new Set();
    const manifest = await reader.manifest(jot);
    if (manifest === null) return null;
    const retired = manifest.retired.filter(({ at }) => at > started - JOT_RETIRED_SECONDS);
    const files = [...manifest.files.values(), ...retired.map(({ file }) => file)];
    return new Set([jot.manifest, ...files.map(({ key }) => key)]);
  }

  return async function sweep() {
    const started = clock.now();
    // Held to its end and never given back: one sweep an hour, whichever process makes it.
    const until = started + JOT_SWEEP_SECONDS;
    if (!(await store.leases.acquire('jots sweep', toHex(random.bytes(16)), started, until))) return;
    // A listing has the blobs of a jot one after the other; were it not so, its manifest would only be read again.
    let standing: { name: string; kept: ReadonlySet<string> | null } = { name: '', kept: null };
    let removed = 0;
    for await (const key of blobs.list(JOTS_FOLDER)) {
      const made = parseBlobKey(key);
      if (made === null || made.begun > started - JOT_STAGED_SECONDS) continue;
      if (standing.name !== made.name) standing = { name: made.name, kept: await keptBy(made.name, started) };
      if (standing.kept === null || standing.kept.has(key)) continue;
      await blobs.delete(key);
      removed++;
    }
    if (removed > 0) log.write('info', 'unreferenced blobs of jots removed', { removed });
  };
}
