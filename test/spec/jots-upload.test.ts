// Checks uploads. reference: Jot uploads
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import {
  blobKeys,
  done,
  gzip,
  INDEX_HTML,
  MAX_BYTES,
  MAX_FILES,
  publish,
  uploadOverLive,
  run,
  downloadAll,
  SMALL_JOTS,
  stateOf,
  tarball,
  upload,
} from '../support/jots.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { rawTar } from '../support/raw-tar.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let blobs: Blobs;
/** Runs before every put, so that a test can make the put fail or wait. */
let beforePut: (key: string) => void | Promise<void>;
beforeAll(async () => {
  const memory = createMemoryBlobs();
  blobs = {
    ...memory,
    async put(key, body) {
      await beforePut(key);
      return memory.put(key, body);
    },
  };
  app = await createTestApp({
    env: SMALL_JOTS,
    ports: { blobs },
  });
  ana = await app.user();
});
afterAll(() => app.close());
beforeEach(() => {
  beforePut = () => {};
});

const offer = (name: string, args: object = {}) => done(app, ana, 'deploy_jot', { name, ...args });
const patch = (name: string, args: object = {}) => done(app, ana, 'update_jot', { name, ...args });

describe('An upload', () => {
  it('is published, and the response describes the jot', async () => {
    const offered = await offer('uploaded', { cors: true });
    const archive = tarball({ './index.html': INDEX_HTML, './dir/a.txt': 'a', 'b.txt': 'b' });
    expect(await upload(app, offered, archive)).toEqual({
      status: 200,
      body: {
        name: 'uploaded',
        url: 'http://localhost:3000/j/uploaded/',
        access: 'public',
        cors: true,
        files: 3,
        bytes: INDEX_HTML.length + 2,
        warnings: [],
      },
    });
    expect(await downloadAll(app, ana, 'uploaded')).toEqual({
      'index.html': INDEX_HTML,
      'dir/a.txt': 'a',
      'b.txt': 'b',
    });
  });

  it('streams a large file to the store, and does not keep it twice', async () => {
    const big = 'large '.repeat(100_000);
    const archive = tarball({ 'index.html': INDEX_HTML, 'big.txt': big });
    await upload(app, await offer('big'), archive);
    const keys = (await blobKeys(app)).filter((key) => key.startsWith('jots/big/'));
    await upload(app, await offer('big'), archive);
    const after = (await blobKeys(app)).filter((key) => key.startsWith('jots/big/'));
    expect([keys.length, after.length]).toEqual([3, 4]);
    expect((await downloadAll(app, ana, 'big'))['big.txt']).toBe(big);
  });

  it('locks the jot where the tool call gave a password', async () => {
    await upload(
      app,
      await offer('ordered', { access: 'password', password: 'p' }),
      tarball({ 'index.html': 'x' }),
    );
    expect((await app.request('/j/ordered/')).status).toBe(401);
  });

  it('is refused where the password that it keeps was removed meanwhile', async () => {
    await publish(app, ana, 'unlocked', {}, { access: 'password', password: 'p' });
    const offered = await offer('unlocked', { access: 'password' });
    await patch('unlocked', { access: 'public' });
    const { status, body } = await upload(app, offered, tarball({ 'index.html': 'x' }));
    expect([status, body.error]).toEqual([400, 'PASSWORD_RULE']);
    expect(await downloadAll(app, ana, 'unlocked')).toEqual({ 'index.html': INDEX_HTML });
  });
});

