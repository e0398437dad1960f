// Compiles QuickJS once for all runs, with an upper bound for its memory.
import { readFile } from 'node:fs/promises';

const PAGE = 65_536;
const HEADER = 8;
const MEMORY_SECTION = 5;

export async function compileEngine(wasm: URL, maxBytes: number): Promise<WebAssembly.Module> {
  return WebAssembly.compile(boundMemory(await readFile(wasm), Math.ceil(maxBytes / PAGE)));
}

/** Writes the maximum into the memory section, so that no defect of QuickJS can take more. */
function boundMemory(wasm: Uint8Array, maxPages: number): Uint8Array<ArrayBuffer> {
  for (let place = HEADER; place < wasm.length;) {
    const start = place;
    const id = wasm[place];
    const size = readNumber(wasm, place + 1);
    place = size.end + size.value;
    if (id !== MEMORY_SECTION) continue;
    // One memory; flags; its minimum.
    const minimum = readNumber(wasm, size.end + 2);
    const content = [1, 1, ...writeNumber(minimum.value), ...writeNumber(maxPages)];
    const section = [MEMORY_SECTION, ...writeNumber(content.length), ...content];
    return new Uint8Array([...wasm.subarray(0, start), ...section, ...wasm.subarray(place)]);
  }
  throw new Error('[scripts] the sandbox has no memory of its own');
}

/** Numbers of WebAssembly are LEB128: seven bits in a byte, the lowest first. */
function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  let end = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, end };
  }
}

function writeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...writeNumber(value >>> 7)];
}
