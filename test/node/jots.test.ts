// Checks uploads over real sockets: tar programs, clients that vanish, and a full disk. reference: Jot serving; Jot uploads
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as open } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { asFiles, done, INDEX_HTML, tarball } from '../support/jots.ts';
import { waitUntil } from '../support/wait.ts';
import { openConnection } from './connections.ts';

let site: Site;
let gateway: Gateway & Banner;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jots-'));
  site = await openSite();
  gateway = await site.start();
});
afterAll(async () => {
  await site.close();
  await rm(folder, { recursive: true, force: true });
});

const tool = (name: string, args: object, through = gateway) =>
  done(through, { keyHeader: { 'x-service-api-key': gateway.apiKey } }, name, args);
const publish = (name: string, files: Record<string, string> = {}) =>
  tool('deploy_jot', { name, files: asFiles({ 'index.html': INDEX_HTML, ...files }) });

/** Lists every file below the folder of blobs, including unfinished ones. */
const filesOnDisk = (under = join(site.dataDir, 'blobs')): string[] =>
  readdirSync(under, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();

/** Calls a tool over REST, because results over MCP have a size limit. */
async function throughRest(name: string, args: object) {
  const response = await gateway.request('/rest/jots', {
    method: 'POST',
    headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ tool: name, args }),
  });
  return response.json();
}

const until = (what: string, holds: () => boolean) =>
  waitUntil(what, holds, () => ({ files: filesOnDisk(), output: gateway.output.stdout.slice(-2_000) }));

async function shell(
  command: string,
  cwd: string,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawn('sh', ['-c', command], { cwd });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

const hasBsdtar = spawnSync('bsdtar', ['--version']).error === undefined;
if (!hasBsdtar) {
  if (process.env['REQUIRE_SERVICES'] === '1') throw new Error('there is no bsdtar, and REQUIRE_SERVICES=1');
  process.stderr.write('SKIPPED tarballs of bsdtar: it is not installed (libarchive-tools)\n');
}

/** The repository lies outside of the folder that is packed. */
const GIT = 'git --git-dir=../source.git -c user.name=a -c user.email=a@example.com';

describe('A tarball of a real program', () => {
  const tree = new Map<string, Buffer>();
  let source: string;
  beforeAll(() => {
    source = join(folder, 'source');
    const long = 'a-name-that-goes-on-'.repeat(6);
    const names = [
      'index.html',
      `${long}.txt`,
      `${long}/${long}/${long}.txt`,
      `d/${'y'.repeat(240)}.bin`,
      `${'deep/'.repeat(40)}bottom.txt`,
      `${'p'.repeat(150)}/${'n'.repeat(99)}`,
      'ünï cödé — 漢字 🎈.txt',
      'spaces  and %41 & ?#=+.txt',
      '.hidden',
      'empty',
    ];
    const rest = Array.from({ length: 2_000 - names.length }, (_, n) => `many/${n % 50}/file-${n}.txt`);
    for (const name of [...names, ...rest]) {
      const size = name === 'empty' ? 0 : name === '.hidden' ? 700_000 : 1 + (tree.size % 1_500);
      tree.set(name, randomBytes(size));
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), tree.get(name) ?? '');
    }
    const commit = `${GIT} init -q && ${GIT} --work-tree=. add -A && ${GIT} --work-tree=. commit -qm tree`;
    expect(spawnSync('sh', ['-c', commit], { cwd: source, encoding: 'utf8' }).stderr).toBe('');
  });

  it.each([
    ['GNU tar', 'tar czf - .'],
    ['GNU tar, pax headers', 'tar --format=pax -czf - .'],
    ['GNU tar, global pax headers', 'tar --format=pax --pax-option=comment=hello -czf - .'],
    ['git archive', `${GIT} archive --format=tar.gz HEAD`],
    ...(hasBsdtar
      ? [
          ['bsdtar', 'bsdtar czf - .'],
          ['bsdtar, GNU format', 'bsdtar --format=gnutar -czf - .'],
        ]
      : []),
  ])('keeps the names and bytes of 2,000 files: %s', async (_program, command) => {
    const { example } = await tool('deploy_jot', { name: 'tree' });
    expect(example).toMatch(/^tar czf - \. \| curl --data-binary @- http:/);
    const line = example.replace(/^tar czf - \./, command).replace('curl', 'curl -sS');
    const { code, stdout, stderr } = await shell(line, source);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'tree', files: 2_000 });

    const { result } = await throughRest('get_jot', { name: 'tree' });
    const stored = result.files.map(
      ({ path, hash }: { path: string; hash: string }) => [path, hash] as const,
    );
    const expected = [...tree].map(
      ([path, bytes]) => [path, createHash('sha256').update(bytes).digest('hex')] as const,
    );
    expect(new Map(stored)).toEqual(new Map(expected));
    for (const path of [...tree.keys()].slice(0, 40)) {
      const address = path.split('/').map(encodeURIComponent).join('/');
      const response = await gateway.request(`/j/tree/${address}`);
      expect(Buffer.from(await response.arrayBuffer()).equals(tree.get(path) ?? Buffer.of(1)), path).toBe(
        true,
      );
    }
  });
});

