// Parses a plain GET request for a jot file that arrived in one piece.
import type { CachedFileRequest } from '../../../src/jots/serving/cached-file.ts';
import { closesConnection, parseHead, trimValue } from './parse-head.ts';

export interface PlainGet extends CachedFileRequest {
  /** The value of `X-Request-Id` as it was sent. */
  requestId: string | undefined;
  /** This request is the last one of its connection. */
  closes: boolean;
}

const START = 'GET /j/';
const USED_HEADER = /\r\n(connection|content-length|host|if-none-match|x-request-id):[\t ]*([^\r]*)/gi;

/** Returns null for a request that is not plain. */
export function parseGet(bytes: Buffer): PlainGet | null {
  if (bytes.toString('latin1', 0, START.length) !== START) return null;
  const head = parseHead(bytes);
  if (head === null || head.length < bytes.length) return null;
  let host: string | undefined;
  let ifNoneMatch: string | undefined;
  let connection: string | undefined;
  let requestId: string | undefined;
  USED_HEADER.lastIndex = 0;
  for (let line = USED_HEADER.exec(head); line !== null; line = USED_HEADER.exec(head)) {
    const value = trimValue(line[2] ?? '');
    switch (line[1]?.toLowerCase()) {
      case 'host':
        if (host !== undefined) return null;
        host = value;
        break;
      case 'if-none-match':
        if (ifNoneMatch !== undefined) return null;
        ifNoneMatch = value;
        break;
      case 'connection':
        if (connection !== undefined) return null;
        connection = value;
        break;
      case 'x-request-id':
        if (requestId !== undefined) return null;
        requestId = value;
        break;
      default:
        // A GET request with a Content-Length is not plain, even if the length is 0.
        return null;
    }
  }
  const closes = closesConnection(connection);
  if (host === undefined || closes === null) return null;
  return {
    target: head.slice('GET '.length, head.indexOf(' ', START.length)),
    host,
    ifNoneMatch,
    requestId,
    closes,
  };
}
