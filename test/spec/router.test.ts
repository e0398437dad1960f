// Tests that the router returns what Hono's own router returns, however often it is asked.
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { createRouter } from '../../src/http/router.ts';

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
  app.get('/*', (c) => c.text('portal'));
  return app;
}

it('a fixed address, a parameter beside it, and what nobody registered', async () => {
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

it('no answer is another address’s, however many are asked for', async () => {
  const app = withRoutes(new Hono({ router: createRouter() }));
  const names = Array.from({ length: 1_500 }, (_, at) => `i${at}`);
  for (const name of [...names, ...names.slice(0, 10), 'x'.repeat(300), 'x'.repeat(300)])
    expect(await (await app.request(`/api/auth/${name}`)).text()).toBe(`integration ${name}`);
  expect((await app.request('/api/auth/i1', { method: 'POST' })).status).toBe(404);
});
