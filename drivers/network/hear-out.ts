// An upstream that hangs up on an upload has often said why. What it sent is still to be read when writing has failed.
import type { Socket } from 'node:net';

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE']);

/** Writing to who has hung up comes to nothing, and the end is met where it belongs: in reading. A reset is no end. */
export function hearOut(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writeMany = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, deaf(done));
  if (writeMany !== undefined) socket._writev = (chunks, done) => writeMany(chunks, deaf(done));
  // undici takes a reset for the end of an answer that has no length: of this name it does not.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
  });
}

type Done = (error?: NodeJS.ErrnoException | null) => void;

function deaf(done: Done): Done {
  return (error) => done(HUNG_UP.has(error?.code ?? '') ? null : error);
}
