// Sends requests to a chosen process of a gateway with several WORKERS. The kernel chooses by connection, so this opens
// connections until one is in that process. Linux only: it asks the kernel which process has the other end.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect as dial, type Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, type Dispatcher, fetch } from 'undici';
import type { Gateway } from './gateway-process.ts';
import { socketsOf } from './proc.ts';
import { waitFor, waitUntil } from './wait.ts';

export interface WorkerDoor {
  /** From 1. */
  worker: number;
  dispatcher: Dispatcher;
  request(path: string, init?: RequestInit): Promise<Response>;
  /** A connection without a request. */
  connect(): Promise<Socket>;
  close(): Promise<void>;
}

interface Listening {
  event: string;
  worker?: number;
  pid?: number;
}

/** The process that has this number now. */
export function pidOf({ output }: Pick<Gateway, 'output'>, worker: number): number {
  const lines = output.stdout.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  const last = lines
    .map((line): Listening => JSON.parse(line))
    .findLast((line) => line.event === 'listening' && line.worker === worker);
  if (last?.pid === undefined) throw new Error(`there is no worker ${worker}:\n${output.stdout}`);
  return last.pid;
}

export function openDoor(gateway: Gateway, worker: number): WorkerDoor {
  async function isIn(number: number, socket: Socket): Promise<boolean> {
    let inode = '0';
    // The kernel names no process before one has accepted the connection. One that was killed before that resets it.
    await waitUntil(
      'the process of a connection',
      () => socket.destroyed || (inode = inodeOf(gateway.port, socket.localPort ?? 0)) !== '0',
      () => `port ${gateway.port} from ${socket.localPort}`,
    );
    return !socket.destroyed && socketsOf(pidOf(gateway, number)).includes(inode);
  }

  async function connect(): Promise<Socket> {
    for (;;) {
      const socket = dial({ port: gateway.port, host: 'localhost', noDelay: true });
      socket.on('error', () => {});
      await waitFor('a connection', once(socket, 'connect'), () => `worker ${worker}`);
      if (await isIn(worker, socket)) return socket;
      socket.destroy();
    }
  }
  const dispatcher = new Agent({
    connect: (_options, done) =>
      callbackify(connect)((error, socket) => (error === null ? done(null, socket) : done(error, null))),
    // A stream may be silent for long.
    bodyTimeout: 0,
    headersTimeout: 0,
  });
  return {
    worker,
    dispatcher,
    connect,
    request: async (path, init) =>
      (await fetch(new URL(path, gateway.base), {
        redirect: 'manual',
        ...(init as object),
        dispatcher,
      })) as unknown as Response,
    close: () => dispatcher.destroy(),
  };
}

function inodeOf(port: number, from: number): string {
  const isEnd = (address: string | undefined, of: number) =>
    parseInt(address?.split(':')[1] ?? '', 16) === of;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(table, 'utf8').split('\n')) {
      const fields = line.trim().split(/\s+/);
      if (isEnd(fields[1], port) && isEnd(fields[2], from)) return fields[9] ?? '0';
    }
  return '0';
}
