// Reads an upstream's response even after writing the upload has failed: a server that hangs up has often
// said why.
import type { Socket } from 'node:net';

const HUNG_UP = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Ignores write errors of a peer that hung up; reading meets the end of the connection. A reset is not a
 * clean end.
 */
export function hearOut(socket: Socket): void {
  const write = socket._write.bind(socket);
  const writeMany = socket._writev?.bind(socket);
  socket._write = (chunk, encoding, done) => write(chunk, encoding, deaf(done));
  if (writeMany !== undefined) socket._writev = (chunks, done) => writeMany(chunks, deaf(done));
  // undici treats a reset as the end of a response without a length, unless the error has another name.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNRESET') error.code = 'UND_ERR_SOCKET';
  });
}

type Done = (error?: NodeJS.ErrnoException | null) => void;

function deaf(done: Done): Done {
  return (error) => done(HUNG_UP.has(error?.code ?? '') ? null : error);
}
