// Decides which earlier versions a jot keeps, what they take, and which blobs leave the jot. decision: 047
import { JOT_RETIRED_SECONDS, JOT_STAGED_SECONDS, JOT_VERSIONS } from '../model/limits.ts';
import {
  type EarlierVersion,
  encodeManifest,
  type Manifest,
  parseBlobKey,
  type RetiredBlob,
  type StoredBlob,
  type StoredFile,
  totalBytes,
  type Version,
} from '../model/manifest.ts';
import { weigh } from './leftover.ts';
import type { Live } from './live.ts';

type Files = ReadonlyMap<string, StoredFile>;

export interface NextManifest {
  manifest: Manifest;
  /** What the kept versions take besides the files of the live one. */
  heldBytes: number;
  /** The blobs that leave the jot with this write. */
  left: readonly StoredFile[];
}

interface Change {
  files: Files;
  current: Version;
  now: number;
  /** What the earlier versions of this jot may take. */
  room: number;
  /** The picture of the version that was live until now. */
  picture: StoredBlob | null;
  /** The key of the picture that the live version has from now on. */
  thumbnail: string | null;
}

/** Makes the manifest that follows the live one. */
export function planNext(
  { jot, manifest: old, earlier: manifests }: Live,
  { files, current, now, room, picture, thumbnail }: Change,
): NextManifest {
  const before = new Map<string, StoredFile>();
  const note = (kept: Files, manifest: StoredBlob, image?: StoredBlob) => {
    for (const file of kept.values()) before.set(file.key, file);
    for (const blob of [manifest, image ?? []].flat()) before.set(blob.key, { ...blob, hash: '' });
  };
  const candidates: [EarlierVersion, Files][] = [];
  if (jot !== null) {
    const manifest = { key: jot.manifest, size: encodeManifest(old).length };
    note(old.files, manifest);
    const shape = { files: old.files.size, bytes: totalBytes(old), manifest };
    const at = old.current.at ?? jot.updated_at;
    const version = { ...old.current, at, ...shape, ...(picture === null ? {} : { picture }) };
    if (old.current.number !== current.number && old.files.size > 0) candidates.push([version, old.files]);
  }
  for (const version of old.earlier) {
    const found = manifests.get(version.manifest.key);
    note(found?.files ?? new Map(), version.manifest, version.picture);
    if (found !== undefined && version.number !== current.number) candidates.push([version, found.files]);
  }

  const used = new Set([...files.values()].map(({ key }) => key));
  if (thumbnail !== null) used.add(thumbnail);
  const earlier: EarlierVersion[] = [];
  let heldBytes = 0;
  for (const [version, kept] of candidates) {
    const added = new Map(
      [...kept.values()].filter(({ key }) => !used.has(key)).map(({ key, size }) => [key, size]),
    );
    if (version.picture !== undefined) added.set(version.picture.key, version.picture.size);
    let weight = weigh(1, version.manifest.size);
    for (const size of added.values()) weight += weigh(1, size);
    // The versions behind it are older: keeping one of them instead would leave a gap.
    if (earlier.length + 1 >= JOT_VERSIONS || heldBytes + weight > room) break;
    heldBytes += weight;
    earlier.push(version);
    for (const key of added.keys()) used.add(key);
    used.add(version.manifest.key);
  }

  const left = [...before.values()].filter(({ key }) => !used.has(key));
  return { manifest: { files, current, earlier, retired: retire(old, left, used, now) }, heldBytes, left };
}

/**
 * Retires the blobs that leave, and forgets those that were retired long ago. The sweep looks at no blob on its first day,
 * so a young one needs no entry. Without this the manifest of a jot that is published every second would grow for an hour.
 * Half a day is left for clocks that differ.
 */
function retire(
  old: Manifest,
  left: readonly StoredFile[],
  used: ReadonlySet<string>,
  now: number,
): RetiredBlob[] {
  const retired = new Map<string, RetiredBlob>();
  for (const blob of old.retired) if (blob.at > now - JOT_RETIRED_SECONDS) retired.set(blob.file.key, blob);
  for (const file of left) retired.set(file.key, { file, at: now });
  const isYoung = (key: string) => (parseBlobKey(key)?.begun ?? 0) > now - JOT_STAGED_SECONDS / 2;
  return [...retired.values()].filter(({ file }) => !used.has(file.key) && !isYoung(file.key));
}

/** A deploy of the very files that are live makes no version. */
export function isSameTree(one: Files, other: Files): boolean {
  return one.size === other.size && [...one].every(([path, { key }]) => other.get(path)?.key === key);
}
