// Tests how an upstream's Set-Cookie changes a bundle. RFC 6265 §5.2, §5.3
import { describe, expect, it } from 'vitest';
import { mergeSetCookie } from '../../src/connections/cookies/cookie-jar.ts';
import type { Bundle, Cookie } from '../../src/connections/model/cookies.ts';
import { parseCookieDate } from '../../src/connections/cookies/set-cookie.ts';

const NOW = 1_800_000_000;
const URL_OF_WIKI = 'https://wiki.example.com/w/api.php?x=/y';
const DOMAINS = ['wiki.example.com'];

const held: Cookie = {
  name: 'held',
  value: '1',
  domain: 'wiki.example.com',
  path: '/',
  expires: NOW + 100,
  secure: true,
  httpOnly: true,
  sameSite: 'Lax',
};
const HELD = 'held=1; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=100';
const bundle: Bundle = { v: 1, cookies: [held], userAgent: 'UA', capturedAt: NOW - 5 };

const merge = (lines: string[], url = URL_OF_WIKI, domains = DOMAINS, into = bundle) =>
  mergeSetCookie(into, new URL(url), lines, NOW, domains);
/** Returns the cookie that a line adds to an empty bundle. */
const added = (line: string, url = URL_OF_WIKI, domains = DOMAINS) =>
  merge([line], url, domains, { ...bundle, cookies: [] })?.cookies[0] ?? null;

