// Sends HTTP as bytes: request targets and headers that no client would send.
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends the text, and reads until the other side closes or a response with a length is complete. */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    const finish = () => {
      socket.destroy();
      const [head = '', ...rest] = received.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: rest.join('\r\n\r\n') });
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      const start = received.indexOf('\r\n\r\n');
      if (length !== undefined && start !== -1 && received.length - start - 4 >= Number(length)) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
    socket.write(text, 'latin1');
  });
}

/** Waits a few event loop turns. Both sides run in this process, so written bytes have been read by then. */
export async function untilRead(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await setImmediate();
}

/** Replaces the Date headers and the ids that the gateway makes, so that responses of different times compare equal. */
export const undated = (answers: string): string =>
  answers
    .replaceAll(/^Date: .*$/gm, 'Date: …')
    .replaceAll(/^X-Request-Id: [\da-f]{8}-[\da-z]+$/gm, 'X-Request-Id: …');
