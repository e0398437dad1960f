// Builds the portal when its build is missing or older than its sources, so that `npm start` is enough.
import { spawn } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FROM_SOURCE, PORTAL_DIR, ROOT } from './places.ts';

const SOURCES = ['portal', 'vite.config.ts'];

/** False when a build was needed and failed; the gateway then runs without its portal. */
export async function buildPortalIfStale(): Promise<boolean> {
  if (!FROM_SOURCE || (await builtAt()) >= (await changedAt())) return true;
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
  });
}

async function builtAt(): Promise<number> {
  return modifiedAt(join(PORTAL_DIR, 'index.html'));
}

async function changedAt(): Promise<number> {
  const files = await Promise.all(SOURCES.map((source) => listFiles(join(ROOT, source))));
  return Math.max(0, ...(await Promise.all(files.flat().map(modifiedAt))));
}

async function listFiles(path: string): Promise<string[]> {
  const entries = await readdir(path, { recursive: true }).catch(() => []);
  return [path, ...entries.map((entry) => join(path, entry))];
}

async function modifiedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
