// Parses a plain POST request to /mcp or /rest that arrived in one piece with its body.
import type { Socket } from 'node:net';
import { closesConnection, parseHead, trimValue } from './parse-head.ts';

/** The fields of Node's request that the framework's listener uses. With `rawBody` the listener does not read the stream. */
export interface PlainPost {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  rawBody: Buffer;
  /** Set before the app has the request. */
  requestId: string;
  readonly socket: Socket;
  readonly complete: true;
  readonly readableEnded: true;
  /** This request is the last one of its connection. */
  readonly closes: boolean;
}

const START = /^POST \/(?:mcp|rest)[/? ]/;
const MAX_START_LENGTH = 'POST /rest/'.length;
const LINE = /([^:\r]+):[\t ]*([^\r]*)\r\n/gy;
const LENGTH = /^\d{1,9}$/;

/** What a head says. Requests share it, so nobody changes it. */
interface Head {
  bytes: Buffer;
  url: string;
  headers: Readonly<Record<string, string>>;
  rawHeaders: readonly string[];
  bodyLength: number;
  closes: boolean;
}

/** Parses the requests of one connection. Most clients send the same head again and again, so the last one is kept. */
export function createParsePost(socket: Socket): (bytes: Buffer) => PlainPost | null {
  let last: Head | null = null;

  /** Returns null for a request that is not plain. */
  return function parsePost(bytes) {
    const head = last !== null && beginsWith(bytes, last.bytes) ? last : readHead(bytes);
    if (head === null) return null;
    last = head;
    const { url, headers, rawHeaders, closes } = head;
    if (head.bodyLength !== bytes.length - head.bytes.length) return null;
    return {
      method: 'POST',
      url,
      headers,
      rawHeaders,
      rawBody: bytes.subarray(head.bytes.length),
      requestId: '',
      socket,
      complete: true,
      readableEnded: true,
      closes,
    };
  };
}

/** A head ends where the first empty line ends, so bytes that begin with a whole head have no other one. */
const beginsWith = (bytes: Buffer, head: Buffer): boolean =>
  bytes.length >= head.length && head.compare(bytes, 0, head.length) === 0;

function readHead(bytes: Buffer): Head | null {
  if (!START.test(bytes.toString('latin1', 0, MAX_START_LENGTH))) return null;
  const text = parseHead(bytes);
  if (text === null) return null;
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  LINE.lastIndex = text.indexOf('\r\n') + '\r\n'.length;
  for (let line = LINE.exec(text); line !== null; line = LINE.exec(text)) {
    const [name, value] = [line[1] ?? '', trimValue(line[2] ?? '')];
    const lower = name.toLowerCase();
    // Node knows which repeated headers are joined, and how.
    if (Object.hasOwn(headers, lower)) return null;
    headers[lower] = value;
    rawHeaders.push(name, value);
  }
  const { host, connection, 'content-length': length = '' } = headers;
  const closes = closesConnection(connection);
  if (host === undefined || closes === null || !LENGTH.test(length)) return null;
  const url = text.slice('POST '.length, text.indexOf(' ', 'POST '.length));
  // A part of the bytes would keep all that the socket has read with them.
  return { bytes: Buffer.from(text, 'latin1'), url, headers, rawHeaders, bodyLength: Number(length), closes };
}
