// A gateway as a person starts it: its own process, an empty folder, and the portal link that it prints.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface RunningGateway {
  origin: string;
  /** The link it printed, with a session in it. */
  link: string;
  apiKey: string;
  stop(): Promise<void>;
}

export async function startGateway(): Promise<RunningGateway> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'portal-'));
  const child = spawn(
    process.execPath,
    [join(ROOT, 'adapters/node/launch.mjs'), join(ROOT, 'adapters/node/main.ts')],
    { env: { ...process.env, PORT: String(port), DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = once(child, 'exit');

  let printed = '';
  const found = new Promise<{ link: string; apiKey: string }>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const link = /^ {2}Portal +(\S+)$/m.exec(printed)?.[1];
      const apiKey = /^ {2}API key +([0-9a-f]{64})$/m.exec(printed)?.[1];
      if (link !== undefined && apiKey !== undefined) resolve({ link, apiKey });
    });
    void exited.then(() => reject(new Error(`the gateway ended before it printed a link:\n${printed}`)));
  });

  return {
    origin: `http://localhost:${port}`,
    ...(await found),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new TypeError('a TCP server has a port');
  return address.port;
}
