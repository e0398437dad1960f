// Starts a Chromium that listens for debuggers, as an operator does for BROWSER_URL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, FLAGS } from './chromium.ts';
import { runProgram } from './gateway-process.ts';
import { freePort } from './listen.ts';
import { waitUntil } from './wait.ts';

export interface RemoteChromium {
  /** The debugging address. */
  url: string;
  /** Ends the browser at once, and starts another one at the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startRemoteChromium(): Promise<RemoteChromium> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const profile = await mkdtemp(join(tmpdir(), 'remote-browser-'));
  const command = [
    chromiumPath() ?? '',
    ...FLAGS,
    `--remote-debugging-port=${port}`,
    `--user-data-dir=${profile}`,
    'about:blank',
  ];
  const start = async () => {
    const program = runProgram(command, { HOME: profile });
    const answers = () =>
      fetch(`${url}/json/version`).then(
        ({ ok }) => ok,
        () => false,
      );
    await waitUntil('the remote browser', answers, () => program.output.stderr);
    return program;
  };
  let program = await start();
  const stop = async () => {
    program.signal('SIGKILL', 'group');
    await program.exited;
  };
  return {
    url,
    async restart() {
      await stop();
      program = await start();
    },
    async close() {
      await stop();
      await rm(profile, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}
