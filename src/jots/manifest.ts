// Describes which files a jot has and which blobs store them. Every deploy uses new names for its blobs.
import * as z from 'zod';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { toHex } from '../crypto/encoding.ts';

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

export interface Manifest {
  /** The files by their paths. */
  files: ReadonlyMap<string, StoredFile>;
  retired: readonly RetiredBlob[];
}

export const EMPTY_MANIFEST: Manifest = { files: new Map(), retired: [] };

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

const StoredManifest = z.object({
  version: z.literal(1),
  /** Each tuple is path, key, hash and size. */
  files: z.array(z.tuple([z.string(), z.string(), z.string(), z.number()])),
  /** Each tuple is key, hash, size and time. */
  retired: z.array(z.tuple([z.string(), z.string(), z.number(), z.number()])),
});

export function encodeManifest({ files, retired }: Manifest): Uint8Array<ArrayBuffer> {
  const json: z.infer<typeof StoredManifest> = {
    version: 1,
    files: [...files].map(([path, { key, hash, size }]) => [path, key, hash, size]),
    retired: retired.map(({ file: { key, hash, size }, at }) => [key, hash, size, at]),
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

export function decodeManifest(text: string): Manifest {
  const { files, retired } = StoredManifest.parse(JSON.parse(text));
  return {
    files: new Map(files.map(([path, key, hash, size]) => [path, { key, hash, size }])),
    retired: retired.map(([key, hash, size, at]) => ({ file: { key, hash, size }, at })),
  };
}

export function totalBytes({ files }: Pick<Manifest, 'files'>): number {
  let bytes = 0;
  for (const { size } of files.values()) bytes += size;
  return bytes;
}

/** Returns the blobs that a new manifest may refer to, by hash: those of the jot, and those that were retired lately. */
export function findReusable({ files, retired }: Manifest, youngerThan: number): Map<string, StoredFile> {
  const young = retired.filter(({ at }) => at > youngerThan).map(({ file }) => file);
  return new Map([...young, ...files.values()].map((file) => [file.hash, file]));
}
