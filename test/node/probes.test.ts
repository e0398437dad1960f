// Tests health probes of load balancers as HAProxy sends them by default: HTTP/1.0 without a Host header.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { serve } from '../../adapters/node/server.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { createTestApp } from '../support/test-app.ts';

const app = await createTestApp();
const server = await serve(app.fetch, NO_HANDLERS, 0);
afterAll(async () => {
  await server.stop();
  await app.close();
});

async function answerTo(request: string): Promise<string> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  await once(socket, 'connect');
  socket.write(request);
  return (await socket.toArray()).join('');
}

it.each(['GET', 'HEAD'])('answers %s', async (method) => {
  expect(await answerTo(`${method} /api/auth/providers HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

it('requires a Host header in versions that have one', async () => {
  const request = 'GET /api/auth/providers HTTP/1.1\r\n\r\n';
  expect(await answerTo(request)).toMatch(/^HTTP\/1\.1 400 /);
});
