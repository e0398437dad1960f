// A server on the loopback and the port it got, and a port for what has to be told one.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Linux hands out ports from 32768 on, others from 49152.
const FIRST = 20_000;
const PORTS = 3_000;
const POOLS = 4;
const POOL = Number(process.env['VITEST_POOL_ID'] ?? 0);
let count = randomInt(PORTS);

export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

/**
 * Free at every address, a moment ago. Nobody who asks the system for any port is given one of these, and each worker
 * of the tests has its own: it is free still when the program that is told of it listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (POOL % POOLS) * PORTS + (count++ % PORTS);
    const server = createServer().listen(port);
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') continue;
      throw error;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('this server has no port');
  return address.port;
}
