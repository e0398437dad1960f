// Tests imported sessions. reference: Cookie sessions; decision: 027
import { describe, expect, it } from 'vitest';
import { readSession } from '../../src/connections/cookies/cookie-import.ts';
import { type Browser, FIRST_PROFILE } from '../../src/ports/browser.ts';
import { createTestApp } from '../support/test-app.ts';

const NOW = 1_800_000_000;
const SECRET = 'do-not-tell';
const sid = { name: 'sid', value: SECRET, domain: 'example.com' };
const plain = { ...sid, path: '/', expires: -1, secure: false, httpOnly: false };

function read(input: unknown) {
  const session = readSession(input, NOW);
  if (!session.ok) throw new Error(session.message);
  return session.bundle;
}

function message(input: unknown): string {
  const session = readSession(input, NOW);
  return session.ok ? 'it was taken' : session.message;
}

describe('an imported session', () => {
  it('is the same after an export and an import', () => {
    const own = {
      v: 1 as const,
      cookies: [
        { ...plain, expires: NOW + 1.25, sameSite: 'Lax' as const },
        { ...plain, domain: '.example.com' },
      ],
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
      capturedAt: NOW - 60,
    };
    expect(read(JSON.parse(JSON.stringify(own)))).toStrictEqual(own);
  });

  it.each<[string, unknown]>([
    ['a bare list', [sid]],
    ['an object with a list', { cookies: [sid] }],
    [
      "Playwright's storageState",
      {
        cookies: [{ ...plain, sameSite: undefined }],
        origins: [{ origin: 'https://example.com', localStorage: [{ name: 'a', value: 'b' }] }],
      },
    ],
    [
      'Cookie-Editor',
      [
        {
          ...sid,
          hostOnly: true,
          httpOnly: false,
          path: '/',
          sameSite: 'unspecified',
          secure: false,
          session: true,
          storeId: '0',
          id: 1,
        },
      ],
    ],
    ['nulls for what is not known', [{ ...sid, path: null, expires: null, secure: null, sameSite: null }]],
    ['a key __proto__', JSON.parse(`{"cookies":[${JSON.stringify(sid)}],"__proto__":{"v":2}}`)],
  ])('can be %s', (_kind, input) => {
    expect(read(input)).toStrictEqual({ v: 1, cookies: [plain], capturedAt: NOW });
  });

  it.each<[string, object, object]>([
    ['a dot is for all below', { domain: '.Example.COM' }, { domain: '.example.com' }],
    ['hostOnly strikes the dot', { domain: '.example.com', hostOnly: true }, { domain: 'example.com' }],
    ['hostOnly false makes it', { domain: 'example.com', hostOnly: false }, { domain: '.example.com' }],
    ['an address is a host alone', { domain: '.127.0.0.1', hostOnly: false }, { domain: '127.0.0.1' }],
    ['an address of six', { domain: '.[::1]', hostOnly: false }, { domain: '[::1]' }],
    ['a name of its script', { domain: '.bücher.example' }, { domain: '.xn--bcher-kva.example' }],
    ['an expirationDate', { expirationDate: NOW + 0.5, session: false }, { expires: NOW + 0.5 }],
    ['a session cookie with a date', { expirationDate: NOW + 5, session: true }, { expires: -1 }],
    ['a past expiry', { expires: 5 }, { expires: 5 }],
    ['no_restriction', { sameSite: 'no_restriction', secure: true }, { sameSite: 'None', secure: true }],
    ['lower case', { sameSite: 'strict' }, { sameSite: 'Strict' }],
    ['a sameSite nobody knows', { sameSite: 'constructor' }, {}],
    ['httpOnly', { httpOnly: true }, { httpOnly: true }],
    ['an empty value', { value: '' }, { value: '' }],
    ['a value of 4096 bytes', { value: 'x'.repeat(4096) }, { value: 'x'.repeat(4096) }],
    ['quotes, spaces, commas', { value: '"a, b" c=d' }, { value: '"a, b" c=d' }],
    ['a name __proto__', { name: '__proto__' }, { name: '__proto__' }],
    ['a sound prefix', { name: '__Host-x', secure: true }, { name: '__Host-x', secure: true }],
    [
      'a sound prefix below a domain',
      { name: '__Secure-x', secure: true, domain: '.a.org' },
      { name: '__Secure-x', secure: true, domain: '.a.org' },
    ],
  ])('may have cookies with %s', (_what, given, expected) => {
    expect(read([{ ...sid, ...given }]).cookies).toStrictEqual([{ ...plain, ...expected }]);
  });

  it('keeps one name with different paths and domains, and the last of duplicates', () => {
    const cookies = [
      { ...plain, value: '1' },
      { ...plain, value: '2', path: '/a' },
      { ...plain, value: '3', domain: '.example.com' },
      { ...plain, value: '4' },
    ];
    expect(read(cookies).cookies.map(({ value }) => value)).toEqual(['4', '2', '3']);
  });

  it('gets the current time when its capture is in the future', () => {
    expect(read({ cookies: [sid], capturedAt: NOW + 9 }).capturedAt).toBe(NOW);
    expect(read({ cookies: [sid], capturedAt: 7.5 }).capturedAt).toBe(7.5);
  });

  it('may have 300 cookies', () => {
    const cookies = Array.from({ length: 300 }, (_, index) => ({ ...sid, name: `c${index}` }));
    expect(read(cookies).cookies).toHaveLength(300);
  });
});

