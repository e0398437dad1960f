// Stores the whole result behind a truncated one: sealed, for an hour, for the caller that was given it. decision: 032
import * as z from 'zod';
import type { Ports } from '../../ports/ports.ts';
import {
  CHUNK_BYTES,
  type ChunkKey,
  createChunkKey,
  measureSealed,
  openChunkKey,
  sealChunks,
  SEALED_CHUNK_BYTES,
} from '../../crypto/sealed-chunks.ts';
import type { Place, Seal } from '../../crypto/seal.ts';
import { readStream } from '../../http/request-body.ts';
import { toHex } from '../../crypto/encoding.ts';
import { STORED_RESULT_BYTES, STORED_RESULT_SECONDS } from './limits.ts';
import type { Caller, KnownCaller } from '../../kit/integration.ts';
import type { Lease } from '../../memory/budget.ts';
import { readIndexedPage } from './indexed-page.ts';
import { isLargeNode, type JsonPieces, type LargeNode } from './json-pieces.ts';
import { type PageRequest, readPage, type ResultPage } from './result-page.ts';
import { createResultQuota } from './result-quota.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const FOLDER = 'results/';
const HANDLE = /^r-([0-9a-z]{1,12})-[0-9a-f]{32}$/;
/** A blob in chunks begins with this, its sealed key and a line end. Version 0.1 stored one sealed text: `v1.…`. */
const CHUNKED = 'chunks.';
const MAX_HEAD_BYTES = 512;
const TRAILER_BYTES = 4;
/** Bounds what a page holds that looks for a member through many chunks. */
const MAX_OPEN_CHUNKS = 4;
/** Estimates what a piece takes in the index besides its key. */
const INDEX_ENTRY_BYTES = 64;
const encoder = new TextEncoder();
// A piece may begin with U+FEFF, which is a byte order mark only at the beginning of a document.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Says who was given a result, and which tools it is from. */
const Origin = z.object({ caller: z.string(), tools: z.array(z.string()) });
export type Origin = z.infer<typeof Origin>;

export interface Reader extends Caller {
  /** Decides about a result of the person. Null for one of version 0.1 or 0.2, which is gone an hour after the upgrade. */
  mayRead: (origin: Origin | null) => Promise<boolean>;
}

export interface StoredResults {
  /** Takes pieces for as long as they fit. What fits is stored as valid JSON. Returns a handle. */
  save(
    caller: Caller & Pick<KnownCaller, 'actor'>,
    pieces: JsonPieces,
    tools: string[],
  ): Promise<{ handle: string; isWhole: boolean }>;
  /** Returns null when the handle is unknown, expired, another user's or none that the reader may read. */
  page(reader: Reader, handle: string, request: PageRequest): Promise<ResultPage | null>;
  /** Deletes everything of the person. */
  deleteAll(userId: string): Promise<void>;
  /** The bytes of the person's results that this process has stored. */
  used(userId: string): number;
  sweep(): Promise<void>;
}

/** What is stored after the text: where each piece ends, which members are in which piece, and where all of it is from. */
const Index = z.object({
  root: z.custom<LargeNode>(isLargeNode),
  ends: z.array(z.number()),
  origin: Origin.optional(),
});
type Index = z.infer<typeof Index>;

