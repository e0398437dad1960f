// Checks that the fast path answers requests for jot files exactly as the app does. reference: Jot serving; Jot uploads; decision: 048
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { done, publish } from '../support/jots.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const OWN_HOST = 'jots.example.org';
const ROUTE = '/j/:name/*';

let app: TestApp;
let ana: TestUser;
let server: RunningServer;
/** The addresses of the requests that reached the app. */
let asked: string[];

beforeAll(async () => {
  app = await createTestApp({ env: { JOTS_ORIGIN: `https://${OWN_HOST}` } });
  ana = await app.user();
  const files = {
    'a.txt': 'the text',
    'sub/index.html': 'the sub page',
    'ünï.txt': 'named oddly',
    empty: '',
  };
  await publish(app, ana, 'site', files);
  await publish(app, ana, 'open', files, { cors: true });
  await publish(app, ana, 'locked', files, { access: 'password', password: 'p' });
  const { fetch } = createApp(app.deps);
  server = await serve(
    (request: Request, ...bindings: object[]) => {
      asked.push(request.url);
      return fetch(request, ...bindings);
    },
    { ...NO_HANDLERS, jotFiles: createJotFiles(app.deps) },
    0,
  );
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await server.stop();
  await app.close();
});

/** The fast path leaves a `Connection` header with two values to Node's server, and the app answers there. */
const READERS = [
  { reader: 'the fast path', connection: 'close', appRequests: 0 },
  { reader: 'Node’s server', connection: 'close, x-two', appRequests: 1 },
] as const;
let connection: string = READERS[0].connection;

async function get(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const lines = Object.entries({ host: 'gateway.example.org', ...headers }).map((pair) => pair.join(': '));
  const text = `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: ${connection}\r\n\r\n`;
  const { status, head, body } = await sendRaw(server.port, text);
  const all = head
    .split('\r\n')
    .slice(1)
    .filter((line) => !line.startsWith('Date:'))
    .map((line) => line.toLowerCase().replace(/^x-request-id: [\da-f]{8}-\w+$/, 'x-request-id: …'));
  return { status, headers: all.toSorted(), body };
}

describe.each(READERS)('A file in memory, requested through $reader,', (reader) => {
  beforeEach(() => {
    ({ connection } = reader);
  });

  it.each([
    ['/j/site/a.txt', {}],
    ['/j/site/a.txt?q=/j/site/none', {}],
    ['/j/site/sub/', {}],
    ['/j/site/sub', {}],
    ['/j/site/%C3%BCn%C3%AF.txt', {}],
    ['/j/site/empty', {}],
    ['/j/open/a.txt', { origin: 'https://elsewhere.example' }],
    ['/j/site/a.txt', { host: OWN_HOST }],
    ['/j/site/a.txt', { 'if-none-match': '"other"' }],
    ['/j/site/', { accept: 'text/html' }],
  ])('is answered as the app answers it: %s %o', async (target, headers) => {
    const first = await get(target, { ...headers, 'service-worker': '' });
    expect(first.status).toBe(404);
    const byApp = await get(target, { ...headers, range: 'lines=1' });
    expect(byApp.status).toBe(200);
    asked = [];
    expect(await get(target, headers)).toEqual(byApp);
    expect(asked).toHaveLength(reader.appRequests);
  });

  it('is not sent again to a client that has it', async () => {
    const { headers } = await get('/j/site/a.txt');
    const etag = headers.find((line) => line.startsWith('etag: '))?.slice('etag: '.length) ?? '';
    const byApp = await get('/j/site/a.txt', { 'if-none-match': etag, range: 'lines=1' });
    asked = [];
    const unchanged = await get('/j/site/a.txt', { 'if-none-match': etag });
    expect(unchanged).toEqual(byApp);
    expect([unchanged.status, unchanged.body, asked.length]).toEqual([304, '', reader.appRequests]);
  });

  it('is counted and logged under the pattern of its route', async () => {
    await get('/j/site/a.txt');
    app.lines.length = 0;
    await get('/j/site/a.txt');
    expect(app.lines).toEqual([
      {
        level: 'info',
        event: 'request',
        requestId: expect.stringMatching(/^[0-9a-f]{8}-\w+$/),
        method: 'GET',
        route: ROUTE,
        status: 200,
        ms: expect.any(Number),
      },
    ]);
    expect(await (await app.request('/metrics')).text()).toMatch(
      /requests_total\{method="GET",route="\/j\/:name\/\*",status="?200"?\}/,
    );
  });

  it('changes as soon as the jot is replaced, locked or deleted', async () => {
    const reads = async () => {
      const { status, body } = await get('/j/news/a.txt');
      return `${status} ${body}`;
    };
    await publish(app, ana, 'news', { 'a.txt': 'old' });
    expect([await reads(), await reads()]).toEqual(['200 old', '200 old']);
    await publish(app, ana, 'news', { 'a.txt': 'new' });
    expect([await reads(), await reads()]).toEqual(['200 new', '200 new']);
    await done(app, ana, 'update_jot', { name: 'news', access: 'password', password: 'p' });
    expect((await get('/j/news/a.txt')).status).toBe(401);
    await done(app, ana, 'delete_jot', { name: 'news' });
    expect((await get('/j/news/a.txt')).status).toBe(404);
  });
});

