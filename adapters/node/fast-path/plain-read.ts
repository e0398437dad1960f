// A request for a file of a jot that says nothing out of the ordinary, whole in one piece.
import type { CachedFileRequest } from '../../../src/jots/serving/cached-file.ts';
import { closesConnection, plainHead, unpadded } from './plain-head.ts';

export interface PlainRead extends CachedFileRequest {
  /** It is the last one of its connection. */
  closes: boolean;
}

const BEGINNING = 'GET /j/';
const TELLING = /\r\n(connection|content-length|host|if-none-match):[\t ]*([^\r]*)/gi;

/** Null for what is not plain. */
export function plainRead(bytes: Buffer): PlainRead | null {
  if (bytes.toString('latin1', 0, BEGINNING.length) !== BEGINNING) return null;
  const head = plainHead(bytes);
  if (head === null || head.length < bytes.length) return null;
  let host: string | undefined;
  let ifNoneMatch: string | undefined;
  let connection: string | undefined;
  TELLING.lastIndex = 0;
  for (let line = TELLING.exec(head); line !== null; line = TELLING.exec(head)) {
    const value = unpadded(line[2] ?? '');
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
      default:
        // A body, even if it is none.
        return null;
    }
  }
  const closes = closesConnection(connection);
  if (host === undefined || closes === null) return null;
  return {
    target: head.slice('GET '.length, head.indexOf(' ', BEGINNING.length)),
    host,
    ifNoneMatch,
    closes,
  };
}