export function createStoredResults(
  deps: Pick<Ports, 'blobs' | 'clock' | 'config' | 'digest' | 'random'> & { seal: Seal },
): StoredResults {
  const { blobs, clock, config, digest, random, seal } = deps;
  // The folder of a person does not say who it is.
  const folderOf = (userId: string): string =>
    `${FOLDER}${digest.sha256(`owner of results ${userId}`).slice(0, 32)}/`;
  const quota = createResultQuota(config.PERSON_MAX_RESULT_BYTES, clock);

  function isLive(handle: string): boolean {
    const expiry = HANDLE.exec(handle)?.[1];
    return expiry !== undefined && Number.parseInt(expiry, 36) > clock.now();
  }

  /** Reads opened bytes of a blob, a chunk at a time. */
  function createReader(
    { lease, signal }: Caller,
    blobKey: string,
    head: number,
    size: number,
    key: ChunkKey,
  ) {
    const { chunks, bytes: length } = measureSealed(size - head);
    const known = new Map<number, { bytes: Bytes; held: Lease | undefined }>();

    async function openChunk(index: number): Promise<Bytes> {
      const opened = known.get(index);
      if (opened !== undefined) return opened.bytes;
      const offset = head + index * SEALED_CHUNK_BYTES;
      const blob = await blobs.get(blobKey, { offset, length: SEALED_CHUNK_BYTES });
      if (blob === null) throw new Unreadable();
      const sealed = new Uint8Array(await new Response(blob.body).arrayBuffer());
      const bytes = await key.open(sealed, index, index === chunks - 1);
      if (bytes === null) throw new Unreadable();
      for (const [oldest, { held }] of known) {
        if (known.size < MAX_OPEN_CHUNKS) break;
        known.delete(oldest);
        held?.close();
      }
      const held = lease?.child();
      held?.chargeRead(bytes);
      known.set(index, { bytes, held });
      await lease?.waitForSpace(signal);
      return bytes;
    }

    return {
      length,
      async read(start: number, end: number): Promise<Bytes> {
        const bytes = new Uint8Array(end - start);
        for (let at = start; at < end;) {
          const index = Math.floor(at / CHUNK_BYTES);
          const from = at - index * CHUNK_BYTES;
          const part = (await openChunk(index)).subarray(from, from + end - at);
          if (part.length === 0) throw new Unreadable();
          bytes.set(part, at - start);
          at += part.length;
        }
        return bytes;
      },
    };
  }

  async function readChunkedPage(
    caller: Reader,
    blobKey: string,
    { key, head, size }: { key: ChunkKey; head: number; size: number },
    request: PageRequest,
  ): Promise<ResultPage> {
    const reader = createReader(caller, blobKey, head, size, key);
    const { length } = reader;
    if (length < TRAILER_BYTES) throw new Unreadable();
    // The trailer is in the last chunk, so each page proves that nothing is missing at the end.
    const trailer = await reader.read(length - TRAILER_BYTES, length);
    const textBytes = new DataView(trailer.buffer).getUint32(0);
    const indexBytes = await reader.read(textBytes, length - TRAILER_BYTES);
    caller.lease?.chargeRead(indexBytes);
    const { root, ends, origin = null } = Index.parse(JSON.parse(decoder.decode(indexBytes)));
    if (!(await caller.mayRead(origin))) throw new Unreadable();
    const piece = async (number: number) =>
      decoder.decode(await reader.read(ends[number - 1] ?? 0, ends[number] ?? 0));
    return readIndexedPage({ root, piece }, request);
  }

  /** Reads what version 0.1 stored: one sealed text. */
  async function readWholePage(
    { lease, signal, mayRead }: Reader,
    blobKey: string,
    place: Place,
    request: PageRequest,
  ): Promise<ResultPage | null> {
    if (!(await mayRead(null))) return null;
    const stored = await blobs.get(blobKey);
    if (stored === null) return null;
    const json = await seal.open(await readStream({ body: stored.body, signal }, Infinity, lease), place);
    if (json === null) return null;
    lease?.chargeRead(encoder.encode(json));
    await lease?.waitForSpace(signal);
    return readPage(JSON.parse(json), request);
  }

  async function findHead(userId: string, handle: string) {
    // An older version has no folders of people. Its results are gone an hour after the upgrade.
    for (const blobKey of [`${folderOf(userId)}${handle}`, `${FOLDER}${handle}`]) {
      const stored = await blobs.get(blobKey, { offset: 0, length: MAX_HEAD_BYTES });
      if (stored !== null) return { blobKey, stored };
    }
    return null;
  }

  return {
    used: (userId) => quota.used(userId),

    async save({ userId, actor, lease, signal }, pieces, tools) {
      // The expiry is part of the name, so that reads and sweeps need not open the result.
      const handle = `r-${(clock.now() + STORED_RESULT_SECONDS).toString(36)}-${toHex(random.bytes(16))}`;
      const key = await createChunkKey(seal, random, [userId, '', handle]);
      const text = encodePieces(pieces, { caller: actor.id, tools });
      // The store may hold everything that it was given until the end.
      const held = lease?.child();
      try {
        const body = streamOf(sealText(key, text.bytes()), async (chunk) => {
          held?.charge(chunk.length);
          await held?.waitForSpace(signal);
        });
        const { size } = await blobs.put(`${folderOf(userId)}${handle}`, body);
        const expiresAt = clock.now() + STORED_RESULT_SECONDS;
        // The sweep removes what cannot be deleted now.
        for (const old of quota.add(userId, handle, size, expiresAt))
          await blobs.delete(`${folderOf(userId)}${old}`).catch(() => {});
        return { handle, isWhole: text.isWhole() };
      } finally {
        held?.close();
      }
    },

    async page(caller, handle, request) {
      if (!isLive(handle)) return null;
      const place: Place = [caller.userId, '', handle];
      const found = await findHead(caller.userId, handle);
      if (found === null) return null;
      const { blobKey, stored } = found;
      const start = new Uint8Array(await new Response(stored.body).arrayBuffer());
      const [first = ''] = decoder.decode(start).split('\n', 1);
      if (!first.startsWith(CHUNKED)) return readWholePage(caller, blobKey, place, request);
      const key = await openChunkKey(seal, first.slice(CHUNKED.length), place);
      if (key === null) return null;
      try {
        const blob = { key, head: first.length + 1, size: stored.size };
        return await readChunkedPage(caller, blobKey, blob, request);
      } catch (error) {
        if (error instanceof Unreadable) return null;
        throw error;
      }
    },

    async deleteAll(userId) {
      for await (const key of blobs.list(folderOf(userId))) await blobs.delete(key);
    },

    async sweep() {
      for await (const key of blobs.list(FOLDER)) {
        if (!isLive(key.slice(key.lastIndexOf('/') + 1))) await blobs.delete(key);
      }
    },
  };
}

