// Tests when pictures of jots are made and deleted, with a camera that notes what it is asked. reference: Jot pictures; decision: 050
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Camera, PageToShow } from '../../src/ports/camera.ts';
import { BrowserStartFailed } from '../../src/ports/browser.ts';
import { JOT_VERSIONS } from '../../src/jots/model/limits.ts';
import { blobKeys, done, publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const FILE = 4_096;
let app: TestApp;
let ana: TestUser;
/** The pictures that were asked for and wait for `take`. */
let asked: {
  page: PageToShow;
  take: (image?: Uint8Array<ArrayBuffer>) => void;
  fail: (error: Error) => void;
}[];
let running: number;
let most: number;

const camera: Camera = {
  async photograph(page) {
    most = Math.max(most, ++running);
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    asked.push({ page, take: (image = new Uint8Array([1, 2, 3])) => resolve(image), fail: reject });
    return promise.finally(() => running--);
  },
  close: async () => {},
};

beforeEach(async () => {
  asked = [];
  running = most = 0;
  app = await createTestApp({ ports: { camera } });
  ana = await app.user();
});
afterEach(() => app.close());

async function nextPicture() {
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  const next = asked.shift();
  if (next === undefined) throw new Error('no picture was asked for');
  return next;
}
async function takePicture(image?: Uint8Array<ArrayBuffer>): Promise<void> {
  (await nextPicture()).take(image);
  await app.deps.jots.thumbnails.idle();
}
const get = (path: string) => app.request(path, { headers: ana.sessionHeader });
async function thumbnailOf(name: string): Promise<string | null> {
  return (await (await get(`/api/jots/${name}`)).json()).thumbnail;
}
const pictures = async () => (await blobKeys(app)).filter((key) => key.endsWith('/thumbnail'));

it('makes a picture after a publish, which does not wait for it', async () => {
  await publish(app, ana, 'page');
  expect(await thumbnailOf('page')).toBeNull();
  expect((await get('/api/jots/page/thumbnail')).status).toBe(404);
  await takePicture();
  const address = (await thumbnailOf('page')) ?? '';
  expect(address).toMatch(/^\/api\/jots\/page\/thumbnail\?of=\w+-\w+$/);
  const picture = await get(address);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect([...new Uint8Array(await picture.arrayBuffer())]).toEqual([1, 2, 3]);
  expect((await app.request(address)).status).toBe(401);
});

it('gives the page its own files under the headers of readers, and nothing else', async () => {
  await publish(app, ana, 'page', { 'a/style.css': 'p{}' });
  await publish(app, ana, 'other');
  const { page, take } = await nextPicture();
  const base = 'http://localhost:3000';
  expect(page.url).toBe(`${base}/j/page/`);
  const index = await page.answer(page.url);
  expect(index?.headers.get('content-security-policy')).toBe('sandbox allow-scripts allow-forms');
  expect(await (await page.answer(`${page.url}a/style.css?x`))?.text()).toBe('p{}');
  for (const url of [
    `${page.url}none.css`,
    `${page.url}.jot.json`,
    `${base}/j/other/`,
    `${base}/j/page/../other/`,
    `${base}/api/jots`,
    `${base}/`,
    'https://example.com/j/page/',
    'file:///etc/passwd',
    'data:text/plain,x',
  ])
    expect(await page.answer(url), url).toBeNull();
  take();
  await takePicture();
  await app.deps.jots.views.flush();
  expect((await app.deps.store.jots.get('page'))?.views).toBe(0);
});

it('makes one picture at a time, and one of a jot that is published several times', async () => {
  await Promise.all(['a', 'b', 'c'].map((name) => publish(app, ana, name)));
  const first = await nextPicture();
  for (let n = 0; n < 3; n++) await publish(app, ana, 'z', { 'index.html': `${n}` });
  first.take();
  for (let n = 0; n < 3; n++) (await nextPicture()).take();
  await app.deps.jots.thumbnails.idle();
  expect([asked.length, most]).toEqual([0, 1]);
  expect(await pictures()).toHaveLength(4);
});

async function rollBack(version: number, current: number): Promise<void> {
  const body = JSON.stringify({ version, current });
  const headers = { ...ana.sessionHeader, 'content-type': 'application/json' };
  const response = await app.request('/api/jots/page/rollback', { method: 'POST', headers, body });
  expect(response.status).toBe(200);
}
const heldBytes = async () => (await app.deps.store.jots.get('page'))?.held_bytes ?? 0;

it('deletes the picture with what it shows: a password, the jot', async () => {
  await publish(app, ana, 'page');
  await takePicture();
  const first = await thumbnailOf('page');
  await publish(app, ana, 'page', { 'index.html': 'two' });
  expect(await thumbnailOf('page')).toBeNull();
  await takePicture();
  expect(await thumbnailOf('page')).not.toBe(first);
  await done(app, ana, 'update_jot', { name: 'page', cors: true });
  expect(await pictures()).toHaveLength(2);
  await done(app, ana, 'update_jot', { name: 'page', access: 'password', password: 'p' });
  // The other one belongs to the earlier version.
  expect([await thumbnailOf('page'), await pictures()]).toEqual([null, [expect.any(String)]]);
  expect(asked).toEqual([]);
  await done(app, ana, 'update_jot', { name: 'page', access: 'public' });
  await get('/api/jots');
  await takePicture();
  await done(app, ana, 'delete_jot', { name: 'page' });
  expect(await pictures()).toHaveLength(1);
  app.clock.advance(3 * 24 * 3_600);
  await app.deps.jots.sweep();
  expect(await pictures()).toEqual([]);
});

it('keeps the picture of each version, and shows it at once after a roll-back', async () => {
  await publish(app, ana, 'page', { 'index.html': 'one' });
  await takePicture(new Uint8Array(1_000));
  const first = await thumbnailOf('page');
  await publish(app, ana, 'page', { 'index.html': 'two' });
  await takePicture(new Uint8Array([2]));
  const second = await thumbnailOf('page');
  await rollBack(1, 2);
  expect([await thumbnailOf('page'), asked]).toEqual([first, []]);
  expect((await (await get('/api/jots/page/thumbnail')).arrayBuffer()).byteLength).toBe(1_000);
  await rollBack(2, 1);
  expect(await thumbnailOf('page')).toBe(second);
  app.clock.advance(3 * 24 * 3_600);
  await app.deps.jots.sweep();
  expect(await pictures()).toHaveLength(2);
});

it('shows no kept picture of a locked jot, and takes another where the kept one is gone', async () => {
  await publish(app, ana, 'page', { 'index.html': 'one' });
  await takePicture();
  const [first = ''] = await pictures();
  await publish(app, ana, 'page', { 'index.html': 'two' });
  await takePicture();
  await done(app, ana, 'update_jot', { name: 'page', access: 'password', password: 'p' });
  await rollBack(1, 2);
  expect([await thumbnailOf('page'), asked]).toEqual([null, []]);
  await done(app, ana, 'update_jot', { name: 'page', access: 'public' });
  await get('/api/jots');
  await takePicture();
  await rollBack(2, 1);
  await takePicture();
  for (const key of await pictures()) if (key !== first) await app.deps.blobs.delete(key);
  await rollBack(1, 2);
  expect(await thumbnailOf('page')).toBeNull();
  await takePicture();
  expect(await thumbnailOf('page')).not.toBeNull();
});

it('counts the pictures of earlier versions, and drops them with their version', async () => {
  for (let n = 0; n < 12; n++) {
    await publish(app, ana, 'page', { 'index.html': `${n}` });
    await takePicture(new Uint8Array(1_000));
  }
  app.clock.advance(3 * 24 * 3_600);
  await app.deps.jots.sweep();
  expect(await pictures()).toHaveLength(JOT_VERSIONS);
  let weight = 0;
  for (const key of await blobKeys(app)) weight += FILE + ((await app.deps.blobs.get(key))?.size ?? 0);
  const jot = await app.deps.store.jots.get('page');
  // The live version has a manifest and a picture of its own, which do not count.
  const live = (await app.deps.blobs.get(jot?.manifest ?? ''))?.size ?? 0;
  expect(weight - (2 * FILE + live + 1_000)).toBe((jot?.bytes ?? 0) + FILE + (await heldBytes()));
});

it('throws a picture away when the jot was changed, locked or deleted meanwhile', async () => {
  await publish(app, ana, 'changed');
  const { take } = await nextPicture();
  await publish(app, ana, 'changed', { 'index.html': 'two' });
  take(new Uint8Array([9]));
  const second = await nextPicture();
  expect(await pictures()).toEqual([]);
  await done(app, ana, 'update_jot', { name: 'changed', access: 'password', password: 'p' });
  second.take();
  await app.deps.jots.thumbnails.idle();
  expect(await pictures()).toEqual([]);
  await publish(app, ana, 'deleted');
  const third = await nextPicture();
  await done(app, ana, 'delete_jot', { name: 'deleted' });
  third.take();
  await app.deps.jots.thumbnails.idle();
  expect(await pictures()).toEqual([]);
});

it('tries a page that fails again when somebody looks, but not for ever, and keeps no huge picture', async () => {
  await publish(app, ana, 'page');
  (await nextPicture()).fail(new Error('the browser has ended'));
  await app.deps.jots.thumbnails.idle();
  await get('/api/jots');
  (await nextPicture()).fail(new BrowserStartFailed('There is no browser'));
  await app.deps.jots.thumbnails.idle();
  await get('/api/jots/page');
  await takePicture(new Uint8Array(300_000));
  for (let n = 0; n < 3; n++) await get('/api/jots');
  await app.deps.jots.thumbnails.idle();
  expect([asked, await pictures()]).toEqual([[], []]);
  expect(app.lines.filter(({ event }) => event === 'a jot got no picture').map(({ level }) => level)).toEqual(
    ['warn', 'debug'],
  );
});

it('keeps the picture of a jot in the sweep', async () => {
  await publish(app, ana, 'page');
  await takePicture();
  app.clock.advance(3 * 24 * 3_600);
  await app.deps.jots.sweep();
  expect(await pictures()).toHaveLength(1);
});
