// Tests that the router returns what Hono's own router returns, however often it is asked.
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRouter } from '../../src/http/router.ts';
import { smallWorld } from '../support/fixtures.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
});
afterAll(() => app.close());

async function ask(method: string, path: string): Promise<[number, unknown]> {
  const headers = { ...(path.startsWith('/api/') ? ana.sessionHeader : ana.keyHeader) };
  const response = await app.request(path, { method, headers });
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text) : text];
}

// Twice: a router may remember what it answered before.
it.each([1, 2])('prefers a fixed path to a parameter, and refuses unknown paths (round %i)', async () => {
  expect(await ask('GET', '/api/auth/me')).toEqual([200, expect.objectContaining({ email: ana.email })]);
  expect(await ask('GET', '/api/auth/providers')).toEqual([200, expect.anything()]);
  expect(await ask('GET', '/api/auth/keyed')).toEqual([200, expect.objectContaining({ type: 'apikey' })]);
  expect(await ask('GET', '/api/auth/nope')).toEqual([404, { error: 'Integration not found' }]);
  expect(await ask('POST', '/api/auth/me')).toEqual([404, { error: 'Not found' }]);
  expect(await ask('GET', '/mcp')).toEqual([405, expect.anything()]);
  expect(await ask('GET', '/mcp/')).toEqual([405, expect.anything()]);
  expect(await ask('PURGE', '/mcp')).toEqual([405, expect.anything()]);
  expect((await ask('POST', '/mcp'))[0]).toBe(400);
  expect((await ask('GET', '/rest/'))[0]).toBe(200);
  expect(await ask('GET', '/rest/constructor')).toEqual([
    404,
    { error: 'Integration not found', integration: 'constructor' },
  ]);
});

it('answers each of many paths for itself', async () => {
  const names = Array.from({ length: 1_500 }, (_, at) => `i${at}`);
  for (const name of [...names, ...names.slice(0, 10), 'x'.repeat(300), 'x'.repeat(300)])
    expect(await ask('GET', `/rest/${name}`)).toEqual([
      404,
      { error: 'Integration not found', integration: name },
    ]);
  expect((await ask('GET', '/rest/echo'))[0]).toBe(200);
});

function withRoutes(app: Hono): Hono {
  app.use('*', async (c, next) => {
    await next();
    c.res.headers.set('x-seen', c.req.method);
  });
  app.get('/api/auth/me', (c) => c.text('me'));
  app.get('/api/auth/:integration', (c) => c.text(`integration ${c.req.param('integration')}`));
  app.get('/api/auth/plugin/:integration/callback', (c) => c.text(`callback ${c.req.param('integration')}`));
  app.post('/mcp', (c) => c.text('posted'));
  app.all('/mcp', (c) => c.text('no', 405));
  app.get('/:first/late', (c) => c.text(`late ${c.req.param('first')}`));
  app.get('/rest/late', (c) => c.text('too late'));
  app.get('/*', (c) => c.text('portal'));
  return app;
}

it("returns what Hono's own router returns, however often it is asked", async () => {
  const [ours, theirs] = [withRoutes(new Hono({ router: createRouter() })), withRoutes(new Hono())];
  const requests = [
    ['GET', '/api/auth/me'],
    ['GET', '/api/auth/github'],
    ['GET', '/api/auth/plugin/github/callback'],
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['PURGE', '/mcp'],
    ['GET', '/mcp/'],
    ['POST', '/api/auth/me'],
    ['GET', '/constructor'],
    ['GET', '/rest/late'],
    ['GET', '/other/late'],
    ['GET', '/%6dcp'],
    ['GET', '/*'],
    ['GET', '/'],
  ];
  for (const [method = '', path = ''] of [...requests, ...requests]) {
    const [our, their] = [await ours.request(path, { method }), await theirs.request(path, { method })];
    expect([path, our.status, await our.text(), our.headers.get('x-seen')]).toStrictEqual([
      path,
      their.status,
      await their.text(),
      their.headers.get('x-seen'),
    ]);
  }
});

it('never returns the result of another path, however many paths are asked for', async () => {
  const app = withRoutes(new Hono({ router: createRouter() }));
  const names = Array.from({ length: 1_500 }, (_, at) => `i${at}`);
  for (const name of [...names, ...names.slice(0, 10), 'x'.repeat(300), 'x'.repeat(300)])
    expect(await (await app.request(`/api/auth/${name}`)).text()).toBe(`integration ${name}`);
  expect((await app.request('/api/auth/i1', { method: 'POST' })).status).toBe(404);
});
