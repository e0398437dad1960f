// Runs a TCP proxy between a client and its server that can fail and recover.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../../support/listen.ts';

export interface TcpProxy {
  port: number;
  /** Resets every connection and refuses new ones. */
  refuse(): Promise<void>;
  /** Ends every connection, and ends new ones right after it accepts them. */
  hangUp(): Promise<void>;
  /** Keeps every connection open and passes nothing on. */
  fallSilent(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  let state: 'passing' | 'hangingUp' | 'silent' = 'passing';
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    if (state === 'hangingUp') {
      inward.destroy();
      return;
    }
    const outward = connect(port, host);
    const ends = [
      [inward, outward],
      [outward, inward],
    ] as const;
    for (const [from, to] of ends) {
      sockets.add(from);
      from.on('data', (chunk) => state === 'passing' && to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  const ownPort = await listen(server);
  return {
    port: ownPort,
    async refuse() {
      for (const socket of sockets) socket.resetAndDestroy();
      server.close();
      await once(server, 'close');
    },
    async hangUp() {
      state = 'hangingUp';
      for (const socket of sockets) socket.destroy();
    },
    async fallSilent() {
      state = 'silent';
    },
    async restore() {
      state = 'passing';
      if (!server.listening) await listen(server, ownPort);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
