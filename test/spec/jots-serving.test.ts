// Checks how jots are served. reference: Jot serving; decision: 048
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryBlobs } from '../support/memory-blobs.ts';
import { blobKeys, done, INDEX_HTML, publish } from '../support/jots.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const PROTECTION = {
  'content-security-policy': 'sandbox allow-scripts allow-forms',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'SAMEORIGIN',
  'cross-origin-resource-policy': 'same-origin',
};
const TEXT = '0123456789'.repeat(10);

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  await publish(
    app,
    ana,
    'site',
    {
      'a.txt': TEXT,
      'sub/index.html': 'the sub page',
      'sub/page.html': 'a page',
      'ünï cödé %&?#.txt': 'named oddly',
      'no-extension': 'x',
      'empty.txt': '',
    },
    { cors: false },
  );
  await publish(app, ana, 'open', { 'a.txt': TEXT }, { cors: true });
  await publish(app, ana, 'locked', { 'a.txt': TEXT }, { access: 'password', password: 'p', cors: true });
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { method, headers });

/** Returns the protection headers that the response has, so that a test notices an extra one too. */
function protectionOf({ headers }: Response): Record<string, string | null> {
  const names = [...Object.keys(PROTECTION), 'access-control-allow-origin'];
  return Object.fromEntries(
    names.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]),
  );
}

describe('GET /j/:name', () => {
  it('redirects to the folder, whether the jot exists or not', async () => {
    for (const name of ['site', 'absent']) {
      const response = await get(`/j/${name}?q=1`);
      expect([response.status, response.headers.get('location')]).toEqual([301, `/j/${name}/?q=1`]);
    }
  });

  it.each(['upload', 'A', '-a', 'a%2Fb', '__x'])(
    'answers 404 for %s, which is not a valid name',
    async (name) => {
      expect((await get(`/j/${name}`)).status).toBe(404);
      expect((await get(`/j/${name}/`)).status).toBe(404);
    },
  );
});

describe('GET /j/:name/*', () => {
  it.each([
    ['/j/site/', 'text/html; charset=utf-8', INDEX_HTML],
    ['/j/site/index.html', 'text/html; charset=utf-8', INDEX_HTML],
    ['/j/site/sub/', 'text/html; charset=utf-8', 'the sub page'],
    ['/j/site/sub', 'text/html; charset=utf-8', 'the sub page'],
    ['/j/site/sub/page.html?x=1', 'text/html; charset=utf-8', 'a page'],
    ['/j/site/a.txt', 'text/plain; charset=utf-8', TEXT],
    ['/j/site/no-extension', 'application/octet-stream', 'x'],
    ['/j/site/empty.txt', 'text/plain; charset=utf-8', ''],
    [`/j/site/${encodeURIComponent('ünï cödé %&?#.txt')}`, 'text/plain; charset=utf-8', 'named oddly'],
  ])('serves %s', async (path, type, text) => {
    const response = await get(path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('accept-ranges')).toBe('bytes');
    expect(protectionOf(response)).toEqual(PROTECTION);
    expect(await response.text()).toBe(text);
  });

  it.each([
    '/j/absent/',
    '/j/absent/index.html',
    '/j/site/absent.txt',
    '/j/site/sub/absent',
    '/j/site/A.txt',
    '/j/site/.jot.json',
    '/j/locked/.jot.json',
    '/j/site/%2ejot.json',
    '/j/site/a.txt/',
    '/j/site//a.txt',
    '/j/site/%zz',
    '/j/site/a.txt%00',
  ])('answers a bare 404 for %s', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text(), protectionOf(response)]).toEqual([404, '', {}]);
  });

  it.each([
    { 'sec-fetch-mode': 'no-cors', accept: 'text/html' },
    { 'sec-fetch-mode': 'cors', accept: '*/*' },
    { accept: 'image/avif,*/*;q=0.8' },
  ])('answers a bare 404 to a request of a page or a program: %j', async (headers) => {
    for (const path of ['/j/absent/', '/j/site/absent.txt', '/j/-a']) {
      const response = await get(path, headers);
      expect([response.status, await response.text(), protectionOf(response)]).toEqual([404, '', {}]);
    }
  });

  it.each([
    '/j/site/..%2f..%2fetc/passwd',
    '/j/site/sub%2f..%2fa.txt',
    '/j/site/..%5ca.txt',
    '/j/site/sub/..%2F',
    '/j/absent/..%2fx',
    '/j/locked/..%2fx',
  ])('answers a bare 403 for %s, which leaves the jot', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text(), protectionOf(response)]).toEqual([403, '', {}]);
  });

  it('answers 404 to a request that registers a service worker', async () => {
    expect((await get('/j/site/a.txt', { 'service-worker': 'script' })).status).toBe(404);
  });

  it('answers HEAD with the headers of GET', async () => {
    const [head, whole] = [await get('/j/site/a.txt', {}, 'HEAD'), await get('/j/site/a.txt')];
    expect([head.status, await head.text()]).toEqual([200, '']);
    const shown = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'x-request-id');
    expect(shown(head)).toEqual(shown(whole));
    const part = await get('/j/site/a.txt', { range: 'bytes=0-4' }, 'HEAD');
    expect([part.status, part.headers.get('content-length'), await part.text()]).toEqual([206, '5', '']);
  });
});