describe('a Set-Cookie line', () => {
  const plain = {
    name: 'a',
    value: 'b',
    domain: 'wiki.example.com',
    path: '/w',
    expires: -1,
    secure: false,
    httpOnly: false,
  };

  it.each<[string, Partial<Cookie>]>([
    ['a=b', {}],
    [' a = b ', {}],
    ['a=b;', {}],
    ['a=b; ; =; x=y; Priority=High; Partitioned', {}],
    ['a=', { value: '' }],
    ['a=b=c', { value: 'b=c' }],
    ['a="b c"', { value: '"b c"' }],
    ['__proto__=b', { name: '__proto__' }],
    ['a=b; secure; HTTPONLY', { secure: true, httpOnly: true }],
    ['a=b; Secure=false', { secure: true }],
    ['a=b; Path=/', { path: '/' }],
    ['a=b; Path=/x/y', { path: '/x/y' }],
    ['a=b; Path=', {}],
    ['a=b; Path=x', {}],
    ['a=b; Path=/x; Path=/z', { path: '/z' }],
    ['a=b; Path = /x ; Domain = Example.com ', { path: '/x', domain: '.example.com' }],
    [`a=b; Path=/${'x'.repeat(1024)}`, {}],
    ['a=b; Domain=wiki.example.com', { domain: '.wiki.example.com' }],
    ['a=b; Domain=.Example.COM', { domain: '.example.com' }],
    ['a=b; Domain=', {}],
    ['a=b; Domain=example.com; Domain=', {}],
    ['a=b; SameSite=lax', { sameSite: 'Lax' }],
    ['a=b; SameSite=None', { sameSite: 'None' }],
    ['a=b; SameSite=maybe', {}],
    ['a=b; Max-Age=60', { expires: NOW + 60 }],
    ['a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { expires: NOW + 60 }],
    ['a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=60', { expires: NOW + 60 }],
    [`a=b; Max-Age=${'9'.repeat(400)}`, { expires: NOW + 400 * 86_400 }],
    ['a=b; Max-Age=1.5', {}],
    ['a=b; Max-Age=+1', {}],
    ['a=b; Max-Age=', {}],
    ['a=b; Max-Age=x; Expires=Wed, 09 Jun 2038 10:18:14 GMT', { expires: 2_159_691_494 }],
    ['a=b; Expires=never', {}],
    ['x__Secure-a=b', { name: 'x__Secure-a' }],
    ['__Secure-a=b; Secure', { name: '__Secure-a', secure: true }],
    ['__Host-a=b; Secure; Path=/', { name: '__Host-a', secure: true, path: '/' }],
    [`a=${'x'.repeat(4096)}`, { value: 'x'.repeat(4096) }],
    [Buffer.from('a=né 🍪').toString('latin1'), { value: 'né 🍪' }],
    ['a=\xe9', { value: '\xe9' }],
    ['a=🍪é', { value: '🍪é' }],
  ])('is accepted: %j', (line, expected) => expect(added(line)).toStrictEqual({ ...plain, ...expected }));

  it.each([
    '',
    ';',
    'a',
    '=b',
    ' =b',
    '; a=b',
    'a=b\0c',
    'a\tb=c',
    'a=b\x7f',
    'a=b; Max-Age=0',
    'a=b; Max-Age=-5',
    'a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    'a=b; Expires=Wed, 31 Dec 1969 23:59:59 GMT',
    'a=b; Domain=com',
    'a=b; Domain=.com',
    'a=b; Domain=evil.com',
    'a=b; Domain=ki.example.com',
    'a=b; Domain=a.wiki.example.com',
    'a=b; Domain=example.com:443',
    'a=b; Domain=example.com/',
    'a=b; Domain=..example.com',
    '__Secure-a=b',
    '__Host-a=b; Secure',
    '__Host-a=b; Secure; Path=/; Domain=wiki.example.com',
    '__host-a=b; Path=/',
    '__Host-a=b; Secure; Path=/w',
    `a=${'x'.repeat(4097)}`,
    `${'a'.repeat(4097)}=b`,
    `a=${'é'.repeat(2049)}`,
  ])('is ignored: %j', (line) => expect(added(line)).toBeNull());

  it.each<[string, string, string | null]>([
    ['http://localhost:8080/', 'a=b; Domain=localhost', 'localhost'],
    ['http://127.0.0.1/', 'a=b; Domain=127.0.0.1', '127.0.0.1'],
    ['http://[::1]/', 'a=b', '[::1]'],
    ['http://127.0.0.1/', 'a=b; Domain=0.0.1', null],
    ['http://127.0.0.1/', 'a=b; Domain=1', null],
    ['http://app.localhost/', 'a=b; Domain=localhost', null],
    ['https://bücher.example/', 'a=b; Domain=bücher.example', '.xn--bcher-kva.example'],
    ['https://bücher.example/', 'a=b; Domain=XN--bcher-kva.example', '.xn--bcher-kva.example'],
  ])('applies from %s, %j, to %j', (url, line, domain) => {
    expect(added(line, url, [new URL(url).hostname])?.domain ?? null).toBe(domain);
  });

  it.each([
    ['/', '/'],
    ['/a', '/'],
    ['/a/', '/a'],
    ['/a/b', '/a'],
    ['/a%2fb/c', '/a%2fb'],
  ])('in the response to %s has the path %s', (target, path) => {
    expect(added('a=b', `https://wiki.example.com${target}`)?.path).toBe(path);
  });

  it('is ignored from a host outside the integration, and for a site outside it', () => {
    expect(added('a=b', 'https://sso.example.com/')).toBeNull();
    expect(added('a=b', 'https://wiki.example.com/', [])).toBeNull();
    expect(added('a=b; Domain=example.com', 'https://sso.example.com/')?.domain).toBe('.example.com');
  });

  it('needs a path with the prefix __Host-', () => {
    expect(added('__Host-a=b; Secure; Path=/', 'https://wiki.example.com/')).not.toBeNull();
    expect(added('__Host-a=b; Secure', 'https://wiki.example.com/')).toBeNull();
  });

  it('may be secure only over TLS and on loopback', () => {
    expect(added('a=b; Secure', 'http://wiki.example.com/')).toBeNull();
    expect(added('a=b; Secure', 'http://localhost:1/', ['localhost'])?.secure).toBe(true);
  });
});

describe('a cookie bundle', () => {
  it.each<[string, string[]]>([
    ['no line', []],
    ['what it holds already', [HELD]],
    ['a line that is ignored', ['x', 'a=b; Domain=com']],
    ['the deletion of what it does not hold', ['a=; Max-Age=0', 'held=; Path=/w; Max-Age=0']],
    ['the same name of another domain deleted', ['held=; Path=/; Domain=wiki.example.com; Max-Age=0']],
  ])('is left unchanged by %s', (_what, lines) => expect(merge(lines)).toBeNull());

  it('keeps the position of a renewed cookie, and everything else', () => {
    const before = { ...bundle, cookies: [{ ...held, name: 'first' }, held, { ...held, name: 'last' }] };
    const after = merge([HELD.replace('held=1', 'held=2')], URL_OF_WIKI, DOMAINS, before);
    expect(after).toStrictEqual({
      ...before,
      cookies: [before.cookies[0], { ...held, value: '2' }, before.cookies[2]],
    });
    expect(before.cookies[1]).toBe(held);
  });

  it.each<[string, string, Partial<Cookie>]>([
    ['expiry', HELD.replace('100', '200'), { expires: NOW + 200 }],
    ['end of its expiry', HELD.replace('; Max-Age=100', ''), { expires: -1 }],
    ['openness to scripts', HELD.replace('; HttpOnly', ''), { httpOnly: false }],
    ['sameSite', HELD.replace('Lax', 'Strict'), { sameSite: 'Strict' }],
  ])('adds a new %s', (_what, line, expected) => {
    expect(merge([line])?.cookies).toStrictEqual([{ ...held, ...expected }]);
  });

  it('holds a name once per path and domain', () => {
    const lines = ['held=2; Path=/w', 'held=3; Path=/; Domain=example.com', 'held=4; Path=/w'];
    expect(merge(lines)?.cookies.map(({ value }) => value)).toEqual(['1', '4', '3']);
  });

  it.each(['held=; Path=/; Max-Age=0', 'held=; Path=/; Expires=Thu, 01-Jan-1970 00:00:01 GMT'])(
    'drops what is deleted with %j, and may then be empty',
    (line) => expect(merge([line])).toStrictEqual({ ...bundle, cookies: [] }),
  );

  it('applies the lines in their order', () => {
    expect(merge(['a=1; Path=/', 'a=; Path=/; Max-Age=0', HELD])?.cookies).toStrictEqual([held]);
    expect(merge(['held=; Path=/; Max-Age=0', HELD])?.cookies).toStrictEqual([held]);
  });

  it('does not let a response without TLS overwrite a secure cookie, but lets it overwrite others', () => {
    const [bare, lines] = ['http://wiki.example.com/', ['held=; Path=/; Max-Age=0']];
    expect(merge(['held=2; Path=/', ...lines], bare)).toBeNull();
    const plain = { ...bundle, cookies: [{ ...held, secure: false }] };
    expect(merge(lines, bare, DOMAINS, plain)?.cookies).toEqual([]);
  });

  it('drops only expired cookies when it is full', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...held, name: `c${index}` }));
    const full = { ...bundle, cookies: many };
    expect(merge(['a=b'], URL_OF_WIKI, DOMAINS, full)).toBeNull();
    expect(merge([HELD.replace('held=1', 'c7=2')], URL_OF_WIKI, DOMAINS, full)?.cookies[7]?.value).toBe('2');
    const stale = { ...bundle, cookies: many.with(3, { ...held, name: 'c3', expires: NOW }) };
    const names = merge(['a=b', 'c=d'], URL_OF_WIKI, DOMAINS, stale)?.cookies.map(({ name }) => name);
    expect(names).toHaveLength(300);
    expect(names?.at(-1)).toBe('a');
    expect(names).not.toContain('c3');
  });

  // A parser that scans one of these repeatedly would take longer than the test's time limit.
  it.each(['; ', ' ', '=', ';Expires=1', ';Max-Age=1', ','])(
    'is read in one pass from many of %j',
    (part) => {
      expect(added(`a=b; ${part.repeat(500_000)}`)?.name).toBe('a');
    },
  );

  it('is read in one pass from a date without end', () => {
    expect(parseCookieDate('1:1:1'.repeat(500_000))).toBeNull();
  });
});

