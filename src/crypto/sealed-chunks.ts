// Seals a long text in chunks, so that a part can be opened alone. decision: 032
import type { Random } from '../ports/random.ts';
import { fromHex, toHex } from './encoding.ts';
import type { Place, Seal } from './seal.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Every chunk but the last has this many bytes before it is sealed. */
export const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const IV_BYTES = 12;

export const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;

export interface ChunkKey {
  /** The key itself, sealed for its place. */
  sealedKey: string;
  seal(chunk: Bytes, index: number, isLast: boolean): Promise<Bytes>;
  /** Returns null for a chunk that was changed, moved, or is not the last one although it should be. */
  open(sealed: Bytes, index: number, isLast: boolean): Promise<Bytes | null>;
}

/** Makes a new key for one text. The seal binds the key, and so every chunk, to the place. */
export async function createChunkKey(seal: Seal, random: Random, place: Place): Promise<ChunkKey> {
  const key = random.bytes(KEY_BYTES);
  return bindKey(key, await seal.seal(toHex(key), place));
}

/** Returns null when the key does not open at this place. */
export async function openChunkKey(seal: Seal, sealedKey: string, place: Place): Promise<ChunkKey | null> {
  const key = await seal.open(sealedKey, place);
  return key === null ? null : bindKey(fromHex(key), sealedKey);
}

/** Returns how many chunks these sealed bytes are, and how many bytes they are when opened. */
export function measureSealed(sealedBytes: number): { chunks: number; bytes: number } {
  const chunks = Math.ceil(sealedBytes / SEALED_CHUNK_BYTES);
  return { chunks, bytes: sealedBytes - chunks * TAG_BYTES };
}

/** Seals a text that arrives in pieces of any size. It holds one chunk. */
export async function* sealChunks(
  key: ChunkKey,
  pieces: Iterable<Bytes> | AsyncIterable<Bytes>,
): AsyncGenerator<Bytes> {
  const chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  let index = 0;
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      // A full chunk waits for the next byte, because only then it is known not to be the last one.
      if (filled === CHUNK_BYTES) {
        yield await key.seal(chunk, index++, false);
        filled = 0;
      }
      const taken = piece.subarray(at, at + CHUNK_BYTES - filled);
      chunk.set(taken, filled);
      filled += taken.length;
      at += taken.length;
    }
  }
  yield await key.seal(chunk.slice(0, filled), index, true);
}

/** Opens consecutive chunks, which arrive in pieces of any size. Throws for a chunk that is missing or does not open. */
export async function* openChunks(
  key: ChunkKey,
  sealed: AsyncIterable<Bytes>,
  { first, end, all }: { first: number; end: number; all: number },
): AsyncGenerator<Bytes> {
  const chunk = new Uint8Array(SEALED_CHUNK_BYTES);
  let filled = 0;
  let index = first;
  const open = async (): Promise<Bytes> => {
    const opened = await key.open(chunk.slice(0, filled), index, index === all - 1);
    if (opened === null) throw new Error('A sealed chunk is damaged');
    index++;
    filled = 0;
    return opened;
  };
  for await (const piece of sealed) {
    for (let at = 0; at < piece.length;) {
      const taken = piece.subarray(at, at + SEALED_CHUNK_BYTES - filled);
      chunk.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled === SEALED_CHUNK_BYTES) yield await open();
    }
  }
  if (filled > 0) yield await open();
  if (index < end) throw new Error('A sealed chunk is missing');
}

async function bindKey(bytes: Bytes, sealedKey: string): Promise<ChunkKey> {
  const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    sealedKey,
    async seal(chunk, index, isLast) {
      return new Uint8Array(await crypto.subtle.encrypt(parameters(index, isLast), key, chunk));
    },
    async open(sealed, index, isLast) {
      try {
        return new Uint8Array(await crypto.subtle.decrypt(parameters(index, isLast), key, sealed));
      } catch {
        return null;
      }
    },
  };
}

/** The position and the end are in the IV, as in the STREAM construction. The key seals one text, so no IV repeats. */
function parameters(index: number, isLast: boolean): AesGcmParams {
  const iv = new Uint8Array(IV_BYTES);
  const view = new DataView(iv.buffer);
  view.setUint32(IV_BYTES - 5, index);
  view.setUint8(IV_BYTES - 1, isLast ? 1 : 0);
  return { name: 'AES-GCM', iv };
}
