// Describes which files a jot has and which blobs store them. Every deploy uses new names for its blobs.
import * as z from 'zod';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { toHex } from '../../crypto/encoding.ts';

export interface StoredFile {
  /** The key of the blob that stores the file. */
  key: string;
  /** The SHA-256 of the file. */
  hash: string;
  size: number;
}

/** A blob that has left the jot. A reader with an older manifest may still ask for it. */
export interface RetiredBlob {
  file: StoredFile;
  /** Unix seconds. */
  at: number;
}

export interface StoredBlob {
  key: string;
  size: number;
}

/** Names who published a version. */
export interface Publisher {
  /** The id of the actor. */
  id: string;
  /** The name of a named key or a client. */
  name: string | null;
}

export interface Version {
  /** Counts the versions of a jot from 1 on. */
  number: number;
  /** When it was published, in Unix seconds. Null for a jot from before versions were kept. */
  at: number | null;
  by: Publisher | null;
}

/** A version that can be made current again. */
export interface EarlierVersion extends Version {
  at: number;
  files: number;
  bytes: number;
  /** The manifest that had its files, and the size of that blob. */
  manifest: StoredBlob;
  /** What it looked like, if it had a picture when another version replaced it. */
  picture?: StoredBlob;
}

export interface Manifest {
  /** The files by their paths. */
  files: ReadonlyMap<string, StoredFile>;
  retired: readonly RetiredBlob[];
  current: Version;
  /** Begins with the version that was current last. */
  earlier: readonly EarlierVersion[];
}

/** The version of a jot that was published before versions were kept. */
const FIRST_VERSION: Version = { number: 1, at: null, by: null };

export const EMPTY_MANIFEST: Manifest = {
  files: new Map(),
  retired: [],
  current: { ...FIRST_VERSION, number: 0 },
  earlier: [],
};

export const JOTS_FOLDER = 'jots/';

/** Names the folder for the blobs of one deploy. The sweep reads the start of the deploy from the name. */
export function createDeployFolder(
  name: string,
  { clock, random }: { clock: Clock; random: Random },
): string {
  return `${JOTS_FOLDER}${name}/${clock.now().toString(36)}-${toHex(random.bytes(8))}/`;
}

/** Reads the jot and the start of the deploy from the key of a blob. Returns null for a key that no deploy made. */
export function parseBlobKey(key: string): { name: string; begun: number } | null {
  const [, name, begun] = /^jots\/([a-z0-9-]+)\/([0-9a-z]{1,12})-[0-9a-f]{16}\//.exec(key) ?? [];
  return name === undefined || begun === undefined ? null : { name, begun: Number.parseInt(begun, 36) };
}

const StoredVersion = z.object({
  number: z.number(),
  at: z.number().nullable(),
  by: z.object({ id: z.string(), name: z.string().nullable() }).nullable(),
});

const Blob = z.object({ key: z.string(), size: z.number() });

const StoredManifest = z.object({
  version: z.literal(1),
  /** Each tuple is path, key, hash and size. */
  files: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
  /** Each tuple is key, hash, size and time. */
  retired: z.array(z.tuple([z.string(), z.string(), z.number(), z.number()])),
  /** The versions are missing in a manifest from before they were kept. */
  current: StoredVersion.default(FIRST_VERSION),
  earlier: z
    .array(
      StoredVersion.extend({
        at: z.number(),
        files: z.number(),
        bytes: z.number(),
        manifest: Blob,
        picture: Blob.exactOptional(),
      }),
    )
    .default([]),
});

export function encodeManifest({ files, retired, current, earlier }: Manifest): Uint8Array<ArrayBuffer> {
  const json: z.infer<typeof StoredManifest> = {
    version: 1,
    files: [...files].map(([path, { key, hash, size }]) => [path, key, hash, size]),
    retired: retired.map(({ file: { key, hash, size }, at }) => [key, hash, size, at]),
    current,
    earlier: [...earlier],
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

export function decodeManifest(text: string): Manifest {
  const { files, retired, ...versions } = StoredManifest.parse(JSON.parse(text));
  return {
    ...versions,
    files: new Map(files.map(([path, key, hash, size]) => [path, { key, hash, size }])),
    retired: retired.map(([key, hash, size, at]) => ({ file: { key, hash, size }, at })),
  };
}

export function totalBytes({ files }: Pick<Manifest, 'files'>): number {
  let bytes = 0;
  for (const { size } of files.values()) bytes += size;
  return bytes;
}

/**
 * Returns the blobs that a new manifest may refer to, by hash: those of the jot, of its earlier versions, and those that
 * were retired lately.
 */
export function findReusable(
  { files, retired }: Manifest,
  earlier: Iterable<Pick<Manifest, 'files'>>,
  youngerThan: number,
): Map<string, StoredFile> {
  const known = new Map<string, StoredFile>();
  for (const { at, file } of retired) if (at > youngerThan) known.set(file.hash, file);
  for (const version of [...earlier, { files }])
    for (const file of version.files.values()) known.set(file.hash, file);
  return known;
}
