// Tests how views of jots are counted: in memory, and written in batches. reference: Jot views
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCachedFileFinder } from '../../src/jots/serving/cached-file.ts';
import { createViews, createWaitingViews } from '../../src/jots/serving/views.ts';
import { done, publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const DAY = 24 * 3_600;
let app: TestApp;
let ana: TestUser;
beforeEach(async () => {
  app = await createTestApp();
  ana = await app.user();
});
afterEach(() => app.close());

async function viewsOf(name: string) {
  const response = await app.request('/api/jots', { headers: ana.keyHeader });
  const { jots } = await response.json();
  return jots.find((jot: { name: string }) => jot.name === name).views;
}
const view = async (path: string, init?: RequestInit) => (await app.request(`/j/${path}`, init)).status;

it('counts pages that were sent, and nothing else', async () => {
  await publish(app, ana, 'page', { 'about.html': 'about', 'style.css': 'p{}' });
  const etag = (await app.request('/j/page/')).headers.get('etag') ?? '';
  expect(await view('page/about.html')).toBe(200);
  expect(await view('page/', { headers: { 'if-none-match': etag } })).toBe(304);
  for (const path of ['page/style.css', 'page/none.html', 'page']) await view(path);
  await view('page/', { method: 'HEAD' });
  await view('page/', { headers: { range: 'bytes=0-1' } });
  await app.deps.jots.views.flush();
  expect(await viewsOf('page')).toEqual({ total: 3, recent: 3 });
});

it('counts pages that the adapter sends from memory', async () => {
  await publish(app, ana, 'page');
  const find = createCachedFileFinder(app.deps);
  const request = { target: '/j/page/', host: 'localhost:3000', ifNoneMatch: undefined };
  await app.request('/j/page/');
  expect((await find(request))?.status).toBe(200);
  expect((await find({ ...request, ifNoneMatch: '*' }))?.status).toBe(304);
  await app.deps.jots.views.flush();
  expect(await viewsOf('page')).toEqual({ total: 3, recent: 3 });
});

it('does not count who only sees the question for the password', async () => {
  await publish(app, ana, 'locked', {}, { access: 'password', password: 'p' });
  expect(await view('locked/', { headers: { accept: 'text/html' } })).toBe(200);
  await app.deps.jots.views.flush();
  expect(await viewsOf('locked')).toEqual({ total: 0, recent: 0 });
});

it('writes a hundred views at once, and loses none when the store fails', async () => {
  await publish(app, ana, 'page');
  const addViews = vi.spyOn(app.deps.store.jots, 'addViews');
  await Promise.all(Array.from({ length: 100 }, () => view('page/')));
  expect(addViews).not.toHaveBeenCalled();
  addViews.mockRejectedValueOnce(new Error('the disk is full'));
  await app.deps.jots.views.flush();
  expect(await viewsOf('page')).toEqual({ total: 0, recent: 0 });
  await view('page/');
  await app.deps.jots.views.flush();
  await app.deps.jots.views.flush();
  expect(addViews).toHaveBeenCalledTimes(2);
  expect(await viewsOf('page')).toEqual({ total: 101, recent: 101 });
});

it('adds up the views of several processes, and forgets those older than 30 days', async () => {
  await publish(app, ana, 'page');
  const jot = await app.deps.store.jots.get('page');
  if (jot === null) throw new Error('the jot was not stored');
  const other = createViews({ ...app.deps, waitingViews: createWaitingViews(app.deps) });
  other.count(jot, 'text/html; charset=utf-8');
  await view('page/');
  await Promise.all([other.flush(), app.deps.jots.views.flush()]);
  expect(await viewsOf('page')).toEqual({ total: 2, recent: 2 });
  app.clock.advance(20 * DAY);
  await view('page/');
  // The first minute after a flush writes nothing by itself.
  await app.deps.jots.views.flushIfDue();
  expect(await viewsOf('page')).toEqual({ total: 3, recent: 3 });
  await view('page/');
  await app.deps.jots.views.flushIfDue();
  expect(await viewsOf('page')).toEqual({ total: 3, recent: 3 });
  await app.deps.jots.views.flush();
  app.clock.advance(10 * DAY);
  expect(await viewsOf('page')).toEqual({ total: 4, recent: 2 });
});

it('keeps the views of a jot when it is published again, and gives them to no other jot of the name', async () => {
  await publish(app, ana, 'page');
  await view('page/');
  await app.deps.jots.views.flush();
  await publish(app, ana, 'page', { 'index.html': 'again' });
  expect(await viewsOf('page')).toEqual({ total: 1, recent: 1 });
  await view('page/');
  await done(app, ana, 'delete_jot', { name: 'page' });
  app.clock.advance(1);
  await publish(app, ana, 'page');
  await app.deps.jots.views.flush();
  expect(await viewsOf('page')).toEqual({ total: 0, recent: 0 });
});
