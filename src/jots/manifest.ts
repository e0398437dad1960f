// Which files a jot has and which blobs hold them. A blob is named by the deploy that made it and never again.
import * as z from 'zod';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { toHex } from '../crypto/encoding.ts';

export interface StoredFile {
  /** Key of its blob. */
  key: string;
  /** SHA-256 of its bytes. */
  hash: string;
  size: number;
}

/** No longer in the jot, but somebody who has just read the manifest before may still ask for it. */
export interface RetiredBlob {
  file: StoredFile;
  /** Since when. */
  at: number;
}

export interface Manifest {
  /** By path. */
  files: ReadonlyMap<string, StoredFile>;
  retired: readonly RetiredBlob[];
}

export const EMPTY_MANIFEST: Manifest = { files: new Map(), retired: [] };

export const JOTS_FOLDER = 'jots/';
const folderOf = (name: string): string => `${JOTS_FOLDER}${name}/`;

/** Where one deploy of a jot puts its blobs. The time it began stands in the key, so that a sweep need not open any. */
export function createDeployFolder(
  name: string,
  { clock, random }: { clock: Clock; random: Random },
): string {
  return `${folderOf(name)}${clock.now().toString(36)}-${toHex(random.bytes(8))}/`;
}

/** The jot and the start of the deploy that a blob belongs to; null for a key that no deploy has made. */
export function parseBlobKey(key: string): { name: string; begun: number } | null {
  const [, name, begun] = /^jots\/([a-z0-9-]+)\/([0-9a-z]{1,12})-[0-9a-f]{16}\//.exec(key) ?? [];
  return name === undefined || begun === undefined ? null : { name, begun: Number.parseInt(begun, 36) };
}

const Row = z.tuple([z.string(), z.string(), z.string(), z.number()]);
const Json = z.object({
  version: z.literal(1),
  /** Path, key, hash, size. */
  files: z.array(Row),
  /** Key, hash, size, since when. */
  retired: z.array(z.tuple([z.string(), z.string(), z.number(), z.number()])),
});

export function encodeManifest({ files, retired }: Manifest): Uint8Array<ArrayBuffer> {
  const json: z.infer<typeof Json> = {
    version: 1,
    files: [...files].map(([path, { key, hash, size }]) => [path, key, hash, size]),
    retired: retired.map(({ file: { key, hash, size }, at }) => [key, hash, size, at]),
  };
  return new TextEncoder().encode(JSON.stringify(json));
}

export function decodeManifest(text: string): Manifest {
  const { files, retired } = Json.parse(JSON.parse(text));
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

/** By hash, every blob that may be referred to again: of a file of the jot, or retired not long ago. */
export function findReusable({ files, retired }: Manifest, youngerThan: number): Map<string, StoredFile> {
  const young = retired.filter(({ at }) => at > youngerThan).map(({ file }) => file);
  return new Map([...young, ...files.values()].map((file) => [file.hash, file]));
}