describe('An upload that is refused before its end', () => {
  it('still tells curl why', async () => {
    writeFileSync(join(folder, 'noise'), randomBytes(40 * 1024 * 1024));
    writeFileSync(join(folder, 'junk'), Buffer.alloc(40 * 1024 * 1024, 'junk'));
    for (const [file, code] of [
      ['noise', 'BAD_ARCHIVE'],
      ['junk', 'BAD_ARCHIVE'],
    ]) {
      const { uploadUrl } = await tool('deploy_jot', { name: 'refused' });
      const answer = await shell(`curl -sS --data-binary @${file} ${uploadUrl}`, folder);
      expect(answer).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(answer.stdout)).toMatchObject({ error: code });
    }
    const { uploadUrl } = await tool('deploy_jot', { name: 'refused' });
    mkdirSync(join(folder, 'large'));
    writeFileSync(join(folder, 'large/index.html'), randomBytes(40 * 1024 * 1024));
    const answer = await shell(`tar czf - -C large . | curl -sS --data-binary @- ${uploadUrl}`, folder);
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(answer.stdout)).toMatchObject({ error: 'TOO_LARGE' });
    // This test sends 40 MiB three times.
  }, 120_000);
});

describe('A client that vanishes during an upload', () => {
  it.each([0, 1_000, 300_000, 1_500_000])(
    'after %i bytes leaves the live jot as it was, and no file on the disk',
    async (sent) => {
      await publish('vanish', { 'a.txt': 'a' });
      const before = filesOnDisk();
      const { uploadUrl } = await tool('deploy_jot', { name: 'vanish' });
      const files = Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [`${n}.bin`, randomBytes(n === 20 ? 1_000_000 : 20_000)]),
      );
      const archive = tarball({ ...files, 'index.html': 'new' });
      expect(archive.length).toBeGreaterThan(1_600_000);
      const begun = gateway.output.stdout.length;
      const upload = open(uploadUrl, {
        method: 'POST',
        headers: { 'content-length': archive.length, expect: '100-continue' },
      });
      upload.on('error', () => {});
      upload.flushHeaders();
      await once(upload, 'continue');
      upload.write(archive.subarray(0, sent));
      // Some of it has been staged by now.
      if (sent > 1_000) await until('a new file', () => filesOnDisk().length > before.length);
      upload.destroy();
      await until('the log line', () => gateway.output.stdout.includes('"route":"/j/upload/:token"', begun));
      await until('the end of the new file', () => filesOnDisk().length === before.length);
      expect(filesOnDisk()).toEqual(before);
      expect(await (await gateway.request('/j/vanish/')).text()).toBe(INDEX_HTML);
    },
  );
});