describe('a cookie date', () => {
  it.each([
    'Wed, 09 Jun 2021 10:18:14 GMT',
    'Wednesday, 09-Jun-21 10:18:14 GMT',
    'Wed Jun  9 10:18:14 2021',
    'Wed, 09 Jun 2021 10:18:14 +0200',
    '10:18:14 9 june 2021',
    '2021 9 JUN 10:18:14',
    'Wed, 09-Jun-2021 10:18:14 CEST',
    '09 Jun Jul 2021 2022 10 10:18:14 11:19:15',
  ])('is understood: %j', (text) => expect(parseCookieDate(text)).toBe(1_623_233_894));

  it.each<[string, number]>([
    ['01 Jan 70 00:00:00', 0],
    ['31 Dec 99 23:59:59', 946_684_799],
    ['01 Jan 69 00:00:00', 3_124_224_000],
    ['31 Dec 1969 23:59:59', 0],
    ['29 Feb 2024 00:00:00', 1_709_164_800],
    ['31 Dec 9999 23:59:59', 253_402_300_799],
  ])('is parsed: %j is %d', (text, seconds) => expect(parseCookieDate(text)).toBe(seconds));

  it.each([
    '',
    'x',
    '09 Jun 2021',
    '10:18:14',
    '30 Feb 2021 00:00:00',
    '32 Jan 2021 00:00:00',
    '0 Jan 2021 00:00:00',
    '01 Foo 2021 00:00:00',
    '01 Jan 1600 00:00:00',
    '01 Jan 99999 00:00:00',
    '01 Jan 100 00:00:00',
    '001 Jan 2021 00:00:00',
    '01 Jan 2021 000:00:00',
    '01 Jan 2021 24:00:00',
    '01 Jan 2021 00:60:00',
    '01 Jan 2021 00:00:60',
  ])('is invalid: %j', (text) => expect(parseCookieDate(text)).toBeNull());
});
