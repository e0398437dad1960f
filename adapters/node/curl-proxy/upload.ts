// Handles the caller's upload: it is passed on, and read to its end even when the answer is already there.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

const LINGER_MS = 30_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A separate stream, so that the upstream's client can end it while the caller's socket stays open. */
export function uploadOf(incoming: IncomingMessage): Readable {
  return incoming.pipe(new PassThrough());
}

export function isUploaded({ complete, destroyed }: IncomingMessage): boolean {
  return complete || destroyed;
}

/** Ends an answer when the upload is over: a client that meets a reset while it sends does not read the answer. */
export function endAfterUpload(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (isUploaded(incoming)) return void outgoing.end();
  const late = setTimeout(() => incoming.destroy(), LINGER_MS);
  late.unref();
  const end = () => {
    clearTimeout(late);
    if (!outgoing.writableEnded) outgoing.end();
  };
  incoming.unpipe();
  incoming.once('end', end).once('close', end).resume();
}
