// Chromium's debugging pipe: messages of JSON with a NUL behind each. They are cut apart here, not read.
import type { Readable, Writable } from 'node:stream';

export type Message = Uint8Array<ArrayBuffer>;

export interface Pipe {
  write(message: string): void;
}

// Above all the cookies that Chromium keeps. A page may call a frame by a name of any length, and Chromium repeats it.
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A message that is longer than any honest one is dropped as it comes. */
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
  // The process' own end tells that it is over; a broken pipe is only how one hears of it first.
  toBrowser.on('error', () => {});
  fromBrowser.on('error', () => {});
  return { write: (message) => void toBrowser.write(`${message}\0`) };
}

const TAIL = /"sessionId":"([0-9A-F]{32})"\}$/;

/** Whose a message is, by its last bytes: Chromium puts the session there. */
export function sessionOf(message: Message): string | null {
  return (
    TAIL.exec(
      Buffer.from(message.buffer, message.byteOffset, message.byteLength).subarray(-64).toString('latin1'),
    )?.[1] ?? null
  );
}
