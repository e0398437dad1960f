// Checks the tools of the jots integration. reference: Jot tools; decision: 048, 049
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMPTY_MANIFEST, type Manifest } from '../../src/jots/model/manifest.ts';
import { mergeFiles } from '../../src/jots/publishing/next-manifest.ts';
import {
  asFiles,
  blobKeys,
  done,
  INDEX_HTML,
  publish,
  run,
  downloadAll,
  tarball,
  upload,
} from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let bea: TestUser;
beforeAll(async () => {
  app = await createTestApp({ env: { JOT_MAX_FILES: '20', JOT_MAX_BYTES: '100000' } });
  ana = await app.user();
  bea = await app.user('bea@example.com');
});
afterAll(() => app.close());

const failure = async (tool: string, args: object, who = ana) => (await run(app, who, tool, args)).error;

describe('The built-in integration jots', () => {
  it('has five tools without a prefix', () => {
    const integration = app.deps.registry.integration('jots');
    expect(integration?.auth.type).toBe('none');
    expect(integration?.logo).toMatch(/^<svg .*<\/svg>$/);
    expect(integration?.tools.map(({ name, access }) => [name, access])).toEqual([
      ['deploy_jot', 'write'],
      ['update_jot', 'write'],
      ['list_jots', 'read'],
      ['get_jot', 'read'],
      ['delete_jot', 'destroy'],
    ]);
  });

  it('has the reviewed descriptions and schemas', () => {
    const shown = app.deps.registry.integration('jots')?.tools.map(({ name, description, schema }) => ({
      name,
      description,
      schema,
    }));
    expect(shown).toMatchSnapshot();
  });

  it('is available at /rest under its literal tool names', async () => {
    const response = await app.request('/rest/jots', {
      method: 'POST',
      headers: { ...ana.keyHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'list_jots' }),
    });
    expect(await response.json()).toEqual({ integration: 'jots', tool: 'list_jots', result: { jots: [] } });
  });
});

