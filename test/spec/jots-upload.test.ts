// spec: Jots, POST /j/upload/:token, Upload errors, Patch mode; design: J3
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../../drivers/blobs/memory.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import type { Blobs } from '../../src/ports/blobs.ts';
import { blobKeys, done, gzip, INDEX_HTML, publish, run, served, tarball, upload } from '../support/jots.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { END, paxRecord, rawHeader, type RawEntry, rawTar } from '../support/raw-tar.ts';
import { BASE, createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const MAX_BYTES = 2_000_000;
const MAX_FILES = 50;

let app: TestApp;
let ana: TestUser;
let blobs: Blobs;
/** Called before every put, so that a test can make it fail or wait. */
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
    env: {
      JOT_MAX_BYTES: String(MAX_BYTES),
      JOT_MAX_FILES: String(MAX_FILES),
      JOT_MAX_UPLOAD_BYTES: '1000000',
    },
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
const index: RawEntry = { name: 'index.html', content: INDEX_HTML };

async function stateOf(name: string) {
  return {
    files: await served(app, ana, name),
    row: await app.deps.store.jots.get(name),
    keys: await blobKeys(app),
  };
}

/** Uploads over a live jot; it and the blobs must be as before. */
async function refused(archive: Uint8Array, offered = offer): Promise<[number, string]> {
  await publish(app, ana, 'live', { 'a.txt': 'live bytes' });
  const before = await stateOf('live');
  const { status, body } = await upload(app, await offered('live'), new Uint8Array(archive));
  expect(await stateOf('live')).toEqual(before);
  expect(body.message).toEqual(expect.any(String));
  return [status, body.error];
}

describe('an upload', () => {
  it('is committed, and tells what came of it', async () => {
    const offered = await offer('uploaded', { cors: true });
    const archive = await tarball({ './index.html': INDEX_HTML, './dir/a.txt': 'a', 'b.txt': 'b' });
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
    expect(await served(app, ana, 'uploaded')).toEqual({
      'index.html': INDEX_HTML,
      'dir/a.txt': 'a',
      'b.txt': 'b',
    });
  });

  it('of a large file is stored as it comes, and one that stands already is not kept twice', async () => {
    const big = 'large '.repeat(100_000);
    const archive = await tarball({ 'index.html': INDEX_HTML, 'big.txt': big });
    await upload(app, await offer('big'), archive);
    const keys = (await blobKeys(app)).filter((key) => key.startsWith('jots/big/'));
    await upload(app, await offer('big'), archive);
    const after = (await blobKeys(app)).filter((key) => key.startsWith('jots/big/'));
    expect([keys.length, after.length]).toEqual([3, 4]);
    expect((await served(app, ana, 'big'))['big.txt']).toBe(big);
  });

  it('locks the jot when it was ordered with a password', async () => {
    await upload(
      app,
      await offer('ordered', { access: 'password', password: 'p' }),
      await tarball({ 'index.html': 'x' }),
    );
    expect((await app.request('/j/ordered/')).status).toBe(401);
  });
});

describe('an upload token', () => {
  it('is worth one upload, whatever came of it', async () => {
    const offered = await offer('once');
    const archive = await tarball({ 'index.html': 'x' });
    expect((await upload(app, offered, archive)).status).toBe(200);
    expect(await upload(app, offered, archive)).toEqual({
      status: 404,
      body: { error: 'NOT_FOUND', message: expect.any(String) },
    });
    const burned = await offer('once');
    expect((await upload(app, burned, gzip(new Uint8Array()))).status).toBe(400);
    expect((await upload(app, burned, archive)).status).toBe(404);
  });

  it('has one winner of 20 at once', async () => {
    const offered = await offer('raced');
    const archive = await tarball({ 'index.html': 'x' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(app, offered, archive)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(404)]);
  });

  it('ends after 15 minutes', async () => {
    const offered = await offer('late');
    app.clock.advance(900);
    expect((await upload(app, offered, await tarball({ 'index.html': 'x' }))).status).toBe(404);
  });

  it.each(['0'.repeat(64), 'short', '%2e%2e', '__jot_upload__'])('%s is unknown', async (token) => {
    const response = await app.request(`/j/upload/${token}`, { method: 'POST', body: 'x' });
    expect(response.status).toBe(404);
  });

  it('that is unknown is called so after 30 s at the latest, to who sends without an end', async () => {
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

  it('is no state of another flow, nor is one of those a token', async () => {
    const state = 'a'.repeat(64);
    const flow = { state, user_id: ana.id, integration: 'github', expires_at: app.clock.now() + 60 };
    await app.deps.store.flows.put({ ...flow, session_data: null, code_verifier: null, config: null });
    expect((await app.request(`/j/upload/${state}`, { method: 'POST', body: 'x' })).status).toBe(404);
    expect(await app.deps.store.flows.take(state)).not.toBeNull();
    const { uploadUrl } = await offer('other-flow');
    expect(await app.deps.store.flows.take(uploadUrl.split('/').at(-1))).toBeNull();
  });

  it('stays out of the log, also when the store is away', async () => {
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

  it('does not give a name that somebody else has taken meanwhile', async () => {
    const bea = await app.user('bea@example.com');
    const offered = await offer('contested');
    await publish(app, bea, 'contested');
    const { status, body } = await upload(app, offered, await tarball({ 'index.html': 'x' }));
    expect([status, body.error]).toEqual([409, 'JOT_NAME_TAKEN']);
    expect(await served(app, bea, 'contested')).toEqual({ 'index.html': INDEX_HTML });
  });
});

describe('a patch', () => {
  it('deletes, then puts the archive over what is there: an uploaded path beats a delete of itself', async () => {
    await publish(app, ana, 'patched', { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c' });
    const offered = await patch('patched', { delete: ['a.txt', 'b.txt', 'dir'] });
    // Nothing happens before the upload.
    expect((await app.request('/j/patched/b.txt')).status).toBe(200);
    const { status, body } = await upload(app, offered, await tarball({ 'a.txt': 'new a', 'd.txt': 'd' }));
    expect([status, body.files]).toEqual([200, 3]);
    expect(await served(app, ana, 'patched')).toEqual({
      'index.html': INDEX_HTML,
      'a.txt': 'new a',
      'd.txt': 'd',
    });
  });

  it('reads access and password from the live jot, not from its token', async () => {
    await publish(app, ana, 'relocked');
    const offered = await patch('relocked');
    await patch('relocked', { access: 'password', password: 'p', cors: true });
    const { body } = await upload(app, offered, await tarball({ 'a.txt': 'a' }));
    expect(body).toMatchObject({ access: 'password', cors: true });
    expect((await app.request('/j/relocked/a.txt')).status).toBe(401);
  });

  it('is 404 when its jot is gone and 403 when it is another owner’s', async () => {
    const bea = await app.user('bea@example.com');
    await publish(app, ana, 'moved');
    const [first, second] = [await patch('moved'), await patch('moved')];
    await done(app, ana, 'delete_jot', { name: 'moved' });
    const archive = await tarball({ 'a.txt': 'a' });
    expect((await upload(app, first, archive)).status).toBe(404);
    await publish(app, bea, 'moved');
    expect((await upload(app, second, archive)).status).toBe(403);
    expect(await served(app, bea, 'moved')).toEqual({ 'index.html': INDEX_HTML });
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
  ])('is refused as %i %s for what the merged tree would be', async (status, code, args, entries) => {
    const answer = await refused(gzip(rawTar(entries)), (name) => patch(name, args));
    expect(answer).toEqual([status, code]);
  });
});

/** Content for a reader of header blocks, an entry of its own for a reader of pax records. */
const HIDDEN = rawHeader({ name: 'sparse', type: 'S' });

describe('a hostile archive is refused whole', () => {
  const pax = (records: string, name = 'index.html'): RawEntry[] => [
    { name: 'pax', type: 'x', content: records },
    { name, content: 'x' },
  ];

  it.each<[string, RawEntry[]]>([
    ['..', [{ name: '../evil.txt' }]],
    ['a path that climbs inside', [{ name: 'a/../../evil.txt' }]],
    ['a path that is not normalised', [{ name: 'a/./b' }]],
    ['an empty segment', [{ name: 'a//b' }]],
    ['an absolute path', [{ name: '/etc/passwd' }]],
    ['a backslash', [{ name: 'a\\b' }]],
    ['NUL', pax(paxRecord('path', 'a\0b'))],
    ['a newline', [{ name: 'a\nb' }]],
    ['an escape', [{ name: 'a\u001B[31mb' }]],
    ['a C1 control', [{ name: 'a\u0085b' }]],
    ['a bidi override', [{ name: 'photo\u202Egpj.exe' }]],
    ['a bidi isolate', [{ name: 'a\u2066b' }]],
    ['bytes that are not UTF-8', [{ name: 'a', damage: (header) => void header.fill(0) }]],
    ['the same name twice', [{ name: 'a' }, { name: 'a' }]],
    ['the same name twice, once with ./', [{ name: 'a' }, { name: './a' }]],
    ['names that differ in case', [{ name: 'Readme' }, { name: 'README' }]],
    ['folders that differ in case', [{ name: 'Dir/a' }, { name: 'dir/b' }]],
    ['names that differ in composition', [{ name: 'caf\u00E9' }, { name: 'cafe\u0301' }]],
    ['a file used as a folder', [{ name: 'a' }, { name: 'a/b' }]],
    ['a folder used as a file', [{ name: 'a/b' }, { name: 'a' }]],
    ['a folder entry used as a file', [{ name: 'a/', type: '5' }, { name: 'a' }]],
    ["the manifest's name", [{ name: '.jot.json' }]],
    ["the manifest's name in capitals", [{ name: './.JOT.json' }]],
    ['an empty name', [{ name: '' }]],
    ['a hostile folder', [{ name: '../x/', type: '5' }]],
    ['a name of 2,000 characters', pax(paxRecord('path', 'x'.repeat(2_000)))],
  ])('as INVALID_PATH: %s', async (what, entries) => {
    const broken = what === 'bytes that are not UTF-8' ? pax(paxRecord('path', 'x')).map(latinName) : entries;
    expect(await refused(gzip(rawTar([index, ...broken])))).toEqual([400, 'INVALID_PATH']);
  });

  /** A long name of GNU tar in an encoding that is not UTF-8. */
  function latinName(entry: RawEntry): RawEntry {
    return entry.type === 'x'
      ? { name: 'long', type: 'L', content: Buffer.from([0x61, 0xe4, 0x62, 0]) }
      : { name: 'y' };
  }

  const sparse = (key: string) => pax(paxRecord('path', 'y') + paxRecord(key, '1'));
  it.each<[string, () => Uint8Array]>([
    ['nothing at all', () => new Uint8Array()],
    ['no gzip', () => Buffer.from('<!doctype html>')],
    ['an uncompressed tar', () => rawTar([index])],
    ['gzip of something else', () => gzip(Buffer.from('hello '.repeat(500)))],
    ['an empty gzip', () => gzip(new Uint8Array())],
    ['a symbolic link', () => gzip(rawTar([index, { name: 'l', type: '2', linkname: '/etc/passwd' }]))],
    ['a hard link', () => gzip(rawTar([index, { name: 'l', type: '1', linkname: 'index.html' }]))],
    ['a long link name', () => gzip(rawTar([{ name: 'l', type: 'K', content: '/etc/passwd\0' }, index]))],
    ['a character device', () => gzip(rawTar([index, { name: 'd', type: '3' }]))],
    ['a block device', () => gzip(rawTar([index, { name: 'd', type: '4' }]))],
    ['a fifo', () => gzip(rawTar([index, { name: 'd', type: '6' }]))],
    ['a sparse file of GNU tar', () => gzip(rawTar([index, { name: 's', type: 'S' }]))],
    ['a sparse file in pax records', () => gzip(rawTar([index, ...sparse('GNU.sparse.major')]))],
    ['an older sparse file in pax records', () => gzip(rawTar([index, ...sparse('GNU.sparse.map')]))],
    ['a size in a pax record', () => gzip(rawTar([...pax(paxRecord('size', '0')), index]))],
    [
      'an entry hidden behind a size in a pax record',
      () => gzip(rawTar([...pax(paxRecord('size', '0')).slice(0, 1), { ...index, content: HIDDEN }])),
    ],
    ['a pax record that is shorter than it says', () => gzip(rawTar([...pax('11 path=x\n'), index]))],
    ['a pax record that is longer than it says', () => gzip(rawTar([...pax('8 path=xyz\n'), index]))],
    ['a pax record without a length', () => gzip(rawTar([...pax('path=x\n'), index]))],
    ['pax records of no length', () => gzip(rawTar([...pax('1\n'.repeat(100_000) + ' '), index]))],
    ['a type nobody knows', () => gzip(rawTar([index, { name: 'q', type: 'Q' }]))],
    ['a folder with content', () => gzip(rawTar([index, { name: 'd/', type: '5', content: 'x' }]))],
    [
      'a bad checksum',
      () => gzip(rawTar([index, { name: 'a', damage: (header) => void header.write('b', 0) }])),
    ],
    [
      'a bad checksum over a huge size',
      () => gzip(rawTar([{ ...index, damage: (header) => void header.write('7', 124) }])),
    ],
    [
      'digits that are none',
      () => gzip(rawTar([index, { name: 'a', damage: (header) => void header.write('x', 148) }])),
    ],
    [
      'a cut inside a file',
      () => gzip(rawTar([index, { name: 'a', content: 'x'.repeat(5_000) }]).subarray(0, 3_000)),
    ],
    ['a cut inside a header', () => gzip(rawTar([index]).subarray(0, 300))],
    ['no end', () => gzip(rawTar([index], new Uint8Array()))],
    ['half an end', () => gzip(rawTar([index], END.subarray(512)))],
    ['a cut gzip', () => gzip(rawTar([index])).subarray(0, -9)],
    [
      'a wrong gzip checksum',
      () => gzip(rawTar([index])).map((byte, at, all) => (at === all.length - 8 ? byte ^ 1 : byte)),
    ],
    ['bytes behind the tar', () => gzip(Buffer.concat([rawTar([index]), Buffer.from('more')]))],
    ['an archive behind the archive', () => gzip(Buffer.concat([rawTar([index]), rawTar([{ name: 'b' }])]))],
    ['bytes behind the gzip', () => Buffer.concat([gzip(rawTar([index])), Buffer.from('more')])],
    [
      'pax records of a megabyte',
      () => gzip(rawTar([...pax(paxRecord('comment', 'x'.repeat(1_000_000))), index])),
    ],
  ])('as BAD_ARCHIVE: %s', async (_what, archive) => {
    expect(await refused(archive())).toEqual([400, 'BAD_ARCHIVE']);
  });

  it.each<[string, () => Uint8Array]>([
    ['a file larger than the cap', () => gzip(rawTar([{ name: 'big', size: MAX_BYTES + 1 }]))],
    ['a size in base 256', () => gzip(base256(2n ** 40n))],
    ['a size beyond all numbers', () => gzip(base256(2n ** 80n))],
    [
      'files that are together',
      () => gzip(rawTar([1, 2, 3].map((n) => ({ name: `${n}`, content: Buffer.alloc(700_000) })))),
    ],
    ['an upload larger than its cap', () => gzip(rawTar([{ name: 'r', content: noise(1_100_000) }]))],
    ['zeros without end', () => gzip(Buffer.alloc(MAX_BYTES + 1_000_000))],
  ])('as TOO_LARGE: %s', async (_what, archive) => {
    expect(await refused(archive())).toEqual([413, 'TOO_LARGE']);
  });

  it.each<[string, RawEntry[]]>([
    ['files', Array.from({ length: MAX_FILES + 1 }, (_, n) => ({ name: `${n}` }))],
    ['folders', Array.from({ length: MAX_FILES * 2 + 1 }, (_, n) => ({ name: `${n}/`, type: '5' }))],
    [
      'folders that only names of files have',
      [1, 2, 3, 4, 5, 6].map((n) => ({ name: `${n}/${'a/'.repeat(45)}f` })),
    ],
  ])('as TOO_MANY_FILES: %s', async (_what, entries) => {
    expect(await refused(gzip(rawTar(entries)))).toEqual([413, 'TOO_MANY_FILES']);
  });

  it.each<[string, RawEntry[]]>([
    ['no index.html', [{ name: 'a' }]],
    ['no file at all', []],
    ['an index.html in a folder only', [{ name: 'sub/index.html' }]],
    ['a folder of that name', [{ name: 'index.html/a' }]],
  ])('as NO_INDEX: %s', async (_what, entries) => {
    expect(await refused(gzip(rawTar(entries)))).toEqual([400, 'NO_INDEX']);
  });
});

describe('a store that fails', () => {
  it.each(['the first file', 'a later file', 'a large file', 'the manifest'])(
    'at %s: 500 DEPLOY_FAILED, the live jot as before, nothing left behind, and a line in the log',
    async (when) => {
      await publish(app, ana, 'full', { 'a.txt': 'a' });
      const before = await stateOf('full');
      const offered = await offer('full');
      let puts = 0;
      beforePut = () => {
        puts++;
        const full =
          { 'the first file': 1, 'a later file': 3, 'a large file': 4, 'the manifest': 5 }[when] ?? 0;
        if (puts >= full) throw new Error('[blobs] no space left on device');
      };
      const files = { 'index.html': 'one', 'b.txt': 'two', 'c.txt': 'three', 'd.txt': 'd'.repeat(500_000) };
      const { status, body } = await upload(app, offered, await tarball(files));
      expect([status, body.error]).toEqual([500, 'DEPLOY_FAILED']);
      expect(JSON.stringify(body)).not.toContain('device');
      expect(await stateOf('full')).toEqual(before);
      expect(app.lines).toContainEqual(
        expect.objectContaining({
          level: 'error',
          event: 'deploy failed',
          error: expect.stringContaining('no space'),
        }),
      );
    },
  );

  it('fails a tool call with the same reason', async () => {
    beforePut = () => {
      throw new Error('no space left on device');
    };
    const args = { name: 'full', files: [{ path: 'index.html', content: 'x' }] };
    expect((await run(app, ana, 'deploy_jot', args)).error).toMatch(/^DEPLOY_FAILED: /);
  });
});

describe('deploys at once', () => {
  it('of one name: one is live, whole', async () => {
    for (let round = 0; round < 5; round++) {
      const contents = Array.from({ length: 6 }, (_, n) => `${round}-${n}`);
      await Promise.all(
        contents.map(async (content) => {
          const files = Object.fromEntries(
            ['index.html', 'a.txt', 'b.txt', 'c.txt'].map((path) => [path, content]),
          );
          const { status } = await upload(app, await offer('both'), await tarball(files));
          expect(status).toBe(200);
        }),
      );
      const live = new Set(Object.values(await served(app, ana, 'both')));
      expect([live.size, contents.includes([...live][0] ?? '')]).toEqual([1, true]);
    }
  });

  it('of one new name by two users: one has it, the other is told', async () => {
    const bea = await app.user('bea@example.com');
    for (let round = 0; round < 5; round++) {
      const name = `first-${round}`;
      const offers = [await offer(name), await done(app, bea, 'deploy_jot', { name })];
      const answers = await Promise.all(
        offers.map(async (offered) => upload(app, offered, await tarball({ 'index.html': 'x' }))),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    }
  });

  it('that rely on a file which another has just removed still have it', async () => {
    await publish(app, ana, 'relied', { 'shared.txt': 'shared bytes' });
    const waiting = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = await offer('relied');
    beforePut = async () => {
      beforePut = () => {};
      reached.resolve();
      await waiting.promise;
    };
    // Its shared.txt is the blob that stands; its index.html is on the way.
    const uploading = upload(
      app,
      slow,
      await tarball({ 'shared.txt': 'shared bytes', 'index.html': 'slow' }),
    );
    await reached.promise;
    await publish(app, ana, 'relied');
    waiting.resolve();
    expect((await uploading).status).toBe(200);
    expect(await served(app, ana, 'relied')).toEqual({ 'shared.txt': 'shared bytes', 'index.html': 'slow' });
  });
});

const noise = (length: number): Uint8Array => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

function base256(size: bigint): Buffer {
  const header = rawHeader({ name: 'big' });
  const field = Buffer.from(size.toString(16).padStart(24, '0'), 'hex');
  field.writeUInt8(0x80, 0);
  return Buffer.concat([resummed(header, field), END]);
}

/** The header with another size field, and the checksum that goes with it. */
function resummed(header: Buffer, field: Buffer): Buffer {
  field.copy(header, 124);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
