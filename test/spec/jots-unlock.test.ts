// Checks how a jot with a password is unlocked. reference: Jot passwords; decision: 048
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { done, INDEX_HTML, publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  // With this setting each test can use its own client address.
  app = await createTestApp({ env: { TRUST_PROXY: 'true' } });
  ana = await app.user();
  await publish(app, ana, 'public');
  for (const name of ['safe', 'other'])
    await publish(app, ana, name, { 'a.txt': 'a' }, { access: 'password', password: `${name} pass` });
});
afterAll(() => app.close());

let addresses = 0;
const newAddress = () => `192.0.2.${++addresses}`;

function unlock(name: string, password: string, address = newAddress(), target = app): Promise<Response> {
  return target.request(`/j/${name}/__auth`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.0.0.1, ${address}`,
    },
    body: new URLSearchParams({ password }).toString(),
  });
}

async function cookieFor(name: string, password: string): Promise<string> {
  const response = await unlock(name, password);
  expect(response.status).toBe(302);
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const open = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
const statusWith = async (path: string, cookie: string) => (await open(path, { cookie })).status;

function expectUnlockPage(response: Response, text: string): void {
  expect(response.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-security-policy': 'sandbox allow-scripts allow-forms',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  expect(text).toContain('<form method="post" action="/j/safe/__auth">');
  expect(text).not.toMatch(/<script|https?:|INDEX/);
}

describe('A locked jot', () => {
  it.each([
    { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  ])('answers browser navigations with the unlock page and 200: %j', async (headers) => {
    for (const path of ['/j/safe/', '/j/safe/a.txt', '/j/safe/absent']) {
      const response = await open(path, headers);
      expect(response.status).toBe(200);
      expectUnlockPage(response, await response.text());
    }
  });

  it.each([{}, { accept: '*/*' }, { 'sec-fetch-mode': 'no-cors', accept: 'text/html' }])(
    'answers all other requests with a bare 401: %j',
    async (headers) => {
      const response = await open('/j/safe/a.txt', headers);
      expect([response.status, await response.text()]).toEqual([401, '']);
      expect(response.headers.has('content-security-policy')).toBe(false);
    },
  );

  it('opens with its password for 30 days, and the cookie opens no other jot', async () => {
    const response = await unlock('safe', 'safe pass');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/j/safe/']);
    expect(response.headers.get('set-cookie')).toMatch(
      /^svc_jot=[\w.-]+; Max-Age=2592000; Path=\/j\/safe\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = await cookieFor('safe', 'safe pass');
    const page = await open('/j/safe/', { cookie });
    expect([page.status, await page.text()]).toEqual([200, INDEX_HTML]);
    expect(page.headers.get('cache-control')).toBe('private, no-cache');
    expect(await statusWith('/j/safe/a.txt', cookie)).toBe(200);
    expect(await statusWith('/j/safe/absent', cookie)).toBe(404);
    expect(await statusWith('/j/other/a.txt', cookie)).toBe(401);
  });

  it('is never shared across origins, whether cors is set or not', async () => {
    await done(app, ana, 'update_jot', { name: 'safe', cors: true });
    const cookie = await cookieFor('safe', 'safe pass');
    expect((await open('/j/safe/', { cookie })).headers.has('access-control-allow-origin')).toBe(false);
  });

  it('sets a secure cookie where the public URL is https', async () => {
    const https = await createTestApp({
      env: {
        SERVER_PUBLIC_URL: 'https://gateway.example.com',
        SESSION_SECRET: 'x'.repeat(32),
        ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
      },
    });
    await publish(https, await https.user(), 'safe', {}, { access: 'password', password: 'p' });
    const response = await unlock('safe', 'p', newAddress(), https);
    expect(response.headers.get('set-cookie')).toMatch(/; Secure/);
    await https.close();
  });

  it('answers a wrong password with 401 and the unlock page', async () => {
    const response = await unlock('safe', 'wrong');
    expect(response.status).toBe(401);
    expect(response.headers.has('set-cookie')).toBe(false);
    const text = await response.text();
    expectUnlockPage(response, text);
    expect(text).toContain('Wrong password.');
  });

  it('locks again when the password changes or is set again', async () => {
    await publish(app, ana, 'changing', { 'a.txt': 'a' }, { access: 'password', password: 'one' });
    const cookie = await cookieFor('changing', 'one');
    expect(await statusWith('/j/changing/a.txt', cookie)).toBe(200);
    await done(app, ana, 'update_jot', { name: 'changing', password: 'two' });
    expect(await statusWith('/j/changing/a.txt', cookie)).toBe(401);
    expect((await unlock('changing', 'one')).status).toBe(401);
    const next = await cookieFor('changing', 'two');
    expect(await statusWith('/j/changing/a.txt', next)).toBe(200);
    await done(app, ana, 'update_jot', { name: 'changing', password: 'two' });
    expect(await statusWith('/j/changing/a.txt', next)).toBe(401);
  });

  it('stays unlocked when only its files change', async () => {
    const cookie = await cookieFor('other', 'other pass');
    await done(app, ana, 'update_jot', { name: 'other', files: [{ path: 'b.txt', content: 'b' }] });
    expect(await statusWith('/j/other/b.txt', cookie)).toBe(200);
  });
});

describe('The jot cookie', () => {
  it('is refused when it is forged, truncated, too old or from another gateway', async () => {
    const cookie = await cookieFor('safe', 'safe pass');
    const [issued = '', signature = ''] = cookie.replace('svc_jot=', '').split('.');
    const elsewhere = await createTestApp({
      env: { SESSION_SECRET: 'another secret of thirty-two bytes' },
      ports: { store: app.deps.store, blobs: app.deps.blobs, hasher: app.deps.hasher },
    });
    const foreign = await unlock('safe', 'safe pass', newAddress(), elsewhere);
    const forged = [
      '',
      'svc_jot=',
      `svc_jot=${signature}`,
      `svc_jot=${issued}.${signature.slice(1)}`,
      `svc_jot=${issued}.${'A'.repeat(43)}`,
      `svc_jot=${(Number.parseInt(issued, 36) + 1).toString(36)}.${signature}`,
      foreign.headers.get('set-cookie')?.split(';')[0] ?? '',
    ];
    for (const each of forged) expect([each, await statusWith('/j/safe/a.txt', each)]).toEqual([each, 401]);
    expect(await statusWith('/j/safe/a.txt', cookie)).toBe(200);
    app.clock.advance(2_591_999);
    expect(await statusWith('/j/safe/a.txt', cookie)).toBe(200);
    app.clock.advance(1);
    expect(await statusWith('/j/safe/a.txt', cookie)).toBe(401);
  });

  it('is no session, and a session is no jot cookie', async () => {
    expect(await statusWith('/j/safe/a.txt', `svc_jot=${ana.session}`)).toBe(401);
    const cookie = (await cookieFor('safe', 'safe pass')).replace('svc_jot=', '');
    const answer = await app.request('/api/auth/me', { headers: { authorization: `Bearer ${cookie}` } });
    expect(answer.status).toBe(401);
  });
});

describe('POST /j/:name/__auth', () => {
  it('answers 404 without a jot and 302 without a password', async () => {
    expect((await unlock('absent', 'x')).status).toBe(404);
    expect((await unlock('-bad-', 'x')).status).toBe(404);
    const response = await unlock('public', 'x');
    expect([response.status, response.headers.get('location')]).toEqual([302, '/j/public/']);
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  it.each(['', 'password', 'password=', 'password=%ff%fe', '{"password":"safe pass"}', 'x'.repeat(9_000)])(
    'treats the body %j as a wrong password',
    async (body) => {
      const headers = { 'x-forwarded-for': newAddress() };
      expect((await app.request('/j/safe/__auth', { method: 'POST', headers, body })).status).toBe(401);
    },
  );

  it('refuses a body that is larger than a form', async () => {
    const response = await unlock('safe', 'x'.repeat(20_000));
    expect(response.status).toBe(413);
  });
});

describe('The limit of five wrong passwords a minute', () => {
  it('answers 429 with Retry-After and the page, for this address and this jot', async () => {
    const address = newAddress();
    for (let n = 0; n < 5; n++) expect((await unlock('safe', 'wrong', address)).status).toBe(401);
    app.clock.advance(20);
    const refused = await unlock('safe', 'safe pass', address);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '40']);
    const text = await refused.text();
    expectUnlockPage(refused, text);
    expect(text).toContain('Too many wrong passwords');

    expect((await unlock('safe', 'safe pass')).status).toBe(302);
    expect((await unlock('other', 'other pass', address)).status).toBe(302);
    app.clock.advance(40);
    expect((await unlock('safe', 'safe pass', address)).status).toBe(302);
  });

  it('ends after a minute, even if the clock was set back', async () => {
    const address = newAddress();
    for (let n = 0; n < 5; n++) expect((await unlock('safe', 'wrong', address)).status).toBe(401);
    app.clock.setForward(-3_600);
    expect((await unlock('safe', 'safe pass', address)).headers.get('retry-after')).toBe('60');
    app.clock.advance(60);
    expect((await unlock('safe', 'safe pass', address)).status).toBe(302);
  });

  it('counts an IPv6 network as one address', async () => {
    const holder = ['2001:db8::1', '2001:db8:0:0:ffff::2', '2001:DB8::3', '2001:db8::4', '2001:db8::5'];
    for (const address of holder) expect((await unlock('safe', 'wrong', address)).status).toBe(401);
    expect((await unlock('safe', 'safe pass', '2001:db8:0:0:1:2:3:4')).status).toBe(429);
    expect((await unlock('safe', 'safe pass', '2001:db8:0:1::1')).status).toBe(302);

    for (let n = 0; n < 5; n++)
      expect((await unlock('safe', 'wrong', '::ffff:198.51.100.1')).status).toBe(401);
    expect((await unlock('safe', 'safe pass', '::ffff:198.51.100.1')).status).toBe(429);
    expect((await unlock('safe', 'safe pass', '::ffff:198.51.100.2')).status).toBe(302);
  });

  it('holds for attempts at the same time, and right passwords do not count', async () => {
    const address = newAddress();
    for (let n = 0; n < 6; n++) expect((await unlock('safe', 'safe pass', address)).status).toBe(302);
    const answers = await Promise.all(Array.from({ length: 12 }, () => unlock('safe', 'wrong', address)));
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(7).fill(429)]);
  });
});
