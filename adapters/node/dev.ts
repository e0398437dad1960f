// npm run dev: runs the gateway from its sources, restarts it on every change, and serves the portal with hot reload.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { createServer } from 'vite';
import settings from '../../vite.config.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = ['src', 'adapters', 'drivers', 'integrations'].map((folder) => join(ROOT, folder));
/** An editor or git may write several files for one change. */
const SETTLE_MS = 100;

const { values } = parseArgs({ options: { port: { type: 'string' } } });
const port = values.port === undefined ? {} : { port: Number(values.port), strictPort: true };
// A file of settings that Vite reads itself is read again when a source that it uses changes, and takes the watcher away.
const vite = await createServer({
  ...settings,
  configFile: false,
  server: { ...settings.server, ...port },
});
await vite.listen();
const portalUrl = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
const otherGateway = process.env['GATEWAY_URL'] ?? '';
const gateway = otherGateway === '' ? keepGatewayRunning() : null;
console.log(
  [
    '',
    `  Portal from its sources   ${portalUrl}`,
    gateway === null
      ? `  Gateway                   ${otherGateway}`
      : '  The gateway starts now, and restarts when one of its files changes.',
    '',
  ].join('\n'),
);

function keepGatewayRunning(): { stop(): Promise<void> } {
  let child = startGateway();
  let restarted = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  // Node's own --watch loses a file that an editor or git replaces, so Vite's watcher does the work.
  vite.watcher.add(SOURCES).on('all', (_event, file) => {
    if (!SOURCES.some((folder) => file.startsWith(folder + sep))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      restarted = restarted.then(restart);
    }, SETTLE_MS);
  });

  async function restart(): Promise<void> {
    console.log('\n  A file has changed. The gateway restarts.');
    await end(child);
    child = startGateway();
  }

  return {
    async stop() {
      clearTimeout(timer);
      await restarted;
      await end(child);
    },
  };
}

function startGateway(): ChildProcess {
  const child = spawn(process.execPath, [join(ROOT, 'adapters/node/main.ts')], {
    stdio: 'inherit',
    // The gateway sends people to its portal, so its links have to name the portal that Vite serves.
    env: { ...process.env, PORTAL_URL: process.env['PORTAL_URL'] || portalUrl },
  });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null)
      console.error('\n  The gateway has failed. It starts again when a file changes.\n');
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

let isStopping = false;
async function stop(): Promise<void> {
  // Ctrl-C often arrives twice: from the terminal, and passed on by npm.
  if (isStopping) return;
  isStopping = true;
  await Promise.all([gateway?.stop(), vite.close()]);
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
