// Compares the fast path with Node's HTTP parser on mutated requests. RFC 9112
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { publish } from '../support/jots.ts';
import { undated, untilRead } from '../support/raw-http.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { type Chance, fuzz } from './chance.ts';
import { mutateText } from './mutate.ts';

const LINES = [
  'Accept: */*',
  'If-None-Match: "x"',
  'If-None-Match: *',
  'Connection: keep-alive',
  'Connection: close',
  'Proxy-Connection: close',
  'Content-Length: 5',
  'Content-Length : 5',
  'Transfer-Encoding: chunked',
  'transfer-encoding:\tchunked',
  'Expect: 100-continue',
  'Upgrade: h2c',
  'Range: bytes=0-1',
  'X: \xff',
  'X:',
  ' folded',
  'Host: other.example',
  'Host:',
  'X-Request-Id: id.of-the_caller~1',
  'x-request-id:\t7',
  'X-Request-Id: two words',
];
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'];
const BODY = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
/** Follows the mutated request, and shows in which state that request left the connection. */
const SENTINEL = 'GET /j/site/sentinel HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n';

let app: TestApp;
let fast: Awaited<ReturnType<typeof serve>>;
/** The same app without the fast path. */
let node: typeof fast;
let apiKey: string;
/** Counts the GET and POST requests that the fast path answered. */
let gets = 0;
let posts = 0;

beforeAll(async () => {
  app = await createTestApp();
  const ana = await app.user();
  ({ apiKey } = ana);
  await publish(app, ana, 'site', { 'a.txt': 'the text' });
  const { fetch } = createApp(app.deps);
  await (await fetch(new Request('http://g/j/site/a.txt'))).arrayBuffer();
  const jotFiles = createJotFiles(app.deps);
  const counted: typeof jotFiles.give = (read, send) =>
    jotFiles.give(read, (file, requestId) => {
      gets++;
      send(file, requestId);
    });
  const counting = (request: Request, bindings?: { incoming?: object }) => {
    if ('rawBody' in (bindings?.incoming ?? {})) posts++;
    return fetch(request, bindings);
  };
  fast = await serve(counting, { ...NO_HANDLERS, jotFiles: { ...jotFiles, give: counted } }, 0);
  node = await serve(fetch, NO_HANDLERS, 0, { fastPath: false });
});
afterAll(async () => {
  await Promise.all([fast.stop(), node.stop()]);
  // A run in which the fast path answered nothing would prove nothing.
  expect({ gets: gets > 0, posts: posts > 0 }).toEqual({ gets: true, posts: true });
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await app.close();
});

function mutatedRequest(chance: Chance): string {
  const isPost = chance.below(2) === 0;
  const lines = [isPost ? 'POST /mcp HTTP/1.1' : 'GET /j/site/a.txt HTTP/1.1', 'Host: g'];
  if (isPost) {
    const length = BODY.length + chance.pick([0, 0, 0, 0, 0, -1, 1]);
    lines.push('Content-Type: application/json', `X-Service-Api-Key: ${apiKey}`, `Content-Length: ${length}`);
  }
  for (let left = chance.below(4); left > 0; left--) lines.push(chance.pick(LINES));
  const head = `${lines.map((line) => line + chance.pick(ENDS)).join('')}${chance.pick(ENDS)}`;
  const text = isPost ? head + BODY : head;
  return chance.below(2) === 0 ? mutateText(text, chance) : text;
}

/** Returns null if bytes that arrived after the last response reset the connection, and the response was lost with it. */
async function responsesOf(port: number, text: string, patience: number): Promise<string | null> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answers = '';
  socket.on('data', (chunk: string) => (answers += chunk));
  let isReset = false;
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => resolve()).on('error', () => (isReset = true)),
  );
  socket.write(text, 'latin1');
  // The server should read the request in one piece, and the sentinel in another.
  await untilRead();
  socket.write(SENTINEL);
  // A request that waits for more bytes gets no response.
  const late = setTimeout(() => socket.destroy(), patience);
  await closed;
  clearTimeout(late);
  if (isReset) return null;
  // The order of headers has no meaning.
  return undated(answers).split('\r\n').toSorted().join('\n');
}

describe('The fast path', () => {
  it('reads mutated requests as Node’s parser does', async () => {
    await fuzz(1_500, async (chance) => {
      const text = mutatedRequest(chance);
      const before = gets + posts;
      const both = (patience: number) =>
        Promise.all([fast.port, node.port].map((port) => responsesOf(port, text, patience)));
      let [byFastPath, byNode] = await both(100);
      // A loaded machine may need more time for the same responses.
      if (byFastPath !== byNode) [byFastPath, byNode] = await both(3_000);
      // The fast path left the request to Node.
      if (gets + posts === before || byFastPath === null || byNode === null) return;
      expect(byFastPath, JSON.stringify(text)).toBe(byNode);
    });
  });
});
