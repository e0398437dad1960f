// Requests for files of jots and calls of machines, bent: whatever the front makes of one, Node's server makes the same of
// it. RFC 9112
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJotFiles } from '../../adapters/node/fast-path/jot-files.ts';
import { serve } from '../../adapters/node/server.ts';
import { createApp } from '../../src/app.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { publish } from '../support/jots.ts';
import { listen } from '../support/listen.ts';
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
];
const ENDS = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'];
const BODY = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
/** Behind what was bent: says how the connection is left. */
const SENTINEL = 'GET /j/site/sentinel HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n';

let app: TestApp;
let front: Awaited<ReturnType<typeof serve>>;
/** The same without a front. */
const node = createServer();
let nodePort: number;
let apiKey: string;
/** What the front has answered. */
let given = 0;
let called = 0;

beforeAll(async () => {
  app = await createTestApp();
  const ana = await app.user();
  ({ apiKey } = ana);
  await publish(app, ana, 'site', { 'a.txt': 'the text' });
  const { fetch } = createApp(app.deps);
  await (await fetch(new Request('http://g/j/site/a.txt'))).arrayBuffer();
  const jotFiles = createJotFiles(app.deps);
  const counted: typeof jotFiles.give = (read, send) =>
    jotFiles.give(read, (file) => {
      given++;
      send(file);
    });
  const counting = (request: Request, bindings?: { incoming?: object }) => {
    if ('rawBody' in (bindings?.incoming ?? {})) called++;
    return fetch(request, bindings);
  };
  front = await serve(counting, { ...NO_HANDLERS, jotFiles: { ...jotFiles, give: counted } }, 0);
  const listener = getRequestListener(fetch);
  node.on('request', (incoming, outgoing) => void listener(incoming, outgoing));
  node.on('checkContinue', (incoming, outgoing) => {
    outgoing.writeContinue();
    void listener(incoming, outgoing);
  });
  node.keepAliveTimeout = 75_000;
  nodePort = await listen(node);
});
afterAll(async () => {
  node.closeAllConnections();
  node.close();
  await front.stop();
  expect([given > 0, called > 0]).toEqual([true, true]);
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await app.close();
});

function bent(chance: Chance): string {
  const isCall = chance.below(2) === 0;
  const lines = [isCall ? 'POST /mcp HTTP/1.1' : 'GET /j/site/a.txt HTTP/1.1', 'Host: g'];
  if (isCall) {
    const length = BODY.length + chance.pick([0, 0, 0, 0, 0, -1, 1]);
    lines.push('Content-Type: application/json', `X-Service-Api-Key: ${apiKey}`, `Content-Length: ${length}`);
  }
  for (let left = chance.below(4); left > 0; left--) lines.push(chance.pick(LINES));
  const head = `${lines.map((line) => line + chance.pick(ENDS)).join('')}${chance.pick(ENDS)}`;
  const text = isCall ? head + BODY : head;
  return chance.below(2) === 0 ? mutateText(text, chance) : text;
}

/** Null where what was said behind a last answer took that answer with it. */
async function answersOf(port: number, text: string, patience: number): Promise<string | null> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let answers = '';
  socket.on('data', (chunk: string) => (answers += chunk));
  let isReset = false;
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => resolve()).on('error', () => (isReset = true)),
  );
  socket.write(text, 'latin1');
  // Most are read as one piece, and what comes behind as another.
  await untilRead();
  socket.write(SENTINEL);
  // Of what waits for more than it gets, nothing is to be heard.
  const late = setTimeout(() => socket.destroy(), patience);
  await closed;
  clearTimeout(late);
  if (isReset) return null;
  // The order of headers says nothing.
  return undated(answers).split('\r\n').toSorted().join('\n');
}

describe('bent requests', () => {
  it('are read as Node reads them', async () => {
    await fuzz(1_500, async (chance) => {
      const text = bent(chance);
      const before = given + called;
      const both = (patience: number) =>
        Promise.all([front.port, nodePort].map((port) => answersOf(port, text, patience)));
      let [byFront, byNode] = await both(100);
      // A loaded machine may not have said all of it by then.
      if (byFront !== byNode) [byFront, byNode] = await both(3_000);
      // What the front has left to Node is not its affair.
      if (given + called === before || byFront === null || byNode === null) return;
      expect([text, byFront]).toEqual([text, byNode]);
    });
  });
});
