// Tests keeping files: uploads, downloads, links and what is stored. reference: Files; decision: 035
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFsBlobs } from '../../drivers/blobs/fs.ts';
import { FILE_LINK_SECONDS } from '../../src/files/limits.ts';
import { FILE_SECONDS } from '../../src/kit/shape-limits.ts';
import { UPLOAD_SECONDS } from '../../src/http/limits.ts';
import { downloadFile, type FileObject, fileIn, pathOf, putFile, storedKeys } from '../support/files.ts';
import { done, run } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { maintainOnce } from '../../src/maintenance/sweep.ts';

let app: TestApp;
let ana: TestUser;
let bea: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user('ana@example.com');
  bea = await app.user('bea@example.com');
});
afterAll(() => app.close());

const CHUNK = 64 * 1024;
const UNKNOWN = { error: 'This file is unknown or has expired' };
const NO_UPLOAD = { error: 'This upload address is unknown, used or too old. Ask for a new one' };

const offer = async (user: TestUser, args: object = {}): Promise<string> =>
  (await done(app, user, 'upload_file', args)).uploadUrl;

async function keep(user: TestUser, bytes: BodyInit, args: object = {}): Promise<FileObject> {
  const { status, body } = await putFile(
    app,
    await offer(user, args),
    typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  );
  expect(status).toBe(201);
  return fileIn(body);
}

const get = (user: TestUser, handle: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(`/f/${handle}`, { method, headers: { ...user.keyHeader, ...headers } });

describe('An upload', () => {
  it.each([1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 1_000_003])(
    'of %i bytes comes back unchanged',
    async (size) => {
      const bytes = randomBytes(size);
      const file = await keep(ana, bytes, { name: 'a.bin' });
      expect(file).toMatchObject({
        name: 'a.bin',
        mimeType: 'application/octet-stream',
        bytes: size,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      expect((await downloadFile(app, { file })).equals(bytes)).toBe(true);
    },
  );

  it('is described by the tool, with a command that does it', async () => {
    const offered = await done(app, ana, 'upload_file', { name: "it's ü.pdf" });
    expect(offered).toEqual({
      uploadUrl: expect.stringMatching(/^http:\/\/localhost:3000\/f\/[0-9a-f]{64}$/),
      expiresAt: app.clock.now() + UPLOAD_SECONDS,
      curl: `curl -T './it_s ü.pdf' '${offered.uploadUrl}'`,
      next: expect.stringContaining('file:<handle>'),
    });
  });

  it('takes its name and type from the request, else from the tool call, else from the name', async () => {
    const put = async (args: object, query: string, headers: Record<string, string>) =>
      fileIn((await putFile(app, await offer(ana, args), 'x', { query, headers })).body);
    const told = { name: 'a.txt', mimeType: 'text/csv' };
    const curl = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await put(told, '', curl)).toMatchObject({ name: 'a.txt', mimeType: 'text/csv' });
    expect(await put(told, '?name=b.png', { 'content-type': 'image/png; x=y' })).toMatchObject({
      name: 'b.png',
      mimeType: 'image/png',
    });
    const disposition = { ...curl, 'content-disposition': `attachment; filename*=UTF-8''%C3%BC.pdf` };
    expect(await put({}, '', disposition)).toMatchObject({ name: 'ü.pdf', mimeType: 'application/pdf' });
    const wrong = { 'content-type': 'text/<b>' };
    expect(await put({}, '', wrong)).toMatchObject({ name: 'file', mimeType: 'application/octet-stream' });
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ana\\a.txt', 'a.txt'],
    ['a\u202etxt.exe', 'atxt.exe'],
    ['a\r\nX: y\u0000.txt', 'aX: y.txt'],
    [`${'ü'.repeat(300)}.pdf`, `${'ü'.repeat(251)}.pdf`],
    [`a${'😀'.repeat(200)}.pdf`, `a${'😀'.repeat(125)}.pdf`],
    ['..', 'file'],
    [' / ', 'file'],
  ])('cleans the name %j', async (given, name) => {
    expect(await keep(ana, 'x', { name: given })).toMatchObject({ name });
  });

  it('works once, by POST too, even if it fails', async () => {
    const first = await offer(ana);
    expect((await putFile(app, first, 'x', { method: 'POST' })).status).toBe(201);
    expect(await putFile(app, first, 'x')).toEqual({ status: 404, body: NO_UPLOAD });
    const second = await offer(ana);
    expect(await putFile(app, second, new Uint8Array())).toEqual({
      status: 400,
      body: { error: 'The upload is empty: send the file as the body' },
    });
    expect((await putFile(app, second, 'x')).status).toBe(404);
    expect((await putFile(app, `http://x/f/${'0'.repeat(64)}`, 'x')).status).toBe(404);
  });

  it('is stored by exactly one of many requests at once', async () => {
    const url = await offer(ana);
    const all = await Promise.all(Array.from({ length: 20 }, () => putFile(app, url, 'x')));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 404)).toHaveLength(19);
  });

  it('is refused after 15 minutes', async () => {
    const url = await offer(ana);
    app.clock.advance(UPLOAD_SECONDS);
    expect((await putFile(app, url, 'x')).status).toBe(404);
  });

  it('is refused as a form, and the address stays usable', async () => {
    const url = await offer(ana);
    const form = new FormData();
    form.set('file', new File(['x'], 'a'));
    expect(await putFile(app, url, form)).toMatchObject({
      status: 415,
      body: { error: expect.stringContaining('curl -T') },
    });
    expect((await putFile(app, url, 'x')).status).toBe(201);
  });

  it('that breaks off leaves nothing', async () => {
    const before = await storedKeys(app);
    const url = await offer(ana);
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        pulls++ < 3 ? controller.enqueue(randomBytes(CHUNK)) : controller.error(new Error('gone')),
    });
    expect(await putFile(app, url, body)).toEqual({ status: 400, body: { error: 'The upload broke off' } });
    expect(await storedKeys(app)).toEqual(before);
  });

  it('is made at once from text, base64 or a public address', async () => {
    const text = fileIn(await done(app, ana, 'upload_file', { name: 'a', content: 'Grüße' }));
    expect(text).toMatchObject({ name: 'a', mimeType: 'text/plain' });
    expect((await downloadFile(app, { file: text })).toString()).toBe('Grüße');
    const bytes = fileIn(await done(app, ana, 'upload_file', { name: 'a.png', contentBase64: '/9j/4A==' }));
    expect(bytes).toMatchObject({ name: 'a.png', mimeType: 'image/png', bytes: 4 });
    const large = await run(app, ana, 'upload_file', { content: 'x'.repeat(64 * 1024 + 1) });
    expect(JSON.stringify(large)).toContain('content may have up to 64 KiB');
  });
});

