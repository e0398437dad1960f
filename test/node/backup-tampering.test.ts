// Tests that npm run restore takes nothing but plain files from a backup that somebody has changed. docs/operating.md
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openSite, type Site } from '../support/gateway-process.ts';
import { asFiles, done } from '../support/jots.ts';

// Each command is a process of its own, which takes seconds on a loaded machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const run = promisify(execFile);

let from: Site;
let to: Site;
/** What the backup contains, unpacked. Each test changes a copy. */
let original: string;
let changed: string;
let file: string;

beforeAll(async () => {
  from = await openSite();
  const gateway = await from.start();
  const owner = { keyHeader: { 'x-service-api-key': gateway.apiKey } };
  await done(gateway, owner, 'deploy_jot', { name: 'a', files: asFiles({ 'index.html': 'whole' }) });
  const made = join(dirname(from.dataDir), 'made.tar.gz');
  expect(await from.backup([made, '--with-secrets'])).toMatchObject({ code: 0 });
  await gateway.stop();
  original = join(dirname(from.dataDir), 'original');
  await mkdir(original);
  await run('tar', ['-xzf', made, '-C', original]);
});
afterAll(() => from.close());

beforeEach(async () => {
  to = await openSite();
  changed = join(dirname(to.dataDir), 'changed');
  file = join(dirname(to.dataDir), 'changed.tar.gz');
  await run('cp', ['-a', original, changed]);
});
afterEach(() => to.close());

async function restore() {
  await run('tar', ['-czf', file, '-C', changed, '.']);
  return to.restore([file]);
}

/** Finds a file of the jot. */
async function findBlob(): Promise<string> {
  const blobs = join(changed, 'blobs');
  for (const { parentPath, name } of await readdir(blobs, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    if ((await lstat(path)).isFile()) return path;
  }
  throw new Error('the backup has no blobs');
}

async function replaceByLink(path: string, target: string): Promise<void> {
  await rm(path, { recursive: true });
  await symlink(target, path);
}

it.each<[string, () => Promise<void>]>([
  ['the blobs are a link to another folder', () => replaceByLink(join(changed, 'blobs'), from.dataDir)],
  ['a blob is a link to a file of the machine', async () => replaceByLink(await findBlob(), '/etc/passwd')],
  [
    'the database is a link to a whole database',
    async () => {
      await rename(join(changed, 'service.db'), join(dirname(changed), 'copy.db'));
      await symlink(join(dirname(changed), 'copy.db'), join(changed, 'service.db'));
    },
  ],
  ['a link leads to a folder beside it', () => symlink('.', join(changed, 'browsers', 'a'))],
  [
    'a pipe is among the blobs',
    async () => {
      await run('mkfifo', [join(changed, 'blobs', 'pipe')]);
    },
  ],
  [
    'a blob is a second name of the key',
    async () => link(join(changed, 'encryption-key'), `${await findBlob()}2`),
  ],
])('refuses a backup when %s, and leaves the folder empty', async (_, change) => {
  await change();
  expect(await restore()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/neither a file nor a folder|second name/),
  });
  expect(await readdir(to.dataDir)).toEqual([]);
});

it.each<[string, () => Promise<void>]>([
  ['was changed', async () => appendFile(await findBlob(), 'more')],
  ['was added', () => writeFile(join(changed, 'blobs', 'added'), '')],
  ['is missing', async () => rm(await findBlob())],
  ['has another name', async () => rename(await findBlob(), join(changed, 'blobs', 'renamed'))],
])('refuses a backup in which a blob %s', async (_, change) => {
  await change();
  expect(await restore()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('checksum of its files differs'),
  });
  expect(await readdir(to.dataDir)).toEqual([]);
});

it('restores files that only their owner can read, whatever the backup says', async () => {
  for (const name of ['encryption-key', 'service.db']) await chmod(join(changed, name), 0o6666);
  await chmod(join(changed, 'blobs'), 0o1777);
  await chmod(await findBlob(), 0o777);
  expect(await restore()).toMatchObject({ code: 0 });
  for (const { parentPath, name } of await readdir(to.dataDir, { recursive: true, withFileTypes: true })) {
    const entry = await lstat(join(parentPath, name));
    expect([name, (entry.mode & 0o7777).toString(8)]).toEqual([name, entry.isFile() ? '600' : '700']);
  }
});

it('restores a backup of an earlier version, which has no checksum of its files', async () => {
  const description = join(changed, 'backup.json');
  const { contents: _, ...earlier } = JSON.parse(await readFile(description, 'utf8'));
  await writeFile(description, JSON.stringify(earlier));
  expect(await restore()).toMatchObject({ code: 0 });
  expect(existsSync(join(to.dataDir, 'service.db'))).toBe(true);
});
