// A call of a machine, to /mcp or /rest, that says nothing out of the ordinary, whole in one piece with its body.
import type { Socket } from 'node:net';
import { closesConnection, plainHead, unpadded } from './plain-head.ts';

/** What the framework's listener looks at of Node's own message; one with `rawBody` has been read already. */
export interface PlainCall {
  readonly method: 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawHeaders: readonly string[];
  rawBody: Buffer;
  readonly socket: Socket;
  readonly complete: true;
  readonly readableEnded: true;
  /** It is the last one of its connection. */
  readonly closes: boolean;
}

const BEGINS = /^POST \/(?:mcp|rest)[/? ]/;
const BEGINNING = 'POST /rest/'.length;
const LINE = /([^:\r]+):[\t ]*([^\r]*)\r\n/gy;
const LENGTH = /^\d{1,9}$/;

/** Null for what is not plain. */
export function plainCall(bytes: Buffer, socket: Socket): PlainCall | null {
  if (!BEGINS.test(bytes.toString('latin1', 0, BEGINNING))) return null;
  const head = plainHead(bytes);
  if (head === null) return null;
  const headers: Record<string, string> = {};
  const rawHeaders: string[] = [];
  LINE.lastIndex = head.indexOf('\r\n') + '\r\n'.length;
  for (let line = LINE.exec(head); line !== null; line = LINE.exec(head)) {
    const [name, value] = [line[1] ?? '', unpadded(line[2] ?? '')];
    const lower = name.toLowerCase();
    // Some may stand twice, and how they are joined Node knows.
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
    socket,
    complete: true,
    readableEnded: true,
    closes,
  };
}