describe('A download', () => {
  it('has headers under which nothing runs on this origin', async () => {
    const { handle, url } = await keep(ana, '<script>alert(1)</script>', { name: 'ü "a".html' });
    for (const answer of [await get(ana, handle), await app.request(pathOf(url))])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'text/html',
        'content-disposition': `attachment; filename="_ _a_.html"; filename*=UTF-8''%C3%BC%20%22a%22.html`,
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
        'cross-origin-resource-policy': 'same-origin',
        'content-length': '25',
      });
  });

  it('gives any part, and its length to HEAD', async () => {
    const bytes = randomBytes(3 * CHUNK + 7);
    const { handle, sha256 } = await keep(ana, bytes);
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      [`bytes=${CHUNK - 1}-${CHUNK}`, CHUNK - 1, CHUNK + 1],
      [`bytes=${CHUNK}-${2 * CHUNK - 1}`, CHUNK, 2 * CHUNK],
      ['bytes=-5', bytes.length - 5, bytes.length],
      [`bytes=${2 * CHUNK}-`, 2 * CHUNK, bytes.length],
    ] as const) {
      const answer = await get(ana, handle, { range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${bytes.length}`,
      ]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(start, end))).toBe(true);
    }
    const beyond = await get(ana, handle, { range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    const head = await get(ana, handle, {}, 'HEAD');
    expect([head.headers.get('content-length'), head.headers.get('etag'), await head.text()]).toEqual([
      String(bytes.length),
      `"${sha256.slice(0, 32)}"`,
      '',
    ]);
  });

  it('takes a key, a session or an access token of its owner', async () => {
    const { handle } = await keep(ana, 'x');
    const accessToken = app.deps.accessTokens.issue({ userId: ana.id, clientId: 'c', scope: 'mcp' });
    for (const headers of [
      ana.keyHeader,
      ana.sessionHeader,
      { authorization: `Bearer ${accessToken}` },
    ] as Record<string, string>[])
      expect((await app.request(`/f/${handle}`, { headers })).status).toBe(200);
  });

  it('says the same of unknown, foreign, deleted and expired files', async () => {
    const { handle } = await keep(ana, 'x');
    const deleted = await keep(ana, 'x');
    await done(app, ana, 'delete_file', { file: `file:${deleted.handle}` });
    const changed = handle.replace(/-[0-9a-z]+-/, '-zzzzzz-');
    const asked = [
      await get(bea, handle),
      await get(ana, deleted.handle),
      await get(ana, changed),
      await get(ana, 'f-1-1-00000000000000000000000000000000'),
      await get(ana, 'x'.repeat(300)),
    ];
    expect((await get(ana, handle)).status).toBe(200);
    app.clock.advance(FILE_SECONDS);
    asked.push(await get(ana, handle));
    for (const answer of asked)
      expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 404, body: UNKNOWN });
  });

  it('asks a stranger for a link, whether the file exists or not', async () => {
    const { handle } = await keep(ana, 'x');
    const answers = await Promise.all(
      [handle, handle.replace(/.$/, '0'), 'f-1'].map(async (each) => {
        const answer = await app.request(`/f/${each}`);
        return { status: answer.status, body: await answer.json() };
      }),
    );
    expect(answers[0]?.status).toBe(401);
    expect(answers.map((answer) => JSON.stringify(answer))).toEqual(
      answers.map(() => JSON.stringify(answers[0])),
    );
  });
});

describe('A link', () => {
  it('works for whoever holds it, for an hour', async () => {
    const { handle, url } = await keep(ana, 'secret');
    expect(await (await app.request(pathOf(url))).text()).toBe('secret');
    app.clock.advance(FILE_LINK_SECONDS - 1);
    expect((await app.request(pathOf(url))).status).toBe(200);
    app.clock.advance(1);
    expect((await app.request(pathOf(url))).status).toBe(401);
    const fresh = fileIn(await done(app, ana, 'get_file', { file: handle }));
    expect((await app.request(pathOf(fresh.url))).status).toBe(200);
  });

  it('opens no other file, not for longer, and nothing else', async () => {
    const one = await keep(ana, 'one');
    const other = await keep(ana, 'other');
    const key = new URL(one.url).searchParams.get('k') ?? '';
    const [, expiry = '', rest = ''] = /^([^-]+)(-.*)$/.exec(key) ?? [];
    const later = (Number.parseInt(expiry, 36) + 1).toString(36);
    for (const path of [
      `/f/${other.handle}?k=${key}`,
      `/f/${one.handle}?k=${later}${rest}`,
      `/f/${one.handle}?k=${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`,
      `/f/${one.handle}?k=`,
    ])
      expect([path, (await app.request(path)).status]).toEqual([path, 401]);
    const headers = { authorization: `Bearer ${key}` };
    expect((await app.request('/api/files', { headers })).status).toBe(401);
  });
});

describe('A link of a disabled person', () => {
  it('is refused like a wrong one, until the person is enabled again', async () => {
    const { access } = app.deps;
    const cy = await app.user('cy@example.com');
    const file = await keep(cy, 'hello');
    const status = async () => (await app.request(pathOf(file.url))).status;
    expect(await status()).toBe(200);
    expect(await access.disable(cy.id)).toBe('done');
    expect(await status()).toBe(401);
    expect((await app.request(pathOf(file.url), { method: 'HEAD' })).status).toBe(401);
    await access.enable(cy.id);
    expect(await status()).toBe(200);
  });

  it('opens a file that was kept before files named their owner', async () => {
    const { files, seal, blobs } = app.deps;
    const file = await keep(bea, 'hello');
    const key = (await storedKeys(app)).find((each) => each.endsWith(file.handle)) ?? '';
    const [, owner = ''] = key.split('/');
    const sealed = await new Response((await blobs.get(key))?.body).text();
    const { userId, ...earlier } = JSON.parse((await seal.open(sealed, [owner, 'files', file.handle])) ?? '');
    expect(userId).toBe(bea.id);
    const text = await seal.seal(JSON.stringify(earlier), [owner, 'files', file.handle]);
    await blobs.put(key, new TextEncoder().encode(text));
    expect((await app.request(pathOf(file.url))).status).toBe(200);
    expect(await files.find(bea.id, file.handle)).toMatchObject({ name: file.name });
  });
});

describe('The tools', () => {
  it('list, describe and delete the files of the caller only', async () => {
    const cay = await app.user('cay@example.com');
    const file = await keep(cay, 'x', { name: 'a.txt' });
    await keep(bea, 'y');
    const { url: _, ...plain } = file;
    const expiresAt = app.clock.now() + FILE_SECONDS;
    expect(await done(app, cay, 'list_files', {})).toEqual({
      files: [{ ...plain, expiresAt }],
      total: 1,
      bytes: 1,
      maxBytes: 1024 ** 3,
    });
    expect(await done(app, cay, 'get_file', { file: `file:${file.handle}` })).toEqual({ file, expiresAt });
    for (const tool of ['get_file', 'delete_file'])
      expect(JSON.stringify(await run(app, bea, tool, { file: file.handle }))).toContain(UNKNOWN.error);
    expect(await done(app, cay, 'delete_file', { file: file.handle })).toEqual({ deleted: true });
    expect(await done(app, cay, 'list_files', {})).toMatchObject({ files: [], total: 0 });
  });

  it('read text by page and never split a character', async () => {
    const text = 'aü😀\n'.repeat(40);
    const { handle } = await keep(ana, text);
    let read = '';
    let next: number | undefined = 0;
    while (next !== undefined) {
      const page: { text: string; next?: number } = await done(app, ana, 'get_file', {
        file: handle,
        text: true,
        offset: next,
        limit: 7,
      });
      read += page.text;
      next = page.next;
    }
    expect(read).toBe(text);
    const binary = await keep(ana, Uint8Array.of(1, 0, 2));
    const answer = await run(app, ana, 'get_file', { file: binary.handle, text: true });
    expect(JSON.stringify(answer)).toContain('is not text in UTF-8');
  });

  it('deploy a jot with a kept file, and refuse the file of somebody else', async () => {
    const page = await keep(ana, '<h1>kept</h1>', { name: 'p.html' });
    const files = [{ path: 'index.html', file: `file:${page.handle}` }];
    await done(app, ana, 'deploy_jot', { name: 'kept', files });
    expect(await (await app.request('/j/kept/')).text()).toBe('<h1>kept</h1>');
    const stolen = await run(app, bea, 'deploy_jot', { name: 'stolen', files });
    expect(JSON.stringify(stolen)).toContain(UNKNOWN.error);
  });
});

describe('The portal API', () => {
  const api = async (user: TestUser, method: string, path: string, body?: object) => {
    const headers = { ...user.sessionHeader, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await app.request(path, init);
    return { status: answer.status, body: await answer.json() };
  };

  it('makes an upload address, lists files with links, and deletes them', async () => {
    const dan = await app.user('dan@example.com');
    const made = await api(dan, 'POST', '/api/files', { name: 'a.txt', bytes: 1 });
    expect(made).toEqual({
      status: 201,
      body: { uploadUrl: expect.any(String), expiresAt: app.clock.now() + UPLOAD_SECONDS },
    });
    const file = fileIn((await putFile(app, made.body.uploadUrl, 'x')).body);
    const expiresAt = app.clock.now() + FILE_SECONDS;
    expect(await api(dan, 'GET', '/api/files')).toEqual({
      status: 200,
      body: { files: [{ ...file, expiresAt }], total: 1, bytes: 1, maxBytes: 1024 ** 3 },
    });
    const path = `/api/files/${file.handle}`;
    expect(await api(await app.user('fay@example.com'), 'DELETE', path)).toEqual({
      status: 404,
      body: UNKNOWN,
    });
    expect(await api(dan, 'DELETE', path)).toEqual({ status: 200, body: { success: true } });
    expect(await api(dan, 'DELETE', path)).toEqual({ status: 404, body: UNKNOWN });
    expect((await app.request('/api/files')).status).toBe(401);
    expect((await api(dan, 'POST', '/api/files', { size: 1 })).status).toBe(400);
  });
});

describe('What is stored', () => {
  it('contains neither the bytes nor the name, and nothing of it is logged', async () => {
    const stand = await createTestApp({ ports: {} });
    const blobs = createFsBlobs(join(stand.folder, 'sealed'));
    const sealed = await createTestApp({ ports: { blobs } });
    try {
      const eve = await sealed.user();
      const offered = await done(sealed, eve, 'upload_file', { name: 'salaries-of-2026.csv' });
      const bytes = 'Ana Müller earns 1000000;'.repeat(20_000);
      const file = fileIn((await putFile(sealed, offered.uploadUrl, bytes)).body);
      expect((await downloadFile(sealed, { file })).toString()).toBe(bytes);
      const folder = join(stand.folder, 'sealed');
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      const all = await Promise.all(
        names.filter((entry) => entry.isFile()).map((entry) => readFile(join(entry.parentPath, entry.name))),
      );
      const written = Buffer.concat(all).toString('latin1');
      expect(written.length).toBeGreaterThan(bytes.length);
      for (const secret of ['earns', 'salaries', eve.id]) expect(written).not.toContain(secret);
      const logged = JSON.stringify(sealed.lines);
      const token = offered.uploadUrl.split('/').at(-1);
      for (const secret of [file.handle, token, 'salaries']) expect(logged).not.toContain(secret);
      expect(sealed.lines.filter(({ event }) => event === 'request')).toContainEqual(
        expect.objectContaining({ method: 'PUT', route: '/f/:token' }),
      );
    } finally {
      await sealed.close();
      await stand.close();
    }
  });

  it('does not open when it was damaged, cut off or given to another person', async () => {
    const { handle } = await keep(ana, randomBytes(2 * CHUNK));
    const { blobs } = app.deps;
    const [, expiry, , id] = handle.split('-');
    const key = `file-bytes/${expiry}-${id}`;
    const whole = new Uint8Array(await new Response((await blobs.get(key))?.body).arrayBuffer());
    const read = async () => {
      const answer = await get(ana, handle);
      return (await answer.arrayBuffer()).byteLength;
    };
    const changed = whole.slice();
    changed[CHUNK] = (changed[CHUNK] ?? 0) ^ 1;
    for (const bytes of [changed, whole.slice(0, CHUNK + 16), whole.slice(0, -1)]) {
      await blobs.put(key, bytes);
      await expect(read()).rejects.toThrow();
    }
    await blobs.put(key, whole);
    expect(await read()).toBe(2 * CHUNK);

    const about = (await storedKeys(app)).find((each) => each.endsWith(handle)) ?? '';
    const moved = new Uint8Array(await new Response((await blobs.get(about))?.body).arrayBuffer());
    const others = (await keep(bea, 'x')).handle;
    const place = (await storedKeys(app)).find((each) => each.endsWith(others)) ?? '';
    await blobs.put(place.replace(others, handle), moved);
    expect((await get(bea, handle)).status).toBe(404);
  });

  it('is deleted with the file, and by the sweep after a day', async () => {
    const fresh = await createTestApp();
    try {
      const eve = await fresh.user();
      const make = async () =>
        fileIn((await putFile(fresh, (await done(fresh, eve, 'upload_file', {})).uploadUrl, 'x')).body);
      const { handle } = await make();
      expect(await storedKeys(fresh)).toHaveLength(2);
      await done(fresh, eve, 'delete_file', { file: handle });
      expect(await storedKeys(fresh)).toEqual([]);
      await make();
      fresh.clock.advance(FILE_SECONDS - 1);
      await maintainOnce(fresh.deps);
      expect(await storedKeys(fresh)).toHaveLength(2);
      fresh.clock.advance(1);
      await maintainOnce(fresh.deps);
      expect(await storedKeys(fresh)).toEqual([]);
    } finally {
      await fresh.close();
    }
  });
});
