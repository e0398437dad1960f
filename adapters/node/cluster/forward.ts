// Forwards a request to another worker of the same gateway, over that worker's socket. decision: 010
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { RETRY_LATER, UNAVAILABLE } from '../../../src/http/errors.ts';
import { endToEnd } from '../end-to-end.ts';

/** Tells the other worker who has sent the request. A client that sends it is overruled. */
export const CLIENT_HEADER = 'x-gateway-client';
/** This worker has answered `Expect`. */
const isPassedOn = (name: string): boolean => name !== 'expect' && name !== CLIENT_HEADER;

/** Passes on both bodies as they come, and every header but those of the connection. */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  socketPath: string,
): Promise<void> {
  const { method, url, socket } = incoming;
  const headers = [...endToEnd(incoming.rawHeaders, isPassedOn), CLIENT_HEADER, socket.remoteAddress ?? ''];
  // Node frames a body of unknown length again.
  if (incoming.headers['transfer-encoding'] !== undefined) headers.push('transfer-encoding', 'chunked');
  const options = { socketPath, method, path: url, headers, agent: false } as RequestOptions;
  const sent = request(options);
  outgoing.once('close', () => sent.destroy());
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    // It may fail again after the answer, when the caller leaves.
    sent.once('response', resolve).on('error', reject);
  });
  try {
    // A pipeline would close the caller's connection when the other worker is away.
    incoming.pipe(sent);
    const response = await answered;
    // The type knows a record only; Node takes a list too, and keeps its order and its repeated names.
    outgoing.writeHead(
      response.statusCode ?? 502,
      endToEnd(response.rawHeaders, isPassedOn) as unknown as OutgoingHttpHeaders,
    );
    outgoing.flushHeaders();
    await pipeline(response, outgoing);
  } catch (error) {
    if (outgoing.headersSent || !isAway(error)) return void outgoing.destroy();
    outgoing.writeHead(503, { 'Content-Type': 'application/json', ...RETRY_LATER });
    outgoing.end(JSON.stringify({ error: UNAVAILABLE }));
  }
}

/** Nothing has reached the other worker, which is starting again. */
function isAway(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ECONNREFUSED';
}
