// Passes on the output of a process in whole lines. Two processes that write to one pipe would tear each other's.
import type { Readable } from 'node:stream';

const LINE_BREAK = 10;

export function passLines(from: Readable, write: (chunk: Buffer) => void): void {
  let begun: Buffer[] = [];
  from.on('data', (chunk: Buffer) => {
    const end = chunk.lastIndexOf(LINE_BREAK) + 1;
    if (end === 0) return void begun.push(chunk);
    const whole = chunk.subarray(0, end);
    write(begun.length === 0 ? whole : Buffer.concat([...begun, whole]));
    begun = end === chunk.length ? [] : [chunk.subarray(end)];
  });
  from.on('end', () => {
    // A process that was killed has written a part of a line. The next line is that of another one.
    if (begun.length > 0) write(Buffer.concat([...begun, Buffer.of(LINE_BREAK)]));
  });
}