describe('Path traversal in the raw request target', () => {
  it.each([
    '/j/raw/../../etc/passwd',
    '/j/raw/%2e%2e/%2E%2E/etc/passwd',
    '/j/raw/..',
    '/j/raw/.%2e/x',
    '/j/raw/..%2fx',
    '/j/raw/a/../../other/index.html',
    '/j/../api/jots',
    '/j/raw/..%5cx',
  ])('%s gets a 403', async (target) => {
    await publish('raw');
    const socket = await openConnection(gateway);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost:${gateway.port}\r\nConnection: close\r\n\r\n`);
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer.split('\r\n')[0]).toBe('HTTP/1.1 403 Forbidden');
    expect(answer).not.toMatch(/content-security-policy/i);
  });

  it('is not seen in names or queries with dots', async () => {
    await publish('dots', { '..a/b..txt': 'fine' });
    expect(await (await gateway.request('/j/dots/..a/b..txt?next=/../x')).text()).toBe('fine');
  });
});

describe('Several processes on one store', () => {
  it('see a deploy, a new password and a deletion at once', async () => {
    const other = await site.start();
    await publish('shared', { 'a.txt': 'one' });
    const read = async () => (await other.request('/j/shared/a.txt')).text();
    expect(await read()).toBe('one');
    await publish('shared', { 'a.txt': 'two' });
    expect(await read()).toBe('two');
    await tool('update_jot', { name: 'shared', access: 'password', password: 'p' });
    expect((await other.request('/j/shared/a.txt')).status).toBe(401);
    await tool('delete_jot', { name: 'shared' }, other);
    expect((await gateway.request('/j/shared/a.txt')).status).toBe(404);
    await other.stop();
  });

  it('let one upload of a token win', async () => {
    const other = await site.start();
    const archive = tarball({ 'index.html': 'x' });
    for (let round = 0; round < 5; round++) {
      const { uploadUrl } = await tool('deploy_jot', { name: 'token-race' });
      const path = new URL(uploadUrl).pathname;
      const answers = await Promise.all(
        [gateway, other, gateway, other].map((one) => one.request(path, { method: 'POST', body: archive })),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(3);
    }
    await other.stop();
  });
});

describe('A process that is killed during an upload', () => {
  it('leaves the live jot as it was', async () => {
    await publish('killed');
    const victim = await site.start();
    const { uploadUrl } = await tool('deploy_jot', { name: 'killed' });
    const archive = tarball({
      'index.html': 'new',
      'a.bin': randomBytes(100_000),
      'b.bin': randomBytes(500_000),
    });
    const before = filesOnDisk().length;
    const upload = open(`${victim.base}${new URL(uploadUrl).pathname}`, {
      method: 'POST',
      headers: { 'content-length': archive.length },
    });
    upload.on('error', () => {});
    upload.write(archive.subarray(0, 300_000));
    await until('a new file', () => filesOnDisk().length > before);
    victim.signal('SIGKILL', 'group');
    await victim.exited;
    expect(await (await gateway.request('/j/killed/')).text()).toBe(INDEX_HTML);
    await publish('killed', { 'b.txt': 'b' });
    expect(await (await gateway.request('/j/killed/b.txt')).text()).toBe('b');
  });
});

const DISK = join(tmpdir(), `jots-disk-${process.pid}`);
mkdirSync(DISK);
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', DISK]).status === 0;
if (!canMount) process.stderr.write('SKIPPED a full disk: no small file system can be mounted here\n');

describe('A full disk', () => {
  afterAll(() => {
    if (canMount) spawnSync('umount', ['-l', DISK]);
    return rm(DISK, { recursive: true, force: true });
  });

  it.runIf(canMount)(
    'fails the deploy with DEPLOY_FAILED, keeps the live jot, and gets its space back',
    async () => {
      const small = await site.start({ env: { BLOBS_URL: `fs:${DISK}` } });
      const files = (content: string) => asFiles({ 'index.html': content, 'a.txt': 'a' });
      await tool('deploy_jot', { name: 'disk', files: files('live') }, small);
      const before = filesOnDisk(DISK);
      const { uploadUrl } = await tool('deploy_jot', { name: 'disk' }, small);
      const large = Object.fromEntries(
        Array.from({ length: 30 }, (_, n) => [`${n}.bin`, randomBytes(100_000)]),
      );
      const archive = tarball({ 'index.html': 'new', ...large, 'big.bin': randomBytes(1_000_000) });
      const response = await small.request(new URL(uploadUrl).pathname, { method: 'POST', body: archive });
      expect([response.status, await response.json()]).toEqual([
        500,
        { error: 'DEPLOY_FAILED', message: expect.any(String) },
      ]);
      expect(filesOnDisk(DISK)).toEqual(before);
      expect(await (await small.request('/j/disk/')).text()).toBe('live');
      await tool('deploy_jot', { name: 'disk', files: files('next') }, small);
      expect(await (await small.request('/j/disk/')).text()).toBe('next');
      await small.stop();
    },
  );
});