/** A chunk is missing or damaged, or the reader may not read the result. */
class Unreadable extends Error {}

/** Yields the text, the index and the trailer. */
function encodePieces(pieces: JsonPieces, origin: Origin): { bytes(): Generator<Bytes>; isWhole(): boolean } {
  const ends: number[] = [];
  let isWhole = false;

  function* bytes(): Generator<Bytes> {
    let used = 0;
    let textBytes = 0;
    for (;;) {
      const ending = pieces.ending();
      const piece = pieces.next();
      isWhole = piece === null;
      if (piece === null) break;
      const encoded = encoder.encode(piece.text);
      used += encoded.length + INDEX_ENTRY_BYTES;
      if (used + ending.length > STORED_RESULT_BYTES) {
        yield encoder.encode(ending);
        textBytes += ending.length;
        break;
      }
      piece.commit(ends.length);
      textBytes += encoded.length;
      ends.push(textBytes);
      yield encoded;
    }
    const index: Index = { root: pieces.root, ends, origin };
    yield encoder.encode(JSON.stringify(index));
    const trailer = new Uint8Array(TRAILER_BYTES);
    new DataView(trailer.buffer).setUint32(0, textBytes);
    yield trailer;
  }

  return { bytes, isWhole: () => isWhole };
}

async function* sealText(key: ChunkKey, parts: Iterable<Bytes>): AsyncGenerator<Bytes> {
  yield encoder.encode(`${CHUNKED}${key.sealedKey}\n`);
  yield* sealChunks(key, parts);
}

function streamOf(
  chunks: AsyncGenerator<Bytes>,
  before: (chunk: Bytes) => Promise<void>,
): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) return controller.close();
        await before(next.value);
        controller.enqueue(next.value);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
