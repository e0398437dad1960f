// Runs an npm proxy before one upstream, configured for speed as in its documentation. With a folder it also writes one
// row per call.
import {
  createServer,
  Agent,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { COUNTS_PATH, type Durability, type DurableRows, openDurableRows } from './durable-rows.ts';

const [name = '', folder = '', port = '', upstream = '', rowsFolder, durability = 'waiting'] =
  process.argv.slice(2);
const load = createRequire(join(folder, 'package.json'));
const rows = rowsFolder === undefined ? null : await openDurableRows(rowsFolder, durability as Durability);

const peers: Record<string, () => RequestListener> = {
  'fast-proxy'() {
    const { proxy } = load('fast-proxy')({ base: upstream, undici: { connections: 128, pipelining: 1 } });
    const options = rows === null ? {} : { onResponse: answerWith(rows) };
    return (incoming, outgoing) => proxy(incoming, outgoing, incoming.url, options);
  },
  'http-proxy'() {
    const agent = new Agent({ keepAlive: true, maxSockets: 128 });
    const selfHandleResponse = rows !== null;
    const proxy = load('http-proxy').createProxyServer({ target: upstream, agent, selfHandleResponse });
    if (rows !== null) {
      const answer = answerWith(rows);
      proxy.on('proxyRes', (from: IncomingMessage, incoming: IncomingMessage, outgoing: ServerResponse) => {
        outgoing.statusCode = from.statusCode ?? 502;
        for (const [header, value] of Object.entries(from.headers))
          if (value !== undefined && header !== 'connection') outgoing.setHeader(header, value);
        void answer(incoming, outgoing, from);
      });
    }
    return (incoming, outgoing) => proxy.web(incoming, outgoing);
  },
};

/** Sends the answer of the upstream once its row allows it. */
function answerWith({ write }: DurableRows) {
  return async (_: IncomingMessage, outgoing: ServerResponse, body: Readable): Promise<void> => {
    await write();
    // The load can leave while its row is written, and `pipeline` throws for a closed response.
    if (outgoing.destroyed) body.resume();
    else pipeline(body, outgoing, () => {});
  };
}

const listener = peers[name]?.();
const server = createServer((incoming, outgoing) => {
  if (rows !== null && incoming.url === COUNTS_PATH) void sendCounts(rows, outgoing);
  else listener?.(incoming, outgoing);
});
server.listen(Number(port));

async function sendCounts({ count }: DurableRows, outgoing: ServerResponse): Promise<void> {
  outgoing.end(JSON.stringify(await count()));
}
