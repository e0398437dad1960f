// Tests bodies that trickle in: nobody holds a connection by sending a byte now and then.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { NO_HANDLERS } from '../support/handlers.ts';

let server: RunningServer | undefined;
afterEach(() => server?.stop());

it.each([
  ['POST', 'Content-Length: 9'],
  ['GET', 'Content-Length: 9'],
  ['HEAD', 'Content-Length: 9'],
  ['GET', 'Transfer-Encoding: chunked'],
])(
  'closes the connection of a %s whose body (%s) does not end, although its response is out',
  async (method, framing) => {
    server = await serve(() => new Response('answered'), NO_HANDLERS, 0, { bodyMs: 50 });
    const socket = connect(server.port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n`);
    const [answer] = await once(socket.setEncoding('latin1'), 'data');
    expect(answer).toContain('HTTP/1.1 200 OK');
    await closed;
  },
);
