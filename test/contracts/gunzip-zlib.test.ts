// Tests the gunzip port on zlib with what tar programs write and with damaged input.
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createZlibGunzip } from '../../drivers/gunzip/zlib.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const gunzip = createZlibGunzip();
const TEXT = 'some text '.repeat(10_000);
const packed = new Uint8Array(gzipSync(TEXT));
const zeros = (length: number) => new Uint8Array(length);
const text = (value: string) => new TextEncoder().encode(value);
const joined = (...parts: Bytes[]) => new Uint8Array(Buffer.concat(parts));
const oneByOne = (bytes: Bytes) => Array.from(bytes, (byte) => Uint8Array.of(byte));

async function* given(pieces: readonly Bytes[]) {
  yield* pieces;
}

async function unpack(pieces: readonly Bytes[]): Promise<string> {
  return Buffer.concat(await Array.fromAsync(gunzip(given(pieces)))).toString();
}

describe('gunzip: zlib', () => {
  it.each([
    ['in one chunk', [packed]],
    ['byte by byte', oneByOne(packed)],
    ['padded with zeros, as bsdtar does', [joined(packed, zeros(10_000))]],
    ['padded with zeros in separate chunks', [packed, zeros(1), zeros(70_000), ...oneByOne(zeros(3))]],
    [
      'in two members',
      [joined(new Uint8Array(gzipSync(TEXT.slice(0, 7))), new Uint8Array(gzipSync(TEXT.slice(7))))],
    ],
  ])('unpacks an archive that comes %s', async (_how, pieces) => {
    expect(await unpack(pieces)).toBe(TEXT);
  });

  it.each([
    ['an empty input', []],
    ['a text that is not gzip', [text('hello')]],
    ['half of an archive', [packed.slice(0, packed.length / 2)]],
    ['an archive without its last byte', [packed.slice(0, -1)]],
    ['a wrong checksum', [joined(packed.slice(0, -8), zeros(4), packed.slice(-4))]],
    ['data after the archive', [joined(packed, text('junk'))]],
    ['data after the archive in a separate chunk', [packed, text('junk')]],
    ['data after the padding', [joined(packed, zeros(5), text('junk'))]],
    ['long data after the padding', [packed, zeros(5), ...oneByOne(text('junk')), zeros(100_000)]],
  ])('rejects %s', async (_what, pieces) => {
    await expect(unpack(pieces)).rejects.toThrow();
  });

  it('rejects with the error of the source', async () => {
    async function* failing() {
      yield packed.slice(0, 20);
      throw new Error('the source failed');
    }
    await expect(Array.fromAsync(gunzip(failing()))).rejects.toThrow('the source failed');
  });

  it('reads the source on demand and releases it when the reader stops', async () => {
    const large = new Uint8Array(gzipSync(randomBytes(4 * 1024 * 1024)));
    let taken = 0;
    const released = Promise.withResolvers<void>();
    async function* source() {
      try {
        for (; taken < large.length; taken += 4096) yield large.slice(taken, taken + 4096);
      } finally {
        released.resolve();
      }
    }
    const reading = gunzip(source())[Symbol.asyncIterator]();
    await reading.next();
    await reading.return?.();
    await released.promise;
    expect(taken).toBeLessThan(large.length / 2);
  });
});
