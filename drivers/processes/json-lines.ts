// Splits what an MCP server writes to stdout into lines. It bounds a line and does not parse it.
import type { Readable } from 'node:stream';

const NEWLINE = 0x0a;

/** After a line that is too long nothing more is read. */
export function readLines(
  from: Readable,
  maxBytes: number,
  on: { line: (line: string) => void; tooLong: () => void },
): void {
  let begun: Buffer[] = [];
  let size = 0;
  from.on('data', function read(chunk: Buffer) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      if (size + piece.length > maxBytes) return stop();
      const line = begun.length === 0 ? piece : Buffer.concat([...begun, piece]);
      begun = [];
      size = 0;
      start = end + 1;
      on.line(line.toString('utf8').trim());
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > maxBytes) return stop();
    if (rest.length > 0) begun.push(rest);

    function stop(): void {
      begun = [];
      from.off('data', read);
      from.resume();
      on.tooLong();
    }
  });
  // The exit of the process reports the end.
  from.on('error', () => {});
}