describe.each(READERS)('The app answers a request through $reader', (reader) => {
  beforeEach(() => {
    ({ connection } = reader);
  });

  it.each([
    ['for a part of a file', '/j/site/a.txt', { range: 'bytes=0-2' }, 'GET', 206],
    ['for the headers of a file', '/j/site/a.txt', {}, 'HEAD', 200],
    ['for the script of a service worker', '/j/site/a.txt', { 'service-worker': 'script' }, 'GET', 404],
    ['for a locked jot', '/j/locked/a.txt', {}, 'GET', 401],
    ['for a file that does not exist', '/j/site/none.txt', {}, 'GET', 404],
    ['for a jot without the slash', '/j/site', {}, 'GET', 301],
    ['for a name that no jot may have', '/j/A/a.txt', {}, 'GET', 404],
    ['that leaves the jot', '/j/site/sub/../a.txt', {}, 'GET', 403],
    ['that leaves the jot with encoded dots', '/j/site/sub/%2e%2e/a.txt', {}, 'GET', 403],
    ['with a path that cannot be decoded', '/j/site/%E0%A4%A', {}, 'GET', 404],
    ['with an absolute target', 'http://gateway.example.org/j/site/a.txt', {}, 'GET', 200],
    ['for another page', '/metrics', {}, 'GET', 200],
    ['to a host that no address has', '/j/site', { host: '1.2.3.4.5' }, 'GET', 301],
    ['to a host that no address has', '/authorize?client_id=x', { host: '1.2.3.4.5' }, 'GET', 400],
  ])('%s: %s %o', async (_what, target, headers, method, status) => {
    await get('/j/site/a.txt');
    asked = [];
    expect((await get(target, headers, method)).status).toBe(status);
    expect(asked).toHaveLength(1);
  });

  // RFC 9112 §3.2
  it.each(['', 'a b', 'me@localhost', 'localhost:99999', 'localhost/x'])(
    'with 400 for the host %j',
    async (host) => {
      await get('/j/site/a.txt');
      expect((await get('/j/site/a.txt', { host })).status).toBe(400);
    },
  );

  it('where the store fails during the lookup', async () => {
    const broken = await createTestApp();
    const { jots } = broken.deps;
    const failing = { ...jots, find: () => Promise.reject(new Error('no store')) };
    const answering = createJotFiles({ ...broken.deps, jots: failing });
    const own = await serve(() => new Response('the app'), { ...NO_HANDLERS, jotFiles: answering }, 0);
    const answer = await fetch(`http://127.0.0.1:${own.port}/j/site/a.txt`);
    expect(await answer.text()).toBe('the app');
    await own.stop();
    await broken.close();
  });
});
