// Sends a file and its metadata in one multipart/related body. RFC 2387
import { asciiJson } from '../../src/kit/ascii-json.ts';
import type { Bytes } from '../../src/kit/binary.ts';

export function encodeRelated(
  metadata: Record<string, unknown>,
  media: { type: string; bytes: Bytes },
): { body: Bytes; headers: { 'content-type': string } } {
  if (/[\r\n]/.test(media.type)) throw new Error('A type is one line');
  const boundary = boundaryFor(media.bytes);
  const encoder = new TextEncoder();
  const head = encoder.encode(
    `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${asciiJson(metadata)}\r\n--${boundary}\r\ncontent-type: ${media.type}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const body = new Uint8Array(head.length + media.bytes.length + tail.length);
  body.set(head, 0);
  body.set(media.bytes, head.length);
  body.set(tail, head.length + media.bytes.length);
  return { body, headers: { 'content-type': `multipart/related; boundary="${boundary}"` } };
}

/**
 * Chooses a boundary that does not occur in the file. JSON could contain it only behind a quote, never at the
 * start of a line.
 */
function boundaryFor(bytes: Bytes): string {
  const content = new TextDecoder('latin1').decode(bytes);
  const taken = new Set(content.match(/=_a_file(?:_\d+_)?/g));
  if (taken.size === 0) return '=_a_file';
  for (let number = 1; ; number++) {
    const boundary = `=_a_file_${number}_`;
    if (!taken.has(boundary)) return boundary;
  }
}
