// Checks when a jot is published with cors. reference: Jot tools; decision: 048
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asFiles, done, INDEX_HTML, publish, tarball, upload } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterAll(() => app.close());

const OTHER = { 'a.css': 'x' };
const LOCKED = { access: 'password', password: 'p' };
const NOTED = { cors: true, note: expect.stringMatching(/^cors is on, .* set cors to false/) };

const update = (name: string, args: object = {}) => done(app, ana, 'update_jot', { name, ...args });
const addFile = (name: string, args: object = {}) => update(name, { files: asFiles(OTHER), ...args });
const isShared = async (name: string) =>
  (await app.request(`/j/${name}/`)).headers.get('access-control-allow-origin') === '*';

/** Stores a jot as version 0.1 did, which did not record whether somebody had chosen. */
async function storeAsBefore(name: string, files: Record<string, string>): Promise<void> {
  await publish(app, ana, name, files);
  const jot = await app.deps.store.jots.get(name);
  if (jot === null) throw new TypeError('the jot was published');
  const old = { ...jot, cors: false, cors_chosen: false, version: `${jot.version}0` };
  expect(await app.deps.store.jots.put(old, jot.version)).toBe(true);
}

describe('A new public jot', () => {
  it('of several files has cors, and the answer says why', async () => {
    expect(await publish(app, ana, 'several', OTHER)).toMatchObject(NOTED);
    expect(await isShared('several')).toBe(true);
  });

  it('of several files has it also when they arrive as an archive', async () => {
    const offer = await done(app, ana, 'deploy_jot', { name: 'packed' });
    expect((await upload(app, offer, tarball({ 'index.html': INDEX_HTML, ...OTHER }))).body).toMatchObject(
      NOTED,
    );
    expect(await isShared('packed')).toBe(true);
  });

  it('of one file has no cors', async () => {
    const published = await publish(app, ana, 'single');
    expect(published).toMatchObject({ cors: false });
    expect(published).not.toHaveProperty('note');
    expect(await isShared('single')).toBe(false);
  });

  it.each([false, true])('has what the caller asks for, and no note: %s', async (cors) => {
    for (const files of [{}, OTHER]) {
      const published = await publish(app, ana, 'asked', files, { cors });
      expect(published).toMatchObject({ cors });
      expect(published).not.toHaveProperty('note');
      expect(await isShared('asked')).toBe(cors);
    }
    const offer = await done(app, ana, 'deploy_jot', { name: 'asked', cors });
    const { body } = await upload(app, offer, tarball({ 'index.html': INDEX_HTML, ...OTHER }));
    expect(body).toMatchObject({ cors });
    expect(body).not.toHaveProperty('note');
  });
});

describe('A jot that is replaced as a whole', () => {
  it('is decided anew', async () => {
    await publish(app, ana, 'anew', OTHER, { cors: false });
    expect(await publish(app, ana, 'anew', OTHER)).toMatchObject(NOTED);
    expect(await publish(app, ana, 'anew')).toMatchObject({ cors: false });
  });
});

describe('A jot with a password', () => {
  it('never has cors by itself', async () => {
    const published = await publish(app, ana, 'locked', OTHER, LOCKED);
    expect(published).toMatchObject({ cors: false });
    expect(published).not.toHaveProperty('note');
    expect(await addFile('locked', { files: asFiles({ 'b.css': 'x' }) })).toMatchObject({ cors: false });
  });

  it('has it once update_jot makes it public, unless somebody chose otherwise', async () => {
    await publish(app, ana, 'opened', OTHER, LOCKED);
    expect(await update('opened', { access: 'public' })).toMatchObject(NOTED);
    expect(await isShared('opened')).toBe(true);
    await publish(app, ana, 'kept-shut', OTHER, { ...LOCKED, cors: false });
    expect(await update('kept-shut', { access: 'public' })).toMatchObject({ cors: false });
  });

  it('keeps what the form of the portal shows when a person makes it public there', async () => {
    await publish(app, ana, 'by-hand', OTHER, LOCKED);
    const response = await app.request('/api/jots/by-hand', {
      method: 'PATCH',
      headers: ana.sessionHeader,
      body: JSON.stringify({ access: 'public' }),
    });
    expect(await response.json()).toMatchObject({ access: 'public', cors: false });
  });
});

describe('A public jot that is updated', () => {
  it('has cors once it has several files, by arguments and by upload', async () => {
    await publish(app, ana, 'grown');
    expect(await addFile('grown')).toMatchObject(NOTED);
    await publish(app, ana, 'grown-packed');
    const offer = await update('grown-packed');
    expect((await upload(app, offer, tarball(OTHER))).body).toMatchObject(NOTED);
  });

  it('keeps cors when it loses files again', async () => {
    await publish(app, ana, 'shrunk', OTHER);
    expect(await update('shrunk', { delete: ['a.css'], files: [] })).toMatchObject({ files: 1, cors: true });
  });

  it.each([
    ['deploy_jot', () => publish(app, ana, 'chosen', {}, { cors: false })],
    ['update_jot', () => publish(app, ana, 'chosen').then(() => update('chosen', { cors: false }))],
    ['the same call', () => publish(app, ana, 'chosen')],
  ])('keeps the choice that %s made', async (where, publishSingle) => {
    await publishSingle();
    const choice = where === 'the same call' ? { cors: false } : {};
    expect(await addFile('chosen', choice)).toMatchObject({ files: 2, cors: false });
    expect(await update('chosen', { access: 'public' })).toMatchObject({ cors: false });
    expect(await update('chosen', { cors: true })).toMatchObject({ cors: true });
  });

  it('of version 0.1 has cors when it gets its second file, and otherwise keeps what it has', async () => {
    await storeAsBefore('old-single', {});
    expect(await addFile('old-single')).toMatchObject(NOTED);
    await storeAsBefore('old-several', OTHER);
    expect(await addFile('old-several', { files: asFiles({ 'b.css': 'x' }) })).toMatchObject({ cors: false });
  });
});
