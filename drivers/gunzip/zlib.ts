// Gzip through node:zlib, off the event loop. The web's own DecompressionStream refuses the zeros that bsdtar pads with.
import { once } from 'node:events';
import type { Gunzip as Engine } from 'node:zlib';
import type { Gunzip } from '../../src/ports/gunzip.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const CHUNK = 64 * 1024;

export function createZlibGunzip(): Gunzip {
  return async function* gunzip(packed) {
    // Not before there is something to unpack: at the edge it is a large part of what a start would load.
    const { createGunzip } = await import('node:zlib');
    const engine = createGunzip({ chunkSize: CHUNK });
    const feeding = feed(packed, engine);
    // Told by the engine, which it destroys; here only so that it is never unhandled.
    feeding.catch(() => {});
    try {
      for await (const chunk of engine) yield chunk;
      if ((await feeding).lastNonZero >= engine.bytesWritten)
        throw new Error('[gunzip] there is something behind the archive');
    } finally {
      engine.destroy();
    }
  };
}

/** Gives the engine all there is, and tells where the last byte lay that is not zero. */
async function feed(packed: AsyncIterable<Bytes>, engine: Engine): Promise<{ lastNonZero: number }> {
  // After its end the engine neither reads on nor drains.
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