describe('an invalid session', () => {
  it.each<[string, unknown, RegExp]>([
    ['text', 'sid=x', /list of cookies/],
    ['null', null, /list of cookies/],
    ['nothing', undefined, /list of cookies/],
    ['an empty object', {}, /cookies: must be a list/],
    ['an empty list', [], /cookies: is empty/],
    ['an empty list in an object', { cookies: [] }, /cookies: is empty/],
    ['an object for a list', { cookies: { 0: sid } }, /cookies: must be a list/],
    ['cookies in the prototype', JSON.parse('{"__proto__":{"cookies":[]}}'), /cookies: must be a list/],
    ['another version', { v: 2, cookies: [sid] }, /^v: .*version/],
    ['301 cookies', Array.from({ length: 301 }, () => sid), /more than 300/],
    ['301 of anything', Array.from({ length: 301 }, () => 0), /more than 300/],
    ['a user agent of two lines', { cookies: [sid], userAgent: `a\r\nx: ${SECRET}` }, /^userAgent: /],
    ['a user agent without an end', { cookies: [sid], userAgent: 'x'.repeat(513) }, /^userAgent: /],
    ['a moment of another type', { cookies: [sid], capturedAt: 'now' }, /^capturedAt: /],
  ])('is refused when it is or has %s', (_kind, input, expected) => expect(message(input)).toMatch(expected));

  it.each<[string, unknown, RegExp]>([
    ['no object', SECRET, /must be an object/],
    ['a list', [sid], /must be an object/],
    ['no name', { ...sid, name: undefined }, /name: /],
    ['an empty name', { ...sid, name: '' }, /name: is empty/],
    ['an equals sign in the name', { ...sid, name: `a=${SECRET}` }, /name: .*equals/],
    ['a semicolon in the name', { ...sid, name: 'a; b' }, /name: holds a semicolon/],
    ['no value', { ...sid, value: undefined }, /value: /],
    ['a number for a value', { ...sid, value: 1 }, /value: /],
    ['a line break in the value', { ...sid, value: `${SECRET}\r\nx: y` }, /value: holds .*control/],
    ['a NUL in the value', { ...sid, value: `${SECRET}\0` }, /value: holds .*control/],
    ['a tab in the value', { ...sid, value: `${SECRET}\t1` }, /value: holds .*control/],
    ['a DEL in the value', { ...sid, value: `${SECRET}\x7f` }, /value: holds .*control/],
    ['a semicolon in the value', { ...sid, value: `${SECRET}; a=b` }, /value: holds a semicolon/],
    ['4097 bytes', { ...sid, value: 'x'.repeat(4097) }, /value: is longer than 4096/],
    ['4097 bytes in fewer characters', { ...sid, value: 'é'.repeat(2049) }, /value: is longer than 4096/],
    ['a huge value', { ...sid, value: 'x'.repeat(1e6) }, /value: is longer than 4096/],
    ['no domain', { ...sid, domain: undefined }, /domain: /],
    ['an empty domain', { ...sid, domain: '' }, /domain: is not a host name/],
    ['a domain with a port', { ...sid, domain: 'example.com:80' }, /domain: is not a host name/],
    ['a URL for a domain', { ...sid, domain: 'https://example.com' }, /domain: is not a host name/],
    ['a pattern for a domain', { ...sid, domain: '*.example.com' }, /domain: is not a host name/],
    ['a relative path', { ...sid, path: 'a' }, /path: does not begin/],
    ['a semicolon in the path', { ...sid, path: '/;a' }, /path: holds a semicolon/],
    ['an expiry NaN', { ...sid, expires: Number.NaN }, /expires: /],
    ['an expiry Infinity', { ...sid, expires: Infinity }, /expires: /],
    ['an expiry in words', { ...sid, expires: 'x' }, /expires: /],
    ['an expirationDate in words', { ...sid, expirationDate: '1' }, /expirationDate: /],
    ['a number for secure', { ...sid, secure: 1 }, /secure: /],
    ['a number for sameSite', { ...sid, sameSite: 1 }, /sameSite: /],
    ['__Secure- without secure', { ...sid, name: '__Secure-x' }, /name: .*secure/],
    ['__host- without secure', { ...sid, name: '__host-x' }, /name: .*secure/],
    [
      '__Host- for a domain',
      { ...sid, name: '__Host-x', secure: true, domain: '.a.org' },
      /name: .*one host/,
    ],
    ['__Host- below a path', { ...sid, name: '__Host-x', secure: true, path: '/a' }, /name: .*one host/],
  ])('is refused for a cookie with %s, by its position and without its value', (_what, wrong, expected) => {
    const said = message([sid, wrong, wrong]);
    expect(said).toMatch(/^cookies\.1\b/);
    expect(said).toMatch(expected);
    expect(said).not.toContain(SECRET);
    expect(said).not.toContain('cookies.2');
    expect(said.length).toBeLessThan(200);
  });
});

