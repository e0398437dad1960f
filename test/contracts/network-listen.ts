// A server on the loopback, and the port it got.
import { once } from 'node:events';
import type { Server } from 'node:net';

export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('this server has no port');
  return address.port;
}
