// Measures the milliseconds to the first byte of an event stream, from an upstream that waits before its
// first event.
import { createServer, request } from 'node:http';
import { once } from 'node:events';
import { listen } from '../support/listen.ts';
import { median } from './median.ts';

const THINKS_MS = 20;
const ROUNDS = 200;

export interface Events {
  url: string;
  close(): void;
}

export async function startEvents(): Promise<Events> {
  const server = createServer((_, outgoing) => {
    setTimeout(() => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      outgoing.end('data: first\n\n');
    }, THINKS_MS);
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** Sends the same calls through the gateway and directly, in alternation. */
export async function firstByteRatio(
  through: { url: string; headers: Record<string, string> },
  direct: string,
): Promise<{ ratio: number; direct: number }> {
  const times: { through: number[]; direct: number[] } = { through: [], direct: [] };
  for (let round = 0; round < ROUNDS; round++) {
    times.through.push(await firstByte(through.url, through.headers));
    times.direct.push(await firstByte(direct, {}));
  }
  return { ratio: median(times.through) / median(times.direct), direct: median(times.direct) };
}

async function firstByte(url: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now();
  const outgoing = request(url, { headers }).end();
  const [incoming] = await once(outgoing, 'response');
  const ended = once(incoming, 'end');
  await once(incoming, 'data');
  const taken = performance.now() - begun;
  await ended;
  return taken;
}