describe('a session that is imported while the browser ends', () => {
  it('is stored, and the log says what the browser did not accept', async () => {
    const refuse = (): Promise<never> => Promise.reject(new Error('[chromium] it ended'));
    const session = {
      userAgent: 'x',
      profile: FIRST_PROFILE,
      closed: Promise.resolve(),
      navigate: refuse,
      cookies: refuse,
      setCookies: refuse,
      openChannel: refuse,
      close: refuse,
    };
    const browser: Browser = {
      status: () => 'on',
      current: () => session,
      open: refuse,
      forget: refuse,
      remove: refuse,
      reset: refuse,
      close: refuse,
    };
    const app = await createTestApp({ ports: { browser } });
    const { sessionHeader } = await app.user();
    const response = await app.request('/api/integrations/jar/session/import', {
      method: 'POST',
      headers: { ...sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({
        session: [{ ...sid, domain: '127.0.0.1' }],
        instanceUrl: 'http://127.0.0.1:1',
      }),
    });
    expect([response.status, await response.json()]).toEqual([200, { success: true, cookieCount: 1 }]);
    const exported = await app.request('/api/integrations/jar/session/export', { headers: sessionHeader });
    expect((await exported.json()).session.cookies).toMatchObject([{ name: 'sid', value: SECRET }]);
    expect(app.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', event: 'the browser did not accept the session' }),
    );
    expect(JSON.stringify(app.lines)).not.toContain(SECRET);
    await app.close();
  });
});
