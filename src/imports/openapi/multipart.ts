// Encodes `multipart/form-data` with a media type for each part, which FormData cannot say of a part that is no file. RFC 7578
import type { Bytes } from '../../kit/binary.ts';

export interface Part {
  name: string;
  content: string | Bytes;
  /** Only a file has a name. */
  fileName?: string;
  contentType?: string;
}

const encoder = new TextEncoder();

export async function encodeMultipart(parts: readonly Part[]): Promise<{ boundary: string; body: Bytes }> {
  const contents = parts.map(({ content }) =>
    typeof content === 'string' ? encoder.encode(content) : content,
  );
  const boundary = await boundaryFor(contents);
  const chunks = parts.flatMap((part, index) => [
    encoder.encode(`--${boundary}\r\n${headersOf(part)}\r\n`),
    contents[index] ?? new Uint8Array(),
    encoder.encode('\r\n'),
  ]);
  return { boundary, body: concat([...chunks, encoder.encode(`--${boundary}--\r\n`)]) };
}

/** Made of the digests of all parts, so that nobody can write a part that contains it. */
async function boundaryFor(contents: readonly Bytes[]): Promise<string> {
  const digests = await Promise.all(contents.map(digest));
  const all = await digest(concat(digests));
  return `gateway-${[...all.subarray(0, 20)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

const digest = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

function headersOf({ name, fileName, contentType }: Part): string {
  const file = fileName === undefined ? '' : `; filename="${quote(fileName)}"`;
  const type =
    contentType === undefined ? '' : `Content-Type: ${contentType.replaceAll(/[^\t\u0020-\u007e]/g, '')}\r\n`;
  return `Content-Disposition: form-data; name="${quote(name)}"${file}\r\n${type}`;
}

/** As browsers escape names. */
const quote = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function concat(chunks: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
