// Tests which files of the built portal are served, and with which content type.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFsAssets } from '../../drivers/assets/fs.ts';
import { createNoAssets } from '../../drivers/assets/none.ts';
import type { Assets } from '../../src/ports/assets.ts';

const LONG = 'a { color: red; }\n'.repeat(100);

describe('assets: fs', () => {
  let folder: string;
  let assets: Assets;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assets-'));
    const root = join(folder, 'portal');
    await mkdir(join(root, 'assets'), { recursive: true });
    for (const extension of [
      'html',
      'js',
      'css',
      'svg',
      'png',
      'ico',
      'woff2',
      'json',
      'webmanifest',
      'txt',
      'map',
      'bin',
    ]) {
      await writeFile(join(root, `file.${extension}`), extension);
    }
    await writeFile(join(root, 'long.css'), LONG);
    await writeFile(join(root, 'assets/index-abc.js'), 'code');
    await writeFile(join(folder, 'secret.txt'), 'secret');
    await symlink(join(folder, 'secret.txt'), join(root, 'link.txt'));
    assets = createFsAssets(root);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('returns the whole file, also the second time', async () => {
    for (let round = 0; round < 2; round++) {
      const asset = await assets.get('file.html');
      expect(new TextDecoder().decode(asset?.body)).toBe('html');
      expect(asset).toMatchObject({ contentType: 'text/html; charset=utf-8', immutable: false });
    }
  });

  it('serves the new files after the portal is rebuilt', async () => {
    const root = await mkdtemp(join(tmpdir(), 'assets-'));
    await writeFile(join(root, 'index.html'), 'old');
    await writeFile(join(root, 'old.js'), 'old');
    const running = createFsAssets(root);
    expect(await running.get('index.html')).not.toBeNull();
    await rm(join(root, 'old.js'));
    await writeFile(join(root, 'index.html'), 'new');
    await writeFile(join(root, 'new.js'), 'new');
    expect(await running.get('old.js')).toBeNull();
    for (const path of ['index.html', 'new.js'])
      expect(new TextDecoder().decode((await running.get(path))?.body), path).toBe('new');
    await rm(root, { recursive: true });
  });

  it.each([
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
    ['svg', 'image/svg+xml'],
    ['png', 'image/png'],
    ['ico', 'image/x-icon'],
    ['woff2', 'font/woff2'],
    ['json', 'application/json'],
    ['webmanifest', 'application/manifest+json'],
    ['txt', 'text/plain; charset=utf-8'],
    ['map', 'application/json'],
    ['bin', 'application/octet-stream'],
  ])('serves .%s as %s', async (extension, contentType) => {
    expect((await assets.get(`file.${extension}`))?.contentType).toBe(contentType);
  });

  it('offers a gzip body only when compression makes the file smaller', async () => {
    const asset = await assets.get('long.css');
    expect(gunzipSync(asset?.gzip ?? '').toString()).toBe(LONG);
    expect(asset?.gzip?.length).toBeLessThan(LONG.length);
    expect((await assets.get('file.css'))?.gzip).toBeUndefined();
  });

  it('marks hashed files as immutable', async () => {
    expect((await assets.get('assets/index-abc.js'))?.immutable).toBe(true);
  });

  it.each([
    '',
    '.',
    '/',
    'assets',
    'assets/',
    'absent.js',
    '/file.html',
    './file.html',
    'assets/../file.html',
    '../secret.txt',
    'link.txt',
    'file.html\0',
    'file.html/',
    'assets\\index-abc.js',
    'FILE.HTML',
  ])('returns null for %j', async (path) => {
    expect(await assets.get(path)).toBeNull();
  });

  it('returns null when the root folder is missing', async () => {
    expect(await createFsAssets(join(folder, 'absent')).get('index.html')).toBeNull();
  });
});

it('returns null for every file when there is no portal', async () => {
  expect(await createNoAssets().get('index.html')).toBeNull();
});
