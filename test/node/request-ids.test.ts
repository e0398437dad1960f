// Tests that every door answers X-Request-Id, and takes one from its caller. reference: Request ids
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { publish } from '../support/jots.ts';
import { sendRaw } from '../support/raw-http.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const OWN = /^[\da-f]{8}-[\da-z]+$/;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

let app: TestApp;
let ana: TestUser;
let server: RunningServer;
beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  await publish(app, ana, 'site', { 'a.txt': 'the text' });
  const { fetch } = createApp(app.deps);
  await (await fetch(new Request('http://g/j/site/a.txt'))).arrayBuffer();
  server = await serve(fetch, { ...NO_HANDLERS, jotFiles: createJotFiles(app.deps) }, 0);
});
afterAll(async () => {
  await server.stop();
  await app.close();
});

/** Sends a request and returns all ids of its response. */
async function idsOf(start: string, lines: string[] = [], body = ''): Promise<(string | undefined)[]> {
  const key = `x-service-api-key: ${ana.apiKey}`;
  const length = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`];
  const all = ['Host: g', 'Connection: close', key, ...lines, ...length];
  const { head } = await sendRaw(server.port, `${start}\r\n${all.join('\r\n')}\r\n\r\n${body}`);
  return [...head.matchAll(/^x-request-id: (.*?)\r?$/gim)].map(([, id]) => id);
}

describe.each([
  ['a call on the fast path', 'POST /mcp HTTP/1.1', [], PING],
  ['a file on the fast path', 'GET /j/site/a.txt HTTP/1.1', [], ''],
  ['a call through Node’s parser', 'POST /mcp HTTP/1.1', ['Proxy-Connection: close'], PING],
  ['a page of the API', 'GET /api/audit HTTP/1.1', [], ''],
  ['a 401', 'GET /api/me HTTP/1.1', ['Authorization: Bearer x', 'X-Service-Api-Key: x'], ''],
  ['a 404', 'GET /api/nothing HTTP/1.1', [], ''],
  ['a path that Node refuses', 'GET /%ff/../%zz HTTP/1.1', [], ''],
  ['faulty framing', 'POST /mcp HTTP/1.0', ['Transfer-Encoding: chunked'], ''],
] as const)('the response to %s', (_what, start, lines, body) => {
  it('has an id of the gateway, unless the caller chose a plain one', async () => {
    const own = await idsOf(start, [...lines], body);
    expect(own).toEqual([expect.stringMatching(OWN)]);
    const longest = 'a'.repeat(128);
    for (const chosen of ['7', 'of_me.1~2-3', longest])
      expect(await idsOf(start, [...lines, `X-Request-Id: ${chosen}`], body)).toEqual([chosen]);
    for (const odd of ['', 'two words', 'ä', `${longest}a`, '<b>', 'a,b'])
      expect(await idsOf(start, [...lines, `X-Request-Id: ${odd}`], body)).toEqual([
        expect.stringMatching(OWN),
      ]);
  });
});

describe('the id of a request', () => {
  it('is the one in the log and in the audit row', async () => {
    const execution = JSON.stringify({ tool: 'shout', text: 'a' });
    expect(await idsOf('POST /rest/echo HTTP/1.1', ['X-Request-Id: traced-1'], execution)).toEqual([
      'traced-1',
    ]);
    expect(app.lines.findLast(({ event }) => event === 'request')).toMatchObject({
      requestId: 'traced-1',
      user: ana.id,
    });
    const [row] = await app.deps.store.audit.list({ user_id: ana.id, limit: 1 });
    expect(row).toMatchObject({ tool: 'shout', request_id: 'traced-1' });
  });

  it('is answered by the app alone where no adapter does', async () => {
    const response = await app.request('/api/health', { headers: { 'x-request-id': 'traced-2' } });
    expect(response.headers.get('x-request-id')).toBe('traced-2');
    expect((await app.request('/nothing')).headers.get('x-request-id')).toMatch(OWN);
  });
});