describe('deploy_jot with files', () => {
  it('publishes at once and returns the result', async () => {
    const files = asFiles({ 'index.html': INDEX_HTML, 'data/a.csv': 'a,b\n' });
    expect(await done(app, ana, 'deploy_jot', { name: 'inline', files })).toEqual({
      name: 'inline',
      url: 'http://localhost:3000/j/inline/',
      access: 'public',
      cors: true,
      files: 2,
      bytes: INDEX_HTML.length + 4,
      note: expect.stringContaining('cors is on'),
      warnings: [],
    });
    expect(await downloadAll(app, ana, 'inline')).toEqual({
      'index.html': INDEX_HTML,
      'data/a.csv': 'a,b\n',
    });
  });

  it('accepts bytes as base64', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
    const files = [
      ...asFiles({ 'index.html': INDEX_HTML }),
      { path: 'all.bin', content: Buffer.from(bytes).toString('base64'), encoding: 'base64' },
    ];
    await done(app, ana, 'deploy_jot', { name: 'bytes', files });
    expect(new Uint8Array(await (await app.request('/j/bytes/all.bin')).arrayBuffer())).toEqual(bytes);
    const broken = [...files, { path: 'b.bin', content: '***', encoding: 'base64' }];
    expect(await failure('deploy_jot', { name: 'bytes', files: broken })).toMatch(/^BAD_ARCHIVE: .*b\.bin/);
  });

  it('replaces a jot of the caller completely', async () => {
    await publish(app, ana, 'again', { 'old.txt': 'old', 'same.txt': 'same' });
    await publish(app, ana, 'again', { 'new.txt': 'new', 'same.txt': 'same' });
    expect(await downloadAll(app, ana, 'again')).toEqual({
      'index.html': INDEX_HTML,
      'new.txt': 'new',
      'same.txt': 'same',
    });
    expect((await app.request('/j/again/old.txt')).status).toBe(404);
  });

  it("does not take another user's name", async () => {
    await publish(app, ana, 'taken');
    const files = asFiles({ 'index.html': 'mine' });
    expect(await failure('deploy_jot', { name: 'taken', files }, bea)).toMatch(/^JOT_NAME_TAKEN: /);
    expect(await failure('deploy_jot', { name: 'taken' }, bea)).toMatch(/^JOT_NAME_TAKEN: /);
    expect(await (await app.request('/j/taken/')).text()).toBe(INDEX_HTML);
  });

  it.each(['', '-a', 'a-', 'A', 'a_b', 'a.b', 'upload', '__x', 'ä', 'x'.repeat(64), '../a'])(
    'refuses the name %j',
    async (name) => {
      expect(await run(app, ana, 'deploy_jot', { name, files: [] })).toMatchObject({
        error: 'Invalid arguments',
        message: expect.stringMatching(/^name: a jot name has/),
      });
    },
  );

  it.each(['a', '0', 'a-b-c', 'x'.repeat(63), 'uploads'])('accepts the name %j', async (name) => {
    expect(await publish(app, ana, name)).toMatchObject({ name });
  });

  it.each([
    ['NO_INDEX', { 'page.html': 'x' }],
    ['NO_INDEX', { 'sub/index.html': 'x' }],
    ['NO_INDEX', {}],
    ['INVALID_PATH', { '../index.html': 'x' }],
    ['INVALID_PATH', { '.jot.json': '{}' }],
    ['TOO_LARGE', { 'index.html': 'x'.repeat(100_001) }],
    ['TOO_MANY_FILES', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${n}.txt`, '']))],
  ])('refuses with %s what an upload would be refused for', async (reason, files) => {
    const before = await blobKeys(app);
    await publish(app, ana, 'safe');
    const kept = await downloadAll(app, ana, 'safe');
    const standing = await blobKeys(app);
    expect(await failure('deploy_jot', { name: 'safe', files: asFiles(files) })).toMatch(`${reason}: `);
    expect(await downloadAll(app, ana, 'safe')).toEqual(kept);
    expect(await blobKeys(app)).toEqual(standing);
    expect(standing.length).toBeGreaterThan(before.length);
  });

  it.each([
    ['bytes', { 'index.html': 'x'.repeat(100_000) }],
    [
      'files',
      Object.fromEntries(Array.from({ length: 20 }, (_, n) => [n === 0 ? 'index.html' : `${n}`, ''])),
    ],
  ])('accepts as many %s as a jot may have', async (_, files) => {
    expect(await done(app, ana, 'deploy_jot', { name: 'full', files: asFiles(files) })).toMatchObject({
      files: Object.keys(files).length,
    });
  });

  it.each([
    // These are controls, characters that change the reading direction, the byte order mark and half a character.
    ...'\0 \u001f \u007f \u009f \u061c \u200e \u200f \u2028 \u2029 \u202a \u202e \u2066 \u2069'.split(' '),
    ...'\ufeff \ufffd \\ \ud83d \ude00 \ude00\ud83d'.split(' '),
    ...'/a a/ a//b ./. .. ./ ./.. a/. a/.. .JOT.JSON'.split(' '),
    'x'.repeat(1_025),
  ])('refuses the path %j', async (path) => {
    const files = asFiles({ 'index.html': 'x', [path.length === 1 ? `a${path}b` : path]: 'x' });
    expect(await failure('deploy_jot', { name: 'paths', files })).toMatch(/^INVALID_PATH: /);
  });

  it.each(['a.txt', './a.txt'])('refuses a path that appears twice, the second time as %j', async (path) => {
    const twice = [...asFiles({ 'index.html': 'x', 'a.txt': 'one' }), { path, content: 'two' }];
    expect(await failure('deploy_jot', { name: 'twice', files: twice })).toMatch(
      /^INVALID_PATH: .*is there twice/,
    );
  });

  it.each([
    ['x'.repeat(1_024), undefined],
    ['./a', 'a'],
    ['..a', undefined],
    ['a..', undefined],
    ['...', undefined],
    ['a b/ünï/😀.txt', undefined],
    ['sub/.jot.json', undefined],
  ])('accepts the path %j', async (path, kept = path) => {
    await done(app, ana, 'deploy_jot', { name: 'paths', files: asFiles({ 'index.html': 'x', [path]: 'y' }) });
    expect(await downloadAll(app, ana, 'paths')).toEqual({ 'index.html': 'x', [kept]: 'y' });
  });

  it('stores an unchanged file once, whatever its path', async () => {
    await publish(app, ana, 'thrifty', { 'a.txt': 'the same bytes', 'b.txt': 'the same bytes' });
    const first = (await blobKeys(app)).filter((key) => key.startsWith('jots/thrifty/'));
    // These are index.html, the bytes of a and b, and the manifest.
    expect(first).toHaveLength(3);
    await publish(app, ana, 'thrifty', { 'c.txt': 'the same bytes', 'd.txt': 'others' });
    const second = (await blobKeys(app)).filter((key) => key.startsWith('jots/thrifty/'));
    // The second deploy adds d and another manifest.
    expect(second).toHaveLength(5);
  });
});

describe('deploy_jot without files', () => {
  it('returns an upload address, its expiry and a command that uses it', async () => {
    const offer = await done(app, ana, 'deploy_jot', { name: 'offered' });
    expect(offer).toEqual({
      uploadUrl: expect.stringMatching(/^http:\/\/localhost:3000\/j\/upload\/[0-9a-f]{64}$/),
      expiresAt: app.clock.now() + 900,
      example: `tar czf - . | curl --data-binary @- ${offer.uploadUrl}`,
    });
    expect((await app.request('/j/offered/')).status).toBe(404);
  });
});

describe('Passwords', () => {
  it.each([
    [{ access: 'password' }, 'PASSWORD_RULE'],
    [{ password: 'secret' }, 'PASSWORD_RULE'],
    [{ access: 'public', password: 'secret' }, 'PASSWORD_RULE'],
    [{ access: 'password', password: '' }, 'Invalid arguments'],
    [{ access: 'password', password: 'ä'.repeat(37) }, 'Invalid arguments'],
    [{ access: 'secret' }, 'Invalid arguments'],
  ])('in %j are refused, and nothing is published', async (settings, reason) => {
    const files = asFiles({ 'index.html': 'x' });
    expect(await failure('deploy_jot', { name: 'half-locked', files, ...settings })).toMatch(reason);
    expect((await app.request('/j/half-locked/')).status).toBe(404);
  });

  it('stay the same in a deploy with access "password" and no password', async () => {
    await publish(app, ana, 'kept', {}, { access: 'password', password: 'secret' });
    const before = await app.deps.store.jots.get('kept');
    await publish(app, ana, 'kept', {}, { access: 'password' });
    expect((await app.deps.store.jots.get('kept'))?.password_hash).toBe(before?.password_hash);
  });

  it('that a public deploy removes cause a warning', async () => {
    await publish(app, ana, 'opened', {}, { access: 'password', password: 'secret' });
    expect((await publish(app, ana, 'opened')).warnings).toEqual([expect.stringContaining('is public now')]);
    expect((await app.deps.store.jots.get('opened'))?.password_hash).toBeNull();
  });

  it('are stored as bcrypt hashes only', async () => {
    await publish(app, ana, 'hashed', {}, { access: 'password', password: 'hunter22' });
    expect((await app.deps.store.jots.get('hashed'))?.password_hash).toMatch(/^\$2[ab]\$10\$/);
    expect(JSON.stringify([await done(app, ana, 'get_jot', { name: 'hashed' }), app.lines])).not.toMatch(
      /hunter22|\$2[ab]\$/,
    );
  });
});

describe('update_jot', () => {
  it('writes settings at once and returns an upload address too', async () => {
    await publish(app, ana, 'settings');
    app.clock.advance(5);
    const locked = await done(app, ana, 'update_jot', {
      name: 'settings',
      access: 'password',
      password: 'secret',
      cors: true,
    });
    expect(locked).toEqual({
      name: 'settings',
      url: 'http://localhost:3000/j/settings/',
      access: 'password',
      cors: true,
      files: 1,
      bytes: INDEX_HTML.length,
      updatedAt: app.clock.now(),
      uploadUrl: expect.stringContaining('/j/upload/'),
      expiresAt: app.clock.now() + 900,
      example: expect.stringContaining('tar czf'),
    });
    expect((await app.request('/j/settings/')).status).toBe(401);
    await done(app, ana, 'update_jot', { name: 'settings', access: 'public' });
    expect((await app.request('/j/settings/')).status).toBe(200);
    expect((await app.deps.store.jots.get('settings'))?.password_hash).toBeNull();
  });

  it('accepts a new password for a locked jot without access, and refuses it for a public jot', async () => {
    await publish(app, ana, 'repassword', {}, { access: 'password', password: 'one' });
    await done(app, ana, 'update_jot', { name: 'repassword', password: 'two' });
    await done(app, ana, 'update_jot', { name: 'repassword', access: 'public' });
    expect(await failure('update_jot', { name: 'repassword', password: 'three' })).toMatch(/^PASSWORD_RULE/);
    expect(await failure('update_jot', { name: 'repassword', access: 'password' })).toMatch(/^PASSWORD_RULE/);
  });

  it('deletes first and then adds the given files, at once', async () => {
    await publish(app, ana, 'patched', { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c', 'dir/d.txt': 'd' });
    const result = await done(app, ana, 'update_jot', {
      name: 'patched',
      delete: ['b.txt', 'dir/', 'a.txt', 'never-there'],
      files: asFiles({ 'a.txt': 'new a' }),
    });
    expect(result).toMatchObject({ files: 2, warnings: [], uploadUrl: expect.any(String) });
    expect(await downloadAll(app, ana, 'patched')).toEqual({ 'index.html': INDEX_HTML, 'a.txt': 'new a' });
    await done(app, ana, 'update_jot', { name: 'patched', delete: ['a.txt'], files: [] });
    expect(await downloadAll(app, ana, 'patched')).toEqual({ 'index.html': INDEX_HTML });
    // The list was applied already, so the upload address does not repeat it.
    await done(app, ana, 'update_jot', { name: 'patched', files: asFiles({ 'dir/c.txt': 'c again' }) });
    await upload(app, result, tarball({ 'e.txt': 'e' }));
    expect(Object.keys(await downloadAll(app, ana, 'patched'))).toEqual(['index.html', 'dir/c.txt', 'e.txt']);
  });

  it.each([
    ['NO_INDEX', { delete: ['index.html'], files: [] }],
    ['INVALID_PATH', { delete: ['../x'], files: [] }],
    ['INVALID_PATH', { files: asFiles({ 'INDEX.html': 'x' }) }],
    ['INVALID_PATH', { files: asFiles({ 'index.html/x': 'x' }) }],
    ['TOO_LARGE', { files: asFiles({ 'more.txt': 'x'.repeat(60_000) }) }],
    [
      'TOO_MANY_FILES',
      { files: asFiles(Object.fromEntries(Array.from({ length: 19 }, (_, n) => [`${n}.txt`, '']))) },
    ],
  ])('refuses with %s where the merged tree breaks a rule', async (reason, change) => {
    await publish(app, ana, 'merged', { 'big.txt': 'y'.repeat(60_000) });
    const before = await downloadAll(app, ana, 'merged');
    expect(await failure('update_jot', { name: 'merged', ...change })).toMatch(`${reason}: `);
    expect(await downloadAll(app, ana, 'merged')).toEqual(before);
  });

  it('deletes each path that is named among very many names', async () => {
    const roomy = await createTestApp();
    const user = await roomy.user();
    const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, n) => [`d/${n}.txt`, 'x']));
    await publish(roomy, user, 'many', { ...many, 'd2/a.txt': 'a', 'e/f/g.txt': 'g' });
    const deleted = [...Array.from({ length: 150_000 }, (_, n) => `n${n}`), 'd', 'e/f/g.txt', 'd2/a'];
    await done(roomy, user, 'update_jot', { name: 'many', delete: deleted, files: [] });
    expect(Object.keys(await downloadAll(roomy, user, 'many')).toSorted()).toEqual([
      'd2/a.txt',
      'index.html',
    ]);
    await roomy.close();
  });

  it.each([1, 1_900])('reads each name to delete once, for a jot of %i files', (count) => {
    const names = [...Array.from({ length: 5_000 }, (_, n) => `n${n}`), 'd'];
    let reads = 0;
    const counted = new Proxy(names, {
      get(target, key) {
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key);
      },
    });
    const stored = (key: string) => ({ key, hash: key, size: 1 });
    const paths = ['index.html', ...Array.from({ length: count }, (_, n) => `d/${n}.txt`)];
    const live: Manifest = {
      ...EMPTY_MANIFEST,
      files: new Map(paths.map((path) => [path, stored(path)])),
    };
    const who = { name: 'many', userId: 'ana', by: null };
    const patch = { kind: 'patch', ...who, delete: counted, whole: false } as const;
    const known = new Map(paths.map((path) => [path, stored(path)]));
    const limits = { maxBytes: 10_000, maxFiles: 2_000, maxPackedBytes: 10_000 };
    const merged = mergeFiles(patch, live, new Map(), { known, owns: () => false, limits });
    expect([...merged.keys()]).toEqual(['index.html']);
    expect(reads).toBe(names.length);
  });

  it('loses nothing when several calls patch one jot at the same time', async () => {
    await publish(app, ana, 'busy');
    const names = Array.from({ length: 8 }, (_, n) => `${n}.txt`);
    await Promise.all(
      names.map((path) => done(app, ana, 'update_jot', { name: 'busy', files: asFiles({ [path]: path }) })),
    );
    expect(Object.keys(await downloadAll(app, ana, 'busy')).toSorted()).toEqual([...names, 'index.html']);
  });
});

describe('Jots of other people', () => {
  it.each([
    ['update_jot', {}],
    ['get_jot', {}],
    ['delete_jot', {}],
  ])('do not exist for %s', async (tool, args) => {
    await publish(app, ana, 'hers');
    const absent = await failure(tool, { name: 'absent', ...args }, bea);
    expect(absent).toBe('NOT_FOUND: You have no jot "absent"');
    expect(await failure(tool, { name: 'hers', ...args }, bea)).toBe(absent.replace('absent', 'hers'));
  });
});

describe('list_jots, get_jot, delete_jot', () => {
  it("list, show and delete the caller's jots", async () => {
    const cleo = await app.user('cleo@example.com');
    await publish(app, cleo, 'cleo-b', { 'x.txt': 'x' }, { cors: true });
    await publish(app, cleo, 'cleo-a', {}, { access: 'password', password: 'p' });
    const summary = (name: string, files: number, bytes: number, rest: object) => ({
      name,
      url: `http://localhost:3000/j/${name}/`,
      files,
      bytes,
      updatedAt: app.clock.now(),
      ...rest,
    });
    const second = summary('cleo-b', 2, INDEX_HTML.length + 1, { access: 'public', cors: true });
    expect(await done(app, cleo, 'list_jots', {})).toEqual({
      jots: [summary('cleo-a', 1, INDEX_HTML.length, { access: 'password', cors: false }), second],
    });
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await done(app, cleo, 'get_jot', { name: 'cleo-b' })).toEqual({
      ...second,
      createdAt: app.clock.now(),
      files: [
        { path: 'index.html', size: INDEX_HTML.length, hash },
        { path: 'x.txt', size: 1, hash },
      ],
    });
    expect(await done(app, cleo, 'delete_jot', { name: 'cleo-b' })).toEqual({ deleted: true });
    expect((await app.request('/j/cleo-b/')).status).toBe(404);
    expect(await failure('delete_jot', { name: 'cleo-b' }, cleo)).toMatch(/^NOT_FOUND/);
  });
});
