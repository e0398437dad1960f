// Keeps a person's files for a day: sealed, streamed both ways, readable by their owner or by a link. reference: Files; decision: 035
import * as z from 'zod';
import {
  CHUNK_BYTES,
  createChunkKey,
  openChunkKey,
  openChunks,
  SEALED_CHUNK_BYTES,
  sealChunks,
} from '../crypto/sealed-chunks.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import { toStream } from '../http/to-stream.ts';
import type { FileObject } from '../kit/files.ts';
import type { Ports } from '../ports/ports.ts';
import { cleanName, cleanType } from './file-name.ts';
import {
  BYTES_FOLDER,
  createHandle,
  expiryOf,
  FILES_FOLDER,
  parseHandle,
  type ParsedHandle,
} from '../kit/file-handle.ts';
import { createFileLinks } from './links.ts';
import { createFileQuota } from './quota.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** What is stored sealed about a file. Files of earlier versions do not say whose they are. */
const About = z.object({
  name: z.string(),
  mimeType: z.string(),
  sha256: z.string(),
  key: z.string(),
  userId: z.string().optional(),
});
type About = z.infer<typeof About>;

export interface KeptFile extends Omit<FileObject, 'url'> {
  expiresAt: number;
}

export interface OpenFile extends KeptFile {
  /** Null when the bytes have just been deleted. */
  read: (offset: number, length: number) => Promise<ReadableStream<Bytes> | null>;
}

export interface NewFile {
  name?: string | undefined;
  /** The types that were given for it, the best first. */
  mimeTypes: readonly (string | undefined)[];
  /** The size, when it is known before. */
  announced?: number;
}

export interface Files {
  readonly maxBytes: number;
  /** Throws a FileRefused when there is no room. Nothing is stored then. */
  save(userId: string, body: AsyncIterable<Bytes>, file: NewFile): Promise<KeptFile>;
  /** Throws a FileRefused when a file of this size would not fit. */
  checkRoom(userId: string, bytes: number): Promise<void>;
  /** Null when the handle is unknown, expired or another person's. */
  find(userId: string, reference: string): Promise<OpenFile | null>;
  /** Null when the key is not that of a live link to the file, and while its owner is disabled. */
  findByLink(handle: string, key: string): Promise<OpenFile | null>;
  /** Shows a file with a fresh link. */
  show(userId: string, file: KeptFile): FileObject;
  /** Lists the live files, newest first, and what they take together. */
  list(userId: string, page: { offset: number; limit: number }): Promise<FileList>;
  /** False when there is no such file. */
  delete(userId: string, reference: string): Promise<boolean>;
  /** Deletes everything of the person. */
  deleteAll(userId: string): Promise<void>;
  sweep(): Promise<void>;
}

export interface FileList {
  files: KeptFile[];
  total: number;
  bytes: number;
}

type Needs = Pick<Ports, 'blobs' | 'clock' | 'config' | 'digest' | 'random' | 'store'> & { seal: Seal };

