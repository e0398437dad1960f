// Writes the response for a jot file as text for the socket, and keeps what is the same for every request.
import { STATUS_CODES } from 'node:http';
import type { CachedFile } from '../../../src/jots/serving/cached-file.ts';
import type { HeaderRecord } from '../../../src/jots/serving/headers.ts';
import { REQUEST_ID_HEADER } from '../../../src/http/observe.ts';
import { MAX_INLINE_BYTES, toLatin1 } from './inline-body.ts';

interface EncodedFile {
  /** Latin-1 text. */
  head: string;
  /** Null if the response has no body, or if `head` contains the body already. */
  body: Uint8Array | null;
}

/** The request id goes between both texts. */
interface Cached {
  headers: HeaderRecord;
  start: string;
  /** The body of a small file. */
  end: string;
}

export function createFileEncoder(): (
  file: CachedFile,
  requestId: string,
  commonHeaders: string,
) => EncodedFile {
  /** An entry lives as long as the memory cache holds the body. */
  const cache = new WeakMap<object, Cached>();

  return function encodeFile(file, requestId, commonHeaders) {
    const { headers, body } = file;
    const isInline = body !== null && body.length <= MAX_INLINE_BYTES;
    let cached = cache.get(body ?? headers);
    // Two files with different headers may share one body.
    if (cached?.headers !== headers) {
      cached = { headers, start: startOf(file), end: isInline ? toLatin1(body) : '' };
      cache.set(body ?? headers, cached);
    }
    const head = `${cached.start}${requestId}\r\n${commonHeaders}\r\n${cached.end}`;
    return { head, body: isInline ? null : body };
  };
}

function startOf({ status, headers }: CachedFile): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${REQUEST_ID_HEADER}: `;
}
