// Starts a server on loopback and returns its port, and finds free ports for programs that need one in
// advance.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Linux gives out ports from 32768 on, other systems from 49152.
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
 * Returns a port that was free on every address a moment ago. The system never gives out these ports by
 * itself, and each test worker has its own range, so the port is still free when a program listens on it.
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
