// Says what a write of a jot leaves behind, and when the sweep has removed it. reference: Limits per person; decision: 047
import { JOT_RETIRED_SECONDS, JOT_STAGED_SECONDS, JOT_SWEEP_SECONDS } from '../model/limits.ts';
import type { Jot } from '../../ports/records.ts';
import type { Leftover } from '../../ports/store.ts';
import { parseBlobKey, type StoredFile } from '../model/manifest.ts';

/** What a file takes besides its bytes: its block on the disk and its line in the manifest. */
const FILE_BYTES = 4096;
const HOUR = 3_600;

/** The bytes that files of this total size count as. */
export const weigh = (files: number, bytes: number): number => bytes + files * FILE_BYTES;

/** What a jot leaves behind when these blobs leave it. */
export function leftoverOf(left: readonly StoredFile[], now: number): Leftover | undefined {
  if (left.length === 0) return undefined;
  let bytes = 0;
  let until = 0;
  for (const { key, size } of left) {
    bytes += weigh(1, size);
    until = Math.max(until, removedBy(key, now + JOT_RETIRED_SECONDS));
  }
  return { bytes, until };
}

export const leftoverOfDeletion = ({ files, bytes, held_bytes, manifest }: Jot, now: number): Leftover => ({
  bytes: weigh(files, bytes) + held_bytes,
  until: removedBy(manifest, now),
});

/** The sweep looks at a blob a day after its deploy, and not before `earliest`. Full hours keep the rows of a person few. */
function removedBy(key: string, earliest: number): number {
  const begun = parseBlobKey(key)?.begun ?? earliest;
  const latest = Math.max(earliest, begun + JOT_STAGED_SECONDS) + JOT_SWEEP_SECONDS;
  return Math.ceil(latest / HOUR) * HOUR;
}
