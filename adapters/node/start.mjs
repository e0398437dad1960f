// npm start: brings both builds up to date with their sources, then runs the server's. Plain JavaScript:
// stripping types in this process would cost the gateway 40 MiB for as long as it runs.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '../..');
const SERVER = join(ROOT, 'dist/server/main.js');
const PORTAL = join(ROOT, 'dist/portal');
const MAKING = `${PORTAL}.${process.pid}`;
const BUILDS = [
  {
    what: 'server',
    product: SERVER,
    sources: ['src', 'adapters', 'drivers', 'integrations', 'package-lock.json'],
    command: [join(ROOT, 'adapters/node/build.mjs')],
  },
  {
    what: 'portal',
    product: join(PORTAL, 'index.html'),
    sources: ['portal', 'integrations/guides.ts', 'vite.config.ts', 'vite.parts.ts', 'package-lock.json'],
    command: [
      join(ROOT, 'node_modules/vite/bin/vite.js'),
      'build',
      '--outDir',
      MAKING,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    place: placePortal,
  },
];

// Renames the finished build into place, because another process may be starting from the same folder.
function placePortal() {
  rmSync(PORTAL, { recursive: true, force: true });
  try {
    renameSync(MAKING, PORTAL);
  } catch (error) {
    rmSync(MAKING, { recursive: true, force: true });
    // The other process was faster and has made the same build.
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
  }
}

function modifiedAt(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  const below = stat.isDirectory() ? readdirSync(path).map((name) => modifiedAt(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...below);
}

function isStale({ product, sources }) {
  return modifiedAt(product) < Math.max(...sources.map((source) => modifiedAt(join(ROOT, source))));
}

const children = new Set();

// The server replaces these handlers. Nothing has begun before, so there is nothing to finish.
function stop() {
  for (const child of children) child.kill('SIGKILL');
  rmSync(MAKING, { recursive: true, force: true });
  process.exit(0);
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);

function build({ what, command, place = () => {} }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
    children.add(child);
    child.on('error', () => resolve(what));
    child.on('exit', (code, signal) => {
      children.delete(child);
      // The whole group got a signal, and the handler above ends this process too.
      if (signal === 'SIGINT' || signal === 'SIGTERM') return;
      if (code === 0) place();
      resolve(code === 0 ? null : what);
    });
  });
}

const stale = BUILDS.filter(isStale);
if (stale.length > 0 && !existsSync(join(ROOT, 'node_modules'))) {
  console.error('The packages of this project are not installed: run "npm ci" first.');
  process.exit(1);
}
const failed = await Promise.all(stale.map(build));
if (failed.includes('server')) process.exit(1);
if (failed.includes('portal')) console.error('The portal could not be built; the gateway runs without it.');
// The next start takes the compiled code from there: a fifth less processor time, and less memory.
const COMPILED = join(ROOT, 'dist/compile-cache');
enableCompileCache(COMPILED);
// For the processes that WORKERS asks for.
process.env.NODE_COMPILE_CACHE ??= COMPILED;
await import(pathToFileURL(SERVER).href);
