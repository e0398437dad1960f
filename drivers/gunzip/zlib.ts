// Unpacks gzip with node:zlib, off the event loop. The platform's DecompressionStream refuses the zeros that
// bsdtar appends.
import { once } from 'node:events';
import type { Gunzip as Engine } from 'node:zlib';
import type { Gunzip } from '../../src/ports/gunzip.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 64 * 1024;

export function createZlibGunzip(): Gunzip {
  return async function* gunzip(packed) {
    // Loads zlib only when there is something to unpack: at the edge it is a large part of the start-up work.
    const { createGunzip } = await import('node:zlib');
    const engine = createGunzip({ chunkSize: CHUNK });
    const feeding = feed(packed, engine);
    // The engine reports its own failure and is destroyed. This handler only prevents an unhandled rejection.
    feeding.catch(() => {});
    try {
      for await (const chunk of engine) yield chunk;
      if ((await feeding).lastNonZero >= engine.bytesWritten)
        throw new Error('[gunzip] there is data after the archive');
    } finally {
      engine.destroy();
    }
  };
}

/** Feeds the engine all input, and reports the position of the last byte that is not zero. */
async function feed(packed: AsyncIterable<Bytes>, engine: Engine): Promise<{ lastNonZero: number }> {
  // After its end the engine neither reads nor drains.
  const ended = new Promise((resolve) => engine.once('end', resolve).once('close', resolve));
  let given = 0;
  let lastNonZero = -1;
  try {
    for await (const piece of packed) {
      const last = piece.findLastIndex((byte) => byte !== 0);
      if (last !== -1) lastNonZero = given + last;
      given += piece.length;
      if (engine.destroyed) break;
      if (!engine.readableEnded && !engine.write(piece)) await Promise.race([once(engine, 'drain'), ended]);
    }
    engine.end();
  } catch (error) {
    engine.destroy(
      error instanceof Error ? error : new Error('[gunzip] the source failed', { cause: error }),
    );
    throw error;
  }
  return { lastNonZero };
}
