// One raw request at its sockets, and how the gateway itself answers it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ErrorCode } from '../../../src/http/error-codes.ts';
import { ACCESS_ENDED } from '../../../src/http/errors.ts';
import { REQUEST_ID_HEADER } from '../../../src/http/observe.ts';
import { endAfterUpload } from './upload.ts';

const LAST_WORD_MS = 500;

export interface Call {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  requestId: string;
  /** The caller sends its body only after a 100. */
  waits: boolean;
}

/** Whether the person still has access, and what stops the call once they have not. A signal would take longer to make. */
export interface Access {
  isEnded: boolean;
  stop: (() => void) | null;
}

/** The caller sends its body now, if it has waited with that. */
export function askForBody(call: Call): void {
  if (call.waits) call.outgoing.writeContinue();
  call.waits = false;
}

export function send(
  { incoming, outgoing, requestId, waits }: Call,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    [REQUEST_ID_HEADER]: requestId,
    ...(waits ? { Connection: 'close' } : {}),
    ...headers,
  });
  outgoing.write(text);
  if (waits) outgoing.end();
  else endAfterUpload(incoming, outgoing);
}

/** Ends a call whose person has lost their access: with a 401 where nothing was answered, else by closing it. */
export function cut({ incoming, outgoing }: Pick<Call, 'incoming' | 'outgoing'>): void {
  incoming.unpipe();
  if (outgoing.headersSent || outgoing.destroyed) return void outgoing.destroy();
  const text = JSON.stringify({ error: ErrorCode.ACCESS_ENDED, message: ACCESS_ENDED });
  outgoing.writeHead(401, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    Connection: 'close',
  });
  outgoing.end(text);
  if (incoming.complete) return;
  // A client that still sends has this long to read the answer.
  incoming.resume();
  setTimeout(() => incoming.destroy(), LAST_WORD_MS).unref();
}
