// Tests which cookies are kept, and which a request carries. reference: Connections; decision: 027, 050
import { describe, expect, it } from 'vitest';
import { canonicalHost, cookieDomains, keepDomains } from '../../src/connections/cookies/cookie-domains.ts';
import { cookieHeader } from '../../src/connections/cookies/cookie-jar.ts';
import {
  type Bundle,
  type Cookie,
  hasLiveCookie,
  parseSession,
} from '../../src/connections/model/cookies.ts';
import type { CookieBlock } from '../../src/kit/manifest.ts';

const NOW = 1_800_000_000;

const cookie = (changes: Partial<Cookie> = {}): Cookie => ({
  name: 'sid',
  value: 'v',
  domain: 'example.com',
  path: '/',
  expires: -1,
  secure: false,
  httpOnly: true,
  ...changes,
});
const bundle = (...cookies: Partial<Cookie>[]): Bundle => ({
  v: 1,
  cookies: cookies.map(cookie),
  capturedAt: NOW,
});
const sent = (url: string, ...cookies: Partial<Cookie>[]) =>
  cookieHeader(bundle(...cookies), new URL(url), NOW);

describe('a cookie host', () => {
  it.each([
    ['example.com', 'example.com'],
    ['.example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['example。com', 'example.com'],
    ['a_b.example.com', 'a_b.example.com'],
    ['localhost', 'localhost'],
    ['127.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[0:0::1]', '[::1]'],
  ])('is normalized: %j becomes %j', (text, host) => expect(canonicalHost(text)).toBe(host));

  it.each([
    '',
    '.',
    '..example.com',
    'a..b',
    'example.com/x',
    'user@example.com',
    'example.com:80',
    '[::1]:8080',
    'exa mple.com',
    'example.com\n',
    'example.com\0',
    '*.example.com',
    '%65xample.com',
    'a;b.com',
    'a,b.com',
    '::1',
    '1.2.3.4.5',
    'http://example.com',
  ])('is invalid: %j', (text) => expect(canonicalHost(text)).toBeNull());
});

describe('the cookie domains of an integration', () => {
  const block = (changes: Partial<CookieBlock> = {}): CookieBlock => ({
    type: 'cookie',
    loginUrl: 'https://login.example.com/in',
    ...changes,
  });

  it.each<[string, CookieBlock, string | null, string[]]>([
    [
      'are those of the manifest',
      block({ cookieDomains: ['.Example.com', 'b.org'] }),
      null,
      ['example.com', 'b.org'],
    ],
    [
      'are those of the manifest, with an instance too',
      block({ cookieDomains: ['a.org'] }),
      'https://x.org',
      ['a.org'],
    ],
    ['are else the host of the instance', block(), 'https://wiki.example.org:8443/w', ['wiki.example.org']],
    ['are else the host of the log-in', block(), null, ['login.example.com']],
    ['are none where only an instance could tell', block({ loginUrl: '{instance}/login' }), null, []],
    ['can be an address', block(), 'http://127.0.0.1:8080', ['127.0.0.1']],
  ])('%s', (_what, manifest, instanceUrl, domains) =>
    expect(cookieDomains(manifest, instanceUrl)).toEqual(domains),
  );
});

describe('a captured cookie', () => {
  it.each([
    ['example.com', 'example.com'],
    ['.example.com', 'example.com'],
    ['wiki.example.com', 'example.com'],
    ['.a.b.example.com', 'example.com'],
    ['.example.com', 'wiki.example.com'],
    ['.co.uk', 'example.co.uk'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['.xn--bcher-kva.example', 'shop.xn--bcher-kva.example'],
  ])('of %s is kept for %s', (domain, own) => {
    expect(keepDomains(bundle({ domain }), [own]).cookies).toHaveLength(1);
  });

  it.each([
    ['.com', 'example.com'],
    ['com', 'example.com'],
    ['evil-example.com', 'example.com'],
    ['.evilexample.com', 'example.com'],
    ['example.com.evil.org', 'example.com'],
    ['sso.example.com', 'wiki.example.com'],
    ['.localhost', 'app.localhost'],
    ['1.127.0.0.1', '127.0.0.1'],
    ['.0.0.1', '127.0.0.1'],
    ['', 'example.com'],
    ['.', 'example.com'],
  ])('of %j is dropped for %s', (domain, own) => {
    expect(keepDomains(bundle({ domain }), [own]).cookies).toEqual([]);
  });

  it('is kept when one of several domains matches, with everything else of the bundle', () => {
    const given = {
      ...bundle({ domain: 'a.org' }, { domain: 'x.org' }, { domain: 'b.org' }),
      userAgent: 'UA',
    };
    expect(keepDomains(given, ['b.org', 'a.org'])).toEqual({
      ...given,
      cookies: [cookie({ domain: 'a.org' }), cookie({ domain: 'b.org' })],
    });
    expect(keepDomains(given, []).cookies).toEqual([]);
  });
});

describe('a request with cookies', () => {
  it.each([
    ['https://example.com/', 'example.com'],
    ['https://example.com/', '.example.com'],
    ['https://a.b.example.com/', '.example.com'],
    ['https://example.com:8443/', 'example.com'],
    ['https://EXAMPLE.com/', 'example.com'],
    ['https://example.com./', 'example.com'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['http://127.0.0.1:9/', '127.0.0.1'],
    ['http://[::1]:9/', '[::1]'],
    ['https://10.0.0.1.example.com/', '.example.com'],
  ])('to %s carries a cookie of %s', (url, domain) => expect(sent(url, { domain })).toBe('sid=v'));

  it.each([
    ['https://a.example.com/', 'example.com'],
    ['https://example.com/', 'a.example.com'],
    ['https://example.com/', '.a.example.com'],
    ['https://evil-example.com/', '.example.com'],
    ['https://evilexample.com/', '.example.com'],
    ['https://example.com.evil.org/', '.example.com'],
    ['http://1.0.0.1/', '.0.0.1'],
    ['http://10.0.0.1/', '0.0.1'],
    ['https://example.com/', ''],
    ['https://example.com/', '.'],
  ])('to %s carries no cookie of %j', (url, domain) => expect(sent(url, { domain })).toBe(''));

  it.each<[string, string, boolean]>([
    ['/', '/', true],
    ['/', '/any/thing', true],
    ['/a', '/a', true],
    ['/a', '/a/', true],
    ['/a', '/a/b', true],
    ['/a/', '/a/b', true],
    ['/a/', '/a', false],
    ['/a', '/ab', false],
    ['/a', '/', false],
    ['/a', '/A', false],
    ['/a', '/a%2fb', false],
    ['/a%2fb', '/a%2fb/c', true],
    ['/a/b', '/a%2fb', false],
    ['/a', '/x/../a', true],
    ['/a', '/a/../b', false],
    ['/a', '/b?x=/a', false],
  ])('with a cookie of path %j to %j carries it: %j', (path, target, carried) => {
    expect(sent(`https://example.com${target}`, { path })).toBe(carried ? 'sid=v' : '');
  });

  it.each<[string, boolean]>([
    ['https://example.com/', true],
    ['http://example.com/', false],
    ['ws://example.com/', false],
  ])('to %s carries a secure cookie: %j, and other cookies always', (url, carried) => {
    expect(sent(url, { secure: true })).toBe(carried ? 'sid=v' : '');
    expect(sent(url, { secure: false })).toBe('sid=v');
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'app.localhost'])(
    'to the loopback host %s counts as secure',
    (domain) => {
      expect(sent(`http://${domain}:8080/`, { domain, secure: true })).toBe('sid=v');
    },
  );

  it.each<[number, boolean]>([
    [-1, true],
    [NOW + 0.5, true],
    [NOW, false],
    [NOW - 1, false],
    [0, false],
    [-2, false],
  ])('carries a cookie that expires at %d: %j', (expires, carried) => {
    expect(sent('https://example.com/', { expires })).toBe(carried ? 'sid=v' : '');
  });

  it("carries longer paths first, then the bundle's order, and each name as often as it matches", () => {
    expect(
      sent(
        'https://example.com/a/b',
        { value: '1' },
        { value: '2', path: '/a/b' },
        { value: '3', path: '/a' },
        { value: '4', domain: '.example.com' },
        { name: 'other', value: '5', path: '/a' },
        { value: '6', path: '/c' },
      ),
    ).toBe('sid=2; sid=3; other=5; sid=1; sid=4');
  });

  it('carries values unchanged', () => {
    expect(
      sent(
        'https://example.com/',
        { value: '"a b, c"' },
        { name: '__proto__', value: '' },
        { name: 'x', value: 'a=b' },
      ),
    ).toBe('sid="a b, c"; __proto__=; x=a=b');
  });

  it('carries text as UTF-8, in a form that headers accept', () => {
    const header = sent('https://example.com/', { value: 'né 🍪' });
    expect(new Headers({ cookie: header }).get('cookie')).toBe(header);
    expect(Buffer.from(header, 'latin1').toString()).toBe('sid=né 🍪');
  });
});

describe('a stored bundle', () => {
  const full: Bundle = { ...bundle({ sameSite: 'Lax' }, { expires: 1.5 }), userAgent: 'UA' };

  it('reads back as it was written', () =>
    expect(parseSession(JSON.stringify(full)).bundle).toStrictEqual(full));

  it.each(['', 'null', '[]', '{}', '{"v":2,"cookies":[]}', '{"v":1,"cookies":[{}],"capturedAt":1}'])(
    'is distinguished from %j',
    (text) => expect(parseSession(text).bundle).toBeNull(),
  );

  it.each<[string, boolean]>([
    ['{"cookies":[{"expires":-1}]}', true],
    ['{"cookies":[{}]}', true],
    [`{"cookies":[{"expires":${NOW}},{"expires":${NOW + 1}}]}`, true],
    [`{"cookies":[{"expires":${NOW}}]}`, false],
    ['{"cookies":[]}', false],
    ['{"cookies":[{"expires":"x"}]}', false],
    ['{"cookies":[{"expires":null}]}', false],
    ['[]', false],
    ['no json', false],
  ])('is live for %s: %j', (text, live) => expect(hasLiveCookie(parseSession(text), NOW)).toBe(live));
});
