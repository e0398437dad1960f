// npm start: brings both builds up to date with their sources, then runs the server's.
// Plain JavaScript: stripping types in this process would cost the gateway 40 MiB for as long as it runs.
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'dist/server/main.js');
const BUILDS = [
  {
    what: 'server',
    product: SERVER,
    sources: ['src', 'adapters', 'drivers', 'integrations', 'package-lock.json'],
    command: [join(ROOT, 'adapters/node/build.mjs')],
  },
  {
    what: 'portal',
    product: join(ROOT, 'dist/portal/index.html'),
    sources: ['portal', 'vite.config.ts', 'package-lock.json'],
    command: [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
  },
];

function modifiedAt(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  const below = stat.isDirectory() ? readdirSync(path).map((name) => modifiedAt(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...below);
}

function isStale({ product, sources }) {
  return modifiedAt(product) < Math.max(...sources.map((source) => modifiedAt(join(ROOT, source))));
}

function build({ what, command }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    child.on('error', () => resolve(what));
    child.on('exit', (code) => resolve(code === 0 ? null : what));
  });
}

const failed = await Promise.all(BUILDS.filter(isStale).map(build));
if (failed.includes('server')) process.exit(1);
if (failed.includes('portal')) console.error('The portal could not be built; the gateway runs without it.');
await import(SERVER);
