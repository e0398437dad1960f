// What a caller sends: passed on, and read to its end even when nobody wants it any more.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

const LINGER_MS = 30_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** The upload as a stream of its own: the upstream's client ends it at will, and the caller's socket stays open. */
export function uploadOf(incoming: IncomingMessage): Readable {
  return incoming.pipe(new PassThrough());
}

export function isUploaded({ complete, destroyed }: IncomingMessage): boolean {
  return complete || destroyed;
}

/** Ends an answer when the upload is over: who meets a reset while sending does not hear what was said. */
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
