// Tests that a request without a credential has its answer before it has sent a large body. reference: Challenge
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { serve } from '../../adapters/node/server.ts';
import { smallWorld } from '../support/fixtures.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { createTestApp } from '../support/test-app.ts';
import { waitFor } from '../support/wait.ts';

const SMALL = 64 * 1024;
const LARGE = 4 * 1024 * 1024;
const BEGINNING = '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"text":"';

const app = await createTestApp({ ports: { integrations: smallWorld } });
const server = await serve(app.fetch, NO_HANDLERS, 0);
let socket: Socket;
afterEach(() => socket?.destroy());
afterAll(async () => {
  await server.stop();
  await app.close();
});

/** Sends the head of a request and a part of its body, and returns the head of the answer and the JSON in it. */
async function answerTo(path: string, length: string, part: string) {
  socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const head = [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', length];
  socket.write(`${head.join('\r\n')}\r\n\r\n${part}`);
  let received = '';
  socket.on('data', (text: string) => (received += text));
  while (!/\r\n\r\n\{.*\}/s.test(received)) await waitFor('the answer', once(socket, 'data'), () => received);
  const [top = '', body = ''] = received.split('\r\n\r\n');
  return { status: Number(top.split(' ')[1]), body: JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? 'null') };
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('a large body without a credential', () => {
  it.each(['/mcp', '/rest/time'])('is answered at %s before a byte of it was sent', async (path) => {
    const { status, body } = await answerTo(path, `Content-Length: ${LARGE}`, '');
    expect(status).toBe(401);
    expect(JSON.stringify(body)).toContain('Unauthorized');
  });

  it('is answered at /mcp after 64 KiB when its length is unknown', async () => {
    const part = chunk(BEGINNING.padEnd(SMALL + 1, 'x'));
    const { status, body } = await answerTo('/mcp', 'Transfer-Encoding: chunked', part);
    expect([status, body.id, body.error.message]).toEqual([401, null, 'Unauthorized']);
  });

  it('is read no further: the connection ends', async () => {
    await answerTo('/mcp', `Content-Length: ${LARGE}`, BEGINNING);
    await waitFor('the end', once(socket, 'close'), () => 'an open connection');
  });
});

describe('a small body without a credential', () => {
  it('is answered at /mcp with its id', async () => {
    const message = `${BEGINNING.padEnd(SMALL - 3, 'x')}"}}`;
    const { status, body } = await answerTo('/mcp', `Content-Length: ${SMALL}`, message);
    expect([status, body.id]).toEqual([401, 7]);
  });
});
