// Runs the blob contract on files, and tests permissions, clean-up and disk errors.
import type * as Files from 'node:fs';
import { mkdtemp, readdir, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { blobsContract } from './blobs-contract.ts';

const disk = vi.hoisted(() => ({ isFull: false }));

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof Files>();
  const unlessFull =
    <A extends unknown[], R>(make: (...args: A) => R) =>
    (...args: A): R => {
      if (disk.isFull) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      return make(...args);
    };
  return { ...fs, mkdtempSync: unlessFull(fs.mkdtempSync), writeFileSync: unlessFull(fs.writeFileSync) };
});

const makeRoot = () => mkdtemp(join(tmpdir(), 'blobs-'));
const remove = (root: string) => rm(root, { recursive: true, force: true });

blobsContract('fs', async () => {
  const root = await makeRoot();
  return { blobs: createFsBlobs(join(root, 'made/on/demand')), close: () => remove(root) };
});

async function tree(under: string): Promise<{ path: string; file: boolean }[]> {
  const entries = await readdir(under, { recursive: true, withFileTypes: true });
  return entries.map((entry) => ({ path: join(entry.parentPath, entry.name), file: entry.isFile() }));
}

/**
 * Lists the open files of this process below a folder. Other processes open and close their own files there.
 */
async function openFiles(under: string): Promise<string[]> {
  const all = await readdir('/proc/self/fd');
  const links = await Promise.all(all.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(under));
}

describe('blobs: fs, on the disk', () => {
  let root: string;
  beforeAll(async () => (root = await makeRoot()));
  afterAll(() => remove(root));

  it('creates folders with mode 0700 and files with mode 0600', async () => {
    const under = join(root, 'modes');
    await createFsBlobs(under).put('a/b/c', new Uint8Array(3));
    const found = await tree(under);
    expect(found.filter((entry) => entry.file)).toHaveLength(1);
    for (const { path, file } of [{ path: under, file: false }, ...found]) {
      expect((await stat(path)).mode & 0o777, path).toBe(file ? 0o600 : 0o700);
    }
  });

  it('leaves no file after a failed put and no folder after a delete', async () => {
    const under = join(root, 'clean');
    const blobs = createFsBlobs(under);
    const empty = await tree(under);
    const failing = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('gone')),
    });
    await expect(blobs.put('a/b/c', failing)).rejects.toThrow('gone');
    await blobs.put('d/e/f', new Uint8Array(3));
    await blobs.delete('d/e/f');
    expect(await tree(under)).toEqual(empty);
  });

  it('removes old temporary files at the start and keeps fresh ones', async () => {
    const under = join(root, 'stale');
    createFsBlobs(under);
    const [temporary] = await tree(under);
    const [old, fresh] = ['old', 'fresh'].map((name) => join(temporary?.path ?? '', name));
    for (const path of [old, fresh]) await writeFile(path ?? '', 'half');
    await utimes(old ?? '', 1_000_000_000, 1_000_000_000);
    createFsBlobs(under);
    expect((await tree(under)).filter((entry) => entry.file)).toEqual([{ path: fresh, file: true }]);
  });

  it('removes old temporary files when it lists blobs', async () => {
    const under = join(root, 'left');
    const blobs = createFsBlobs(under);
    const [temporary] = await tree(under);
    const left = join(temporary?.path ?? '', 'left');
    await writeFile(left, 'half');
    await utimes(left, 1_000_000_000, 1_000_000_000);
    expect(await Array.fromAsync(blobs.list(''))).toEqual([]);
    expect((await tree(under)).filter((entry) => entry.file)).toEqual([]);
  });

  it('starts, lists and deletes on a full disk', async () => {
    const under = join(root, 'full');
    const blobs = createFsBlobs(under);
    await blobs.put('a/b', new Uint8Array(3));
    disk.isFull = true;
    expect(await Array.fromAsync(blobs.list('a/'))).toEqual(['a/b']);
    await createFsBlobs(under).delete('a/b');
    disk.isFull = false;
    expect(await Array.fromAsync(blobs.list(''))).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'closes every file, whether it was read whole, cancelled or never read',
    async () => {
      const under = join(root, 'open');
      const blobs = createFsBlobs(under);
      await blobs.put('large', new Uint8Array(2_000_000));
      await blobs.put('small', new Uint8Array(2_000));
      const held = (await blobs.get('large'))?.body;
      expect(await openFiles(under)).toHaveLength(1);
      await held?.cancel();
      for (let round = 0; round < 10; round++) {
        await new Response((await blobs.get('large'))?.body).arrayBuffer();
        const reader = (await blobs.get('large'))?.body.getReader();
        const reading = reader?.read();
        await reader?.cancel();
        await reading;
        await (await blobs.get('large'))?.body.cancel();
        await blobs.get('small');
      }
      expect(await openFiles(under)).toEqual([]);
    },
  );

  it('reports a disk failure as its own error with the cause', async () => {
    const blobs = createFsBlobs(join(root, 'long'));
    const error = await blobs.put('x'.repeat(300), new Uint8Array(1)).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^\[blobs\] cannot store/),
      cause: { code: 'ENAMETOOLONG' },
    });
  });
});