export function createFiles(deps: Needs): Files {
  const { blobs, clock, digest, random, seal, store } = deps;
  const quota = createFileQuota(deps);
  const links = createFileLinks(deps);
  // The folder of a person does not say who it is.
  const ownerOf = (userId: string): string => digest.sha256(`owner of files ${userId}`).slice(0, 32);
  const placeOfKey = (owner: string, bytesKey: string): Place => [owner, 'files', bytesKey];
  const placeOfAbout = (owner: string, handle: string): Place => [owner, 'files', handle];
  const keyOf = (owner: string, handle: string): string => `${FILES_FOLDER}${owner}/${handle}`;

  async function remove(owner: string, { handle, bytesKey }: ParsedHandle): Promise<void> {
    await blobs.delete(keyOf(owner, handle));
    await blobs.delete(bytesKey);
  }

  async function readAbout(owner: string, handle: string): Promise<About | null> {
    const stored = await blobs.get(keyOf(owner, handle));
    if (stored === null) return null;
    const opened = await seal.open(await new Response(stored.body).text(), placeOfAbout(owner, handle));
    return opened === null ? null : About.parse(JSON.parse(opened));
  }

  async function open(
    owner: string,
    reference: string,
    mayOpen: (about: About) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<OpenFile | null> {
    const parsed = parseHandle(reference);
    if (parsed === null || parsed.expiresAt <= clock.now()) return null;
    const about = await readAbout(owner, parsed.handle);
    if (about === null || !(await mayOpen(about))) return null;
    const { name, mimeType, sha256 } = about;
    const { handle, bytes, expiresAt } = parsed;
    return {
      handle,
      name,
      mimeType,
      bytes,
      sha256,
      expiresAt,
      read: (offset, length) => readBytes(owner, parsed, about.key, offset, length),
    };
  }

  /** A link needs no credential, so nothing else asks whether the owner may use the gateway. */
  async function isOwnerIn({ userId }: About): Promise<boolean> {
    return userId === undefined || (await store.users.byId(userId))?.disabled_at === null;
  }

  async function readBytes(
    owner: string,
    { bytes, bytesKey }: ParsedHandle,
    sealedKey: string,
    offset: number,
    length: number,
  ): Promise<ReadableStream<Bytes> | null> {
    const key = await openChunkKey(seal, sealedKey, placeOfKey(owner, bytesKey));
    if (key === null) return null;
    const all = Math.max(1, Math.ceil(bytes / CHUNK_BYTES));
    const first = Math.floor(offset / CHUNK_BYTES);
    const end = Math.min(all, Math.max(first + 1, Math.ceil((offset + length) / CHUNK_BYTES)));
    const range = { offset: first * SEALED_CHUNK_BYTES, length: (end - first) * SEALED_CHUNK_BYTES };
    const stored = await blobs.get(bytesKey, range);
    if (stored === null) return null;
    const opened = openChunks(key, stored.body, { first, end, all });
    return toStream(cut(opened, offset - first * CHUNK_BYTES, length));
  }

  return {
    maxBytes: quota.maxBytes,

    async save(userId, body, { name: givenName, mimeTypes, announced = 0 }) {
      const owner = ownerOf(userId);
      const share = await quota.open(owner, announced);
      const { bytesKey, finish } = createHandle(deps);
      try {
        const key = await createChunkKey(seal, random, placeOfKey(owner, bytesKey));
        const hash = digest.start();
        let bytes = 0;
        const counted = async function* () {
          for await (const piece of body) {
            share.add(piece.length);
            bytes += piece.length;
            hash.update(piece);
            yield piece;
          }
        };
        await blobs.put(bytesKey, toStream(sealChunks(key, counted())));
        const handle = finish(bytes);
        const name = cleanName(givenName);
        const mimeType = cleanType(name, ...mimeTypes);
        const sha256 = hash.hex();
        const about: About = { name, mimeType, sha256, key: key.sealedKey, userId };
        const sealed = await seal.seal(JSON.stringify(about), placeOfAbout(owner, handle));
        await blobs.put(keyOf(owner, handle), new TextEncoder().encode(sealed));
        const expiresAt = expiryOf(handle) ?? 0;
        try {
          await share.confirm();
        } catch (error) {
          await blobs.delete(keyOf(owner, handle));
          throw error;
        }
        return { handle, name, mimeType, bytes, sha256, expiresAt };
      } catch (error) {
        // The sweep removes what cannot be deleted now.
        await blobs.delete(bytesKey).catch(() => {});
        throw error;
      } finally {
        share.close();
      }
    },

    checkRoom: (userId, bytes) => quota.check(ownerOf(userId), bytes),
    find: (userId, reference) => open(ownerOf(userId), reference),

    async findByLink(handle, key) {
      const owner = await links.open(handle, key);
      return owner === null ? null : open(owner, handle, isOwnerIn);
    },

    show(userId, file) {
      const { handle, name, mimeType, bytes, sha256 } = file;
      return { handle, name, mimeType, bytes, sha256, url: links.create(ownerOf(userId), file) };
    },

    async list(userId, { offset, limit }) {
      const owner = ownerOf(userId);
      const all = await quota.list(owner);
      const newest = all.toSorted((one, other) => other.expiresAt - one.expiresAt);
      const files: KeptFile[] = [];
      for (const { handle } of newest.slice(offset, offset + limit)) {
        const file = await open(owner, handle);
        if (file === null) continue;
        const { read: _, ...kept } = file;
        files.push(kept);
      }
      return { files, total: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
    },

    async delete(userId, reference) {
      const owner = ownerOf(userId);
      const parsed = parseHandle(reference);
      // Only what opens for this person may be deleted: the key of the bytes does not name its owner.
      if (parsed === null || (await open(owner, reference)) === null) return false;
      await remove(owner, parsed);
      return true;
    },

    async deleteAll(userId) {
      const owner = ownerOf(userId);
      const folder = keyOf(owner, '');
      for await (const key of blobs.list(folder)) {
        const parsed = parseHandle(key.slice(folder.length));
        if (parsed !== null) await blobs.delete(parsed.bytesKey);
        await blobs.delete(key);
      }
    },

    async sweep() {
      const now = clock.now();
      for (const folder of [FILES_FOLDER, BYTES_FOLDER])
        for await (const key of blobs.list(folder)) if ((expiryOf(key) ?? 0) <= now) await blobs.delete(key);
    },
  };
}

/** Leaves out what is before the offset and after the length. */
async function* cut(pieces: AsyncIterable<Bytes>, offset: number, length: number): AsyncGenerator<Bytes> {
  let skip = offset;
  let left = length;
  for await (const piece of pieces) {
    const part = piece.subarray(skip, skip + left);
    skip = Math.max(0, skip - piece.length);
    left -= part.length;
    if (part.length > 0) yield part;
  }
}

export const UNKNOWN_FILE = 'This file is unknown or has expired';
