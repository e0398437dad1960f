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

/** Returns null for a request that is not plain. */
export function parsePost(bytes: Buffer, socket: Socket): PlainPost | null {
  if (!START.test(bytes.toString('latin1', 0, MAX_START_LENGTH))) return null;
  const head = parseHead(bytes);
  if (head === null) return null;
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  LINE.lastIndex = head.indexOf('\r\n') + '\r\n'.length;
  for (let line = LINE.exec(head); line !== null; line = LINE.exec(head)) {
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
  if (Number(length) !== bytes.length - head.length) return null;
  const url = head.slice('POST '.length, head.indexOf(' ', 'POST '.length));
  const rawBody = bytes.subarray(head.length);
  return {
    method: 'POST',
    url,
    headers,
    rawHeaders,
    rawBody,
    requestId: '',
    socket,
    complete: true,
    readableEnded: true,
    closes,
  };
}