const NAVIGATION = { 'sec-fetch-mode': 'navigate', accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('A browser that opens an address without a page', () => {
  const removed = async () => {
    await publish(app, ana, 'removed');
    await done(app, ana, 'delete_jot', { name: 'removed' });
  };

  it('gets a page with 404 that is the same whether or not the name was ever used', async () => {
    await removed();
    const paths = ['/j/removed/', '/j/absent/', '/j/absent/a.txt', '/j/site/absent.txt', '/j/site/.jot.json'];
    const pages = await Promise.all([...paths, '/j/-a', '/j/-a/'].map((path) => get(path, NAVIGATION)));
    const texts = await Promise.all(pages.map((page) => page.text()));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toMatch(/Ask the person who sent it to you for a\s+new link\./);
    expect(texts[0]).toContain('<a href="http://localhost:3000/jots">Jots</a>');
  });

  it('gets it under a strict content policy of its own, without scripts', async () => {
    const { headers } = await get('/j/absent/', NAVIGATION);
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^' ]+'; font-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('gets it for the form of a jot that is gone, and for HEAD without the body', async () => {
    for (const name of ['absent', '-a']) {
      const form = await get(`/j/${name}/__auth`, NAVIGATION, 'POST');
      expect([form.status, await form.text()]).toEqual([404, expect.stringContaining('Page not found')]);
    }
    const head = await get('/j/absent/', NAVIGATION, 'HEAD');
    expect([head.status, await head.text()]).toEqual([404, '']);
    expect(head.headers.get('content-type')).toBe('text/html; charset=UTF-8');
  });

  it('gets it on the origin that jots have to themselves, without the address of the portal', async () => {
    const other = await createTestApp({ env: { JOTS_ORIGIN: 'http://127.0.0.1:3000' } });
    for (const path of ['/', '/api/jots', '/j/absent/', '/j/absent/__auth']) {
      const page = await other.request(`http://127.0.0.1:3000${path}`, { headers: NAVIGATION });
      const text = await page.text();
      expect([path, page.status, text.includes('Page not found')]).toEqual([path, 404, true]);
      expect(text).not.toContain('localhost');
    }
    await other.close();
  });
});

describe('A cross-origin jot', () => {
  it('lets any page read its content, but not its errors', async () => {
    const sharing = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };
    expect(protectionOf(await get('/j/open/a.txt'))).toEqual({ ...PROTECTION, ...sharing });
    expect(protectionOf(await get('/j/open/absent'))).toEqual({});
  });

  it('answers preflights, and other jots answer them with 404', async () => {
    const preflight = await get('/j/open/a.txt', { origin: 'https://x.example' }, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(preflight.headers.get('access-control-max-age')).toBe('600');
    for (const path of ['/j/site/a.txt', '/j/locked/a.txt', '/j/absent/', '/j/upload/']) {
      const refused = await get(path, { origin: 'https://x.example' }, 'OPTIONS');
      expect([path, refused.status, protectionOf(refused)]).toEqual([path, 404, {}]);
    }
  });

  it('changes at once with the flag', async () => {
    await publish(app, ana, 'flag');
    await done(app, ana, 'update_jot', { name: 'flag', cors: true });
    expect((await get('/j/flag/')).headers.get('access-control-allow-origin')).toBe('*');
    await done(app, ana, 'update_jot', { name: 'flag', cors: false });
    expect(protectionOf(await get('/j/flag/'))).toEqual(PROTECTION);
  });
});

describe('A conditional request', () => {
  it('gets a 304 with the headers while the bytes are the same', async () => {
    const first = await get('/j/site/a.txt');
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const value of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get('/j/site/a.txt', { 'if-none-match': value });
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(protectionOf(again)).toEqual(PROTECTION);
    }
    expect((await get('/j/site/a.txt', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('gets new bytes under the same path, and a 304 for the same bytes of a new deploy', async () => {
    await publish(app, ana, 'fresh', { 'a.txt': 'one', 'b.txt': 'stays' });
    const [a, b] = [await get('/j/fresh/a.txt'), await get('/j/fresh/b.txt')];
    await publish(app, ana, 'fresh', { 'a.txt': 'two', 'b.txt': 'stays' });
    const ask = async (path: string, { headers }: Response) =>
      (await get(path, { 'if-none-match': headers.get('etag') ?? '' })).status;
    expect([await ask('/j/fresh/a.txt', a), await ask('/j/fresh/b.txt', b)]).toEqual([200, 304]);
  });
});

describe('A range', () => {
  it.each([
    ['bytes=0-9', '0123456789', 'bytes 0-9/100'],
    ['bytes=95-', '56789', 'bytes 95-99/100'],
    ['bytes=-3', '789', 'bytes 97-99/100'],
    ['bytes=-1000', TEXT, 'bytes 0-99/100'],
    ['bytes=98-1000', '89', 'bytes 98-99/100'],
    ['bytes=5-5', '5', 'bytes 5-5/100'],
    ['bytes= 0 - 9', '0123456789', 'bytes 0-9/100'],
  ])('%s gets a part of the file', async (range, text, contentRange) => {
    const response = await get('/j/site/a.txt', { range });
    expect([response.status, await response.text()]).toEqual([206, text]);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(text.length));
    expect(protectionOf(response)).toEqual(PROTECTION);
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0'])('%s gets a 416', async (range) => {
    const response = await get('/j/site/a.txt', { range });
    expect([response.status, await response.text()]).toEqual([416, '']);
    expect(response.headers.get('content-range')).toBe('bytes */100');
  });

  it.each(['bytes=0-1,5-6', 'bytes=5-1', 'bytes=', 'bytes=a-b', 'lines=1-2', 'xbytes=0-1', 'bytes=-'])(
    '%s is ignored',
    async (range) => {
      const response = await get('/j/site/a.txt', { range });
      expect([response.status, await response.text()]).toEqual([200, TEXT]);
    },
  );

  it('applies only to the version that If-Range names', async () => {
    const etag = (await get('/j/site/a.txt')).headers.get('etag') ?? '';
    expect((await get('/j/site/a.txt', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
    expect((await get('/j/site/a.txt', { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200);
  });

  it('of an empty file gets a 416', async () => {
    expect((await get('/j/site/empty.txt', { range: 'bytes=0-' })).status).toBe(416);
  });
});

describe('Readers in one turn of the event loop', () => {
  it('share one query of the store, and still see what this process writes', async () => {
    const { store } = app.deps;
    let looks = 0;
    const counted = (name: string) => {
      looks++;
      return store.jots.get(name);
    };
    const other = await createTestApp({
      ports: { store: { ...store, jots: { ...store.jots, get: counted } } },
    });
    const { find, delete: remove } = other.deps.jots;
    await publish(app, ana, 'glanced');
    expect(await Promise.all([find('glanced'), find('glanced'), find('site')])).toMatchObject([
      { name: 'glanced' },
      { name: 'glanced' },
      { name: 'site' },
    ]);
    expect(looks).toBe(2);
    await remove(ana.id, 'glanced');
    // The deletion itself reads the jot, to know the bytes that it leaves to the sweep.
    looks = 0;
    expect(await find('glanced')).toBeNull();
    await other.clock.turn();
    await find('site');
    expect(looks).toBe(2);
  });
});

describe('A request that needs a missing blob', () => {
  it.each(['a file', 'the manifest'])('of %s gets a bare 404, and the log says why', async (what) => {
    const other = await createTestApp();
    await publish(other, await other.user(), 'lossy', { 'a.txt': 'x' });
    const manifest = (await other.deps.store.jots.get('lossy'))?.manifest;
    for (const key of await blobKeys(other))
      if ((key === manifest) === (what === 'the manifest')) await other.deps.blobs.delete(key);
    const response = await other.request('/j/lossy/a.txt');
    expect([response.status, protectionOf(response)]).toEqual([404, {}]);
    expect(other.lines).toContainEqual({
      level: 'error',
      event: 'a blob of a jot is missing',
      key: expect.stringContaining('jots/lossy/'),
    });
    await other.close();
  });
});

describe('A manifest that cannot be parsed', () => {
  it.each(['', '{', '{"version":2,"files":[],"retired":[]}'])(
    'such as %j causes a bare 404, and the log says why',
    async (text) => {
      const other = await createTestApp();
      await publish(other, await other.user(), 'garbled', { 'a.txt': 'x' });
      const key = (await other.deps.store.jots.get('garbled'))?.manifest ?? '';
      await other.deps.blobs.put(key, new TextEncoder().encode(text));
      const response = await other.request('/j/garbled/a.txt');
      expect([response.status, protectionOf(response)]).toEqual([404, {}]);
      expect(other.lines).toContainEqual(
        expect.objectContaining({ level: 'error', event: 'a manifest of a jot cannot be read', key }),
      );
      await other.close();
    },
  );
});

describe('A large file that is replaced during a download', () => {
  it('reaches the client completely, with the old bytes', async () => {
    const blobs = createMemoryBlobs();
    const other = await createTestApp({ ports: { blobs } });
    const user = await other.user();
    const old = 'old bytes '.repeat(300_000);
    await publish(other, user, 'large', { 'big.txt': old });
    const reading = await other.request('/j/large/big.txt');
    await publish(other, user, 'large', { 'big.txt': 'new' });
    expect(await (await other.request('/j/large/big.txt')).text()).toBe('new');
    expect(await reading.text()).toBe(old);
    await other.close();
  });
});

describe('JOTS_ORIGIN', () => {
  it('serves jots and nothing else under their own origin', async () => {
    const other = await createTestApp({ env: { JOTS_ORIGIN: 'http://127.0.0.1:3000' } });
    const user = await other.user();
    await publish(other, user, 'own');
    const at = (origin: string, path: string, headers = {}) => other.request(`${origin}${path}`, { headers });
    const own = await at('http://127.0.0.1:3000', '/j/own/');
    expect(own.status).toBe(200);
    expect(protectionOf(own)).toEqual({
      ...PROTECTION,
      'content-security-policy': 'sandbox allow-scripts allow-forms allow-same-origin',
    });
    expect(protectionOf(await at('http://localhost:3000', '/j/own/'))).toEqual(PROTECTION);
    for (const path of ['/', '/api/auth/me', '/mcp', '/rest', '/metrics', '/.well-known/x', '/j']) {
      expect([path, (await at('http://127.0.0.1:3000', path, user.keyHeader)).status]).toEqual([path, 404]);
    }
    await other.close();
  });

  it.each([
    { JOTS_ORIGIN: 'http://localhost:3000' },
    { JOTS_ORIGIN: 'https://portal.example.com:8443', PORTAL_URL: 'https://portal.example.com/app' },
    { JOTS_ORIGIN: 'https://portal.example.com', PORTAL_URL: 'https://portal.example.com/app' },
    { JOTS_ORIGIN: 'https://jots.example.com/path' },
  ])('is refused at the start where it shares a host or is not an origin: %j', async (env) => {
    await expect(createTestApp({ env })).rejects.toThrow(/JOTS_ORIGIN must be/);
  });
});
