// Chromium's debugging pipe: JSON messages, each followed by a NUL. This module splits them and does not
// parse them.
import type { Readable, Writable } from 'node:stream';

export type Message = Uint8Array<ArrayBuffer>;

export interface Pipe {
  write(message: string): void;
}

// Larger than all cookies that Chromium stores. A page may give a frame a name of any length, and Chromium
// repeats that name.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Drops a message that is longer than any legitimate one while it arrives. */
export function openPipe(
  toBrowser: Writable,
  fromBrowser: Readable,
  onMessage: (message: Message) => void,
): Pipe {
  let begun: Buffer[] = [];
  let size = 0;
  fromBrowser.on('data', (chunk: Buffer<ArrayBuffer>) => {
    let start = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, end);
      if (size + piece.length <= MAX_MESSAGE_BYTES)
        onMessage(begun.length === 0 ? piece : Buffer.concat([...begun, piece]));
      begun = [];
      size = 0;
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > MAX_MESSAGE_BYTES) begun = [];
    else if (rest.length > 0) begun.push(rest);
  });
  // The exit of the process reports the end; a broken pipe is only the first sign of it.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return { write: (message) => void toBrowser.write(`${message}\0`) };
}

const TAIL = /"sessionId":"([0-9A-F]{32})"\}$/;

/** Finds the session id in the last bytes of a message, where Chromium puts it. */
export function sessionOf(message: Message): string | null {
  return (
    TAIL.exec(
      Buffer.from(message.buffer, message.byteOffset, message.byteLength).subarray(-64).toString('latin1'),
    )?.[1] ?? null
  );
}
