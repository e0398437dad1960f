// Checks /api/jots, which the portal uses. reference: Portal API; decision: 037
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done, INDEX_HTML, publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let bea: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  bea = await app.user('bea@example.com');
  await publish(app, ana, 'report', { 'a.txt': 'a' });
});
afterAll(() => app.close());

async function api(method: string, path: string, body?: unknown, user = ana) {
  const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await app.request(path, { method, headers: user.sessionHeader, ...init });
  return { status: response.status, body: await response.json() };
}

describe('GET /api/jots', () => {
  it("lists the caller's jots as list_jots does", async () => {
    const { status, body } = await api('GET', '/api/jots');
    expect(status).toBe(200);
    const { jots } = await done(app, ana, 'list_jots', {});
    const shown = { views: { total: 0, recent: 0 }, thumbnail: null };
    expect(body).toEqual({ jots: jots.map((jot: object) => ({ ...jot, ...shown })) });
    expect(body.jots).toHaveLength(1);
    expect((await api('GET', '/api/jots', undefined, bea)).body).toEqual({ jots: [] });
  });

  it.each([
    ['GET', '/api/jots'],
    ['PATCH', '/api/jots/report'],
    ['DELETE', '/api/jots/report'],
  ])('%s %s requires a session or a key', async (method, path) => {
    const response = await app.request(path, { method });
    expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }]);
    const withKey = await app.request('/api/jots', { headers: ana.keyHeader });
    expect(withKey.status).toBe(200);
  });
});

describe('PATCH /api/jots/:name', () => {
  it('changes access, password and cors, and returns the jot', async () => {
    const { status, body } = await api('PATCH', '/api/jots/report', { access: 'password', password: 'p' });
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'report',
      url: 'http://localhost:3000/j/report/',
      access: 'password',
      cors: true,
      files: 2,
      bytes: INDEX_HTML.length + 1,
      updatedAt: app.clock.now(),
    });
    expect((await app.request('/j/report/')).status).toBe(401);
    const opened = await api('PATCH', '/api/jots/report', { access: 'public' });
    expect(opened.body).toEqual({ ...body, access: 'public' });
    expect((await api('PATCH', '/api/jots/report', { access: 'public', cors: true })).body).toMatchObject({
      access: 'public',
      cors: true,
    });
    expect((await app.request('/j/report/')).status).toBe(200);
    expect((await api('PATCH', '/api/jots/report', {})).status).toBe(200);
  });

  it.each([
    [{ access: 'password' }, { error: 'PASSWORD_RULE' }],
    [{ password: 'p' }, { error: 'PASSWORD_RULE' }],
    [{ access: 'secret' }, { error: expect.stringMatching(/^access: /) }],
    [{ name: 'other' }, { error: expect.stringContaining('name') }],
    [[], { error: expect.any(String) }],
    ['{', { error: 'The body is not JSON' }],
  ])('answers 400 to %j', async (change, expected) => {
    const { status, body } = await api('PATCH', '/api/jots/report', change);
    expect([status, body]).toEqual([400, expect.objectContaining(expected)]);
  });

  it('answers 404 for a jot that does not exist or belongs to somebody else', async () => {
    for (const [path, user] of [
      ['/api/jots/absent', ana],
      ['/api/jots/-bad-', ana],
      ['/api/jots/report', bea],
    ] as const)
      expect(await api('PATCH', path, { cors: true }, user)).toEqual({
        status: 404,
        body: { error: 'Jot not found' },
      });
  });
});

describe('DELETE /api/jots/:name', () => {
  it("deletes the caller's jot only once", async () => {
    await publish(app, ana, 'gone');
    expect((await api('DELETE', '/api/jots/gone', undefined, bea)).status).toBe(404);
    expect(await api('DELETE', '/api/jots/gone')).toEqual({ status: 200, body: { success: true } });
    expect((await api('DELETE', '/api/jots/gone')).status).toBe(404);
    expect((await app.request('/j/gone/')).status).toBe(404);
  });
});
