// Handles the caller's upload: it is passed on, and read to its end even when the answer is already there.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

const LINGER_MS = 30_000;
const READ_MS = 60_000;

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** A POST without a type counts as a form too: some servers read it as one. */
export function hasForm(incoming: IncomingMessage): boolean {
  if (!hasBody(incoming)) return false;
  const { rawHeaders } = incoming;
  const types = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'content-type',
  );
  return types.length === 0 || types.some((type) => FORM.test(type));
}

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)|^\s*$/i;

/** The bytes that the caller has announced: 0 where it has not said. */
export function announcedBytes({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}

/** Reads a whole body of at most so many bytes. It never rejects. */
export function readBody(
  incoming: IncomingMessage,
  most: number,
): Promise<Buffer<ArrayBuffer> | 'too-large' | 'caller-gone'> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    // An upload that is passed on may take as long as it likes. This one is kept in memory.
    const late = setTimeout(() => incoming.destroy(), READ_MS);
    late.unref();
    const finish = (read: Buffer<ArrayBuffer> | 'too-large' | 'caller-gone') => {
      clearTimeout(late);
      incoming.off('data', take).off('end', end).off('error', leave).off('close', leave);
      resolve(read);
    };
    const take = (piece: Buffer) => {
      size += piece.length;
      if (size <= most) return void pieces.push(piece);
      incoming.pause();
      finish('too-large');
    };
    const end = () => finish(Buffer.concat(pieces));
    const leave = () => finish('caller-gone');
    incoming.on('data', take).on('end', end).on('error', leave).on('close', leave);
  });
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