describe('An upload token', () => {
  it('allows one upload, even if that upload fails', async () => {
    const offered = await offer('once');
    const archive = tarball({ 'index.html': 'x' });
    expect((await upload(app, offered, archive)).status).toBe(200);
    expect(await upload(app, offered, archive)).toEqual({
      status: 404,
      body: { error: 'NOT_FOUND', message: expect.any(String) },
    });
    const burned = await offer('once');
    expect((await upload(app, burned, gzip(new Uint8Array()))).status).toBe(400);
    expect((await upload(app, burned, archive)).status).toBe(404);
  });

  it('lets one of 20 uploads at the same time win', async () => {
    const offered = await offer('raced');
    const archive = tarball({ 'index.html': 'x' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(app, offered, archive)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(404)]);
  });

  it('is stored as its hash only, and the stored hash is no token', async () => {
    const put = vi.spyOn(app.deps.store.flows, 'put');
    const { uploadUrl } = await offer('hashed-token');
    const states = put.mock.calls.map(([flow]) => flow.state);
    put.mockRestore();
    const token = String(uploadUrl).split('/').at(-1) ?? '';
    const hash = app.deps.digest.sha256(token);
    expect(states).toEqual([expect.stringContaining(hash)]);
    expect(states.join()).not.toContain(token);
    const archive = tarball({ 'index.html': 'x' });
    expect((await upload(app, { uploadUrl: `${BASE}/j/upload/${hash}` }, archive)).status).toBe(404);
    expect((await upload(app, { uploadUrl }, archive)).status).toBe(200);
  });

  it('that version 0.1 stored as plain text still works once', async () => {
    const token = 'c'.repeat(64);
    const request = { kind: 'replace', name: 'plain-token', userId: ana.id, access: 'public' };
    await app.deps.store.flows.put({
      state: `__jot_upload__${token}`,
      user_id: ana.id,
      integration: '__jot_upload__',
      expires_at: app.clock.now() + 60,
      session_data: JSON.stringify({ ...request, password_hash: null, cors: false }),
      code_verifier: null,
      config: null,
    });
    const send = () =>
      upload(app, { uploadUrl: `${BASE}/j/upload/${token}` }, tarball({ 'index.html': 'x' }));
    expect((await send()).status).toBe(200);
    expect((await send()).status).toBe(404);
  });

  it('expires after 15 minutes', async () => {
    const [young, late] = [await offer('young'), await offer('late')];
    const archive = tarball({ 'index.html': 'x' });
    app.clock.advance(899);
    expect((await upload(app, young, archive)).status).toBe(200);
    app.clock.advance(1);
    expect((await upload(app, late, archive)).status).toBe(404);
  });

  it.each(['0'.repeat(64), 'short', '%2e%2e', '__jot_upload__'])('such as %s is unknown', async (token) => {
    const response = await app.request(`/j/upload/${token}`, { method: 'POST', body: 'x' });
    expect(response.status).toBe(404);
  });

  it('that is unknown gets a 404 after 30 seconds, even if the client never stops sending', async () => {
    const clock = createManualClock();
    const patient = await createTestApp({ ports: { clock } });
    const readOn = Promise.withResolvers<void>();
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>(
      { pull: () => readOn.resolve() },
      { highWaterMark: 0 },
    );
    let status = 0;
    const uploadUrl = `${BASE}/j/upload/${'0'.repeat(64)}`;
    const uploading = upload(patient, { uploadUrl }, endless).then((answer) => (status = answer.status));
    await readOn.promise;
    await clock.pass(29_999);
    expect(status).toBe(0);
    await clock.pass(1);
    expect(await uploading).toBe(404);
    await patient.close();
  });

  it('is no state of another flow, and a state of another flow is no token', async () => {
    const state = 'a'.repeat(64);
    const flow = { state, user_id: ana.id, integration: 'github', expires_at: app.clock.now() + 60 };
    await app.deps.store.flows.put({ ...flow, session_data: null, code_verifier: null, config: null });
    expect((await app.request(`/j/upload/${state}`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect(await app.deps.store.flows.take(state)).not.toBeNull();
    const { uploadUrl } = await offer('other-flow');
    expect(await app.deps.store.flows.take(uploadUrl.split('/').at(-1))).toBeNull();
  });

  it.each(['{', '{}', '{"kind":"patch","name":7,"userId":"x","delete":[]}'])(
    'answers 500 where the stored request %j cannot be read, and logs it',
    async (stored) => {
      const token = 'b'.repeat(64);
      const flow = { state: `__jot_upload__${token}`, user_id: ana.id, integration: '__jot_upload__' };
      const rest = { session_data: stored, code_verifier: null, config: null };
      await app.deps.store.flows.put({ ...flow, expires_at: app.clock.now() + 60, ...rest });
      app.lines.length = 0;
      const answer = await upload(app, { uploadUrl: `${BASE}/j/upload/${token}` }, gzip(rawTar([])));
      expect(answer).toEqual({ status: 500, body: { error: 'Internal error' } });
      expect(app.lines).toContainEqual(expect.objectContaining({ event: 'request failed' }));
    },
  );

  it('never appears in the log, even if the store is unavailable', async () => {
    const { store } = app.deps;
    const take = async () => {
      throw new Unavailable('[sqlite] away');
    };
    const away = await createTestApp({ ports: { store: { ...store, flows: { ...store.flows, take } } } });
    const offered = await offer('logged');
    const token = offered.uploadUrl.split('/').at(-1) ?? '';
    const response = await away.request(`/j/upload/${token}`, { method: 'POST', body: 'x' });
    expect(response.status).toBe(503);
    expect(away.lines).toContainEqual(expect.objectContaining({ event: 'request failed' }));
    expect(JSON.stringify([away.lines, app.lines])).not.toContain(token);
  });

  it('does not publish under a name that somebody else has taken meanwhile', async () => {
    const bea = await app.user('bea@example.com');
    const offered = await offer('contested');
    await publish(app, bea, 'contested');
    const { status, body } = await upload(app, offered, tarball({ 'index.html': 'x' }));
    expect([status, body.error]).toEqual([409, 'JOT_NAME_TAKEN']);
    expect(await downloadAll(app, bea, 'contested')).toEqual({ 'index.html': INDEX_HTML });
  });
});

describe('A patch', () => {
  it('deletes first and then adds the archive, so that an uploaded path beats its own delete', async () => {
    await publish(app, ana, 'patched', { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c' });
    const offered = await patch('patched', { delete: ['a.txt', 'b.txt', 'dir'] });
    // The delete waits for the upload.
    expect((await app.request('/j/patched/b.txt')).status).toBe(200);
    const { status, body } = await upload(app, offered, tarball({ 'a.txt': 'new a', 'd.txt': 'd' }));
    expect([status, body.files]).toEqual([200, 3]);
    expect(await downloadAll(app, ana, 'patched')).toEqual({
      'index.html': INDEX_HTML,
      'a.txt': 'new a',
      'd.txt': 'd',
    });
  });

  it('reads access and password from the live jot, not from its token', async () => {
    await publish(app, ana, 'relocked');
    const offered = await patch('relocked');
    await patch('relocked', { access: 'password', password: 'p', cors: true });
    const { body } = await upload(app, offered, tarball({ 'a.txt': 'a' }));
    expect(body).toMatchObject({ access: 'password', cors: true });
    expect((await app.request('/j/relocked/a.txt')).status).toBe(401);
  });

  it('gets a 404 where its jot is gone, and a 403 where the jot has another owner', async () => {
    const bea = await app.user('bea@example.com');
    await publish(app, ana, 'moved');
    const [first, second] = [await patch('moved'), await patch('moved')];
    await done(app, ana, 'delete_jot', { name: 'moved' });
    const archive = tarball({ 'a.txt': 'a' });
    expect((await upload(app, first, archive)).status).toBe(404);
    await publish(app, bea, 'moved');
    expect((await upload(app, second, archive)).status).toBe(403);
    expect(await downloadAll(app, bea, 'moved')).toEqual({ 'index.html': INDEX_HTML });
  });

  it('gets a 500 where the files of its jot are lost, and does not replace them by nothing', async () => {
    await publish(app, ana, 'lost', { 'a.txt': 'a' });
    const offered = await patch('lost');
    const row = await app.deps.store.jots.get('lost');
    await blobs.delete(row?.manifest ?? '');
    const archive = tarball({ 'index.html': 'x' });
    const { status, body } = await upload(app, offered, archive);
    expect([status, body.error]).toEqual([500, 'DEPLOY_FAILED']);
    expect(body.message).toMatch(/lost\. Deploy it again/);
    expect(await app.deps.store.jots.get('lost')).toEqual(row);
    expect((await upload(app, await offer('lost'), archive)).status).toBe(200);
  });

  it.each([
    [400, 'NO_INDEX', { delete: ['index.html'] }, [{ name: 'b.txt', content: 'b' }]],
    [400, 'INVALID_PATH', {}, [{ name: 'A.TXT', content: 'b' }]],
    [413, 'TOO_LARGE', {}, [{ name: 'b.txt', content: 'b'.repeat(MAX_BYTES - 20) }]],
    [
      413,
      'TOO_MANY_FILES',
      {},
      Array.from({ length: MAX_FILES - 1 }, (_, n) => ({ name: `${n}`, content: '' })),
    ],
  ])('is refused with %i %s where the merged tree breaks a rule', async (status, code, args, entries) => {
    const answer = await uploadOverLive(app, ana, (name) => patch(name, args), gzip(rawTar(entries)));
    expect(answer).toEqual([status, code]);
  });
});

describe('A store that fails', () => {
  it.each(['the first file', 'a later file', 'a large file', 'the manifest'])(
    'at %s causes 500 DEPLOY_FAILED and a log line, leaves the live jot as it was, and leaves no blob',
    async (when) => {
      await publish(app, ana, 'full', { 'a.txt': 'a' });
      const before = await stateOf(app, ana, 'full');
      const offered = await offer('full');
      let puts = 0;
      beforePut = () => {
        puts++;
        const full =
          { 'the first file': 1, 'a later file': 3, 'a large file': 4, 'the manifest': 5 }[when] ?? 0;
        if (puts >= full) throw new Error('[blobs] no space left on device');
      };
      const files = { 'index.html': 'one', 'b.txt': 'two', 'c.txt': 'three', 'd.txt': 'd'.repeat(500_000) };
      const { status, body } = await upload(app, offered, tarball(files));
      expect([status, body.error]).toEqual([500, 'DEPLOY_FAILED']);
      expect(JSON.stringify(body)).not.toContain('device');
      expect(await stateOf(app, ana, 'full')).toEqual(before);
      expect(app.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          event: 'deploy failed',
          error: expect.stringContaining('no space'),
        }),
      );
    },
  );

  it('after it has written causes 500 DEPLOY_FAILED, and the new blobs stay', async () => {
    const { store } = app.deps;
    const put: typeof store.jots.put = async (jot, version) => {
      await store.jots.put(jot, version);
      throw new Error('[postgres] the connection broke');
    };
    const unsure = await createTestApp({
      env: SMALL_JOTS,
      ports: { blobs, store: { ...store, jots: { ...store.jots, put } } },
    });
    const files = { 'index.html': 'new', 'a.txt': 'a' };
    const { status, body } = await upload(unsure, await offer('unsure'), tarball(files));
    expect([status, body.error]).toEqual([500, 'DEPLOY_FAILED']);
    expect(await downloadAll(app, ana, 'unsure')).toEqual(files);
  });

  it('causes the same reason in a tool call', async () => {
    beforePut = () => {
      throw new Error('no space left on device');
    };
    const args = { name: 'full', files: [{ path: 'index.html', content: 'x' }] };
    expect((await run(app, ana, 'deploy_jot', args)).error).toMatch(/^DEPLOY_FAILED: /);
  });
});

describe('Deploys at the same time', () => {
  it('of one name publish one of them completely', async () => {
    for (let round = 0; round < 5; round++) {
      const contents = Array.from({ length: 6 }, (_, n) => `${round}-${n}`);
      await Promise.all(
        contents.map(async (content) => {
          const files = Object.fromEntries(
            ['index.html', 'a.txt', 'b.txt', 'c.txt'].map((path) => [path, content]),
          );
          const { status } = await upload(app, await offer('both'), tarball(files));
          expect(status).toBe(200);
        }),
      );
      const live = new Set(Object.values(await downloadAll(app, ana, 'both')));
      expect([live.size, contents.includes([...live][0] ?? '')]).toEqual([1, true]);
    }
  });

  it('of one new name by two users give the name to one and 409 to the other', async () => {
    const bea = await app.user('bea@example.com');
    for (let round = 0; round < 5; round++) {
      const name = `first-${round}`;
      const offers = [await offer(name), await done(app, bea, 'deploy_jot', { name })];
      const answers = await Promise.all(
        offers.map(async (offered) => upload(app, offered, tarball({ 'index.html': 'x' }))),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
  });

  it('leave no blob of a deploy that loses its name at the last moment', async () => {
    const bea = await app.user('bea@example.com');
    const offered = await offer('overtaken');
    let puts = 0;
    beforePut = async () => {
      // The file is stored by now, and the manifest comes next.
      if (++puts !== 2) return;
      beforePut = () => {};
      await publish(app, bea, 'overtaken');
    };
    const { status, body } = await upload(app, offered, tarball({ 'index.html': 'x' }));
    expect([status, body.error]).toEqual([409, 'JOT_NAME_TAKEN']);
    expect((await blobKeys(app)).filter((key) => key.startsWith('jots/overtaken/'))).toHaveLength(2);
    expect(await downloadAll(app, bea, 'overtaken')).toEqual({ 'index.html': INDEX_HTML });
  });

  it('keep a file that one of them reuses and another one removes', async () => {
    await publish(app, ana, 'relied', { 'shared.txt': 'shared bytes' });
    const waiting = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = await offer('relied');
    beforePut = async () => {
      beforePut = () => {};
      reached.resolve();
      await waiting.promise;
    };
    // The slow upload reuses the blob of shared.txt, and its index.html is on the way.
    const uploading = upload(app, slow, tarball({ 'shared.txt': 'shared bytes', 'index.html': 'slow' }));
    await reached.promise;
    await publish(app, ana, 'relied');
    waiting.resolve();
    expect((await uploading).status).toBe(200);
    expect(await downloadAll(app, ana, 'relied')).toEqual({
      'shared.txt': 'shared bytes',
      'index.html': 'slow',
    });
  });
});
