// Encodes the response for a jot file as bytes for the socket, and caches them until a header changes.
import { STATUS_CODES } from 'node:http';
import type { CachedFile } from '../../../src/jots/serving/cached-file.ts';
import type { HeaderRecord } from '../../../src/jots/serving/headers.ts';
import { MAX_INLINE_BYTES } from './inline-body.ts';

export interface EncodedFile {
  head: Buffer;
  /** Null if the response has no body, or if `head` contains the body already. */
  body: Uint8Array | null;
}

interface Cached extends EncodedFile {
  headers: HeaderRecord;
  commonHeaders: string;
}

export function createFileEncoder(): (file: CachedFile, commonHeaders: string) => EncodedFile {
  /** An entry lives as long as the memory cache holds the body. */
  const cache = new WeakMap<object, Cached>();

  return function encodeFile(file, commonHeaders) {
    const { headers, body } = file;
    const cached = cache.get(body ?? headers);
    // Two files with different headers may share one body.
    if (cached?.commonHeaders === commonHeaders && cached.headers === headers) return cached;
    const encoded = { ...encode(file, commonHeaders), headers, commonHeaders };
    cache.set(body ?? headers, encoded);
    return encoded;
  };
}

function encode({ status, headers, body }: CachedFile, commonHeaders: string): EncodedFile {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}${commonHeaders}\r\n`;
  const head = Buffer.from(text, 'latin1');
  if (body === null) return { head, body };
  return body.length > MAX_INLINE_BYTES ? { head, body } : { head: Buffer.concat([head, body]), body: null };
}
