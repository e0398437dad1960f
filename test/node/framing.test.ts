// Tests requests in HTTP/1.0 with a chunked body: a proxy that knows no chunks would find another request inside.
// reference: Errors
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type RunningServer, serve } from '../../adapters/node/server.ts';
import { NO_HANDLERS } from '../support/handlers.ts';

const HIDDEN = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';

let server: RunningServer | undefined;
afterEach(() => server?.stop());

describe.each([true, false])('with the fast path %s', (fastPath) => {
  let served: string[];

  /** Everything that a new server answers to these bytes until it closes the connection. */
  async function answersTo(bytes: string): Promise<string> {
    served = [];
    const app = (request: Request) => {
      served.push(new URL(request.url).pathname);
      return new Response('answered');
    };
    const proxy = {
      takes: ({ url }: { url?: string | undefined }) => {
        if (url?.startsWith('/c/') === true) served.push(url);
        return false;
      },
    };
    server = await serve(app, { ...NO_HANDLERS, proxy }, 0, { fastPath });
    const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
    await once(socket, 'connect');
    socket.write(bytes);
    return (await socket.toArray()).join('');
  }

  it.each(['/mcp', '/rest/time', '/c/github/user'])('refuses HTTP/1.0 with chunks at %s', async (path) => {
    const head = `POST ${path} HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(await answersTo(`${head}2\r\n{}\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[^]*connection: close\r\n[^]*\{"error":"[^"]+"\}/i,
    );
    expect(served).toEqual([]);
  });

  it('serves nothing that follows it on a connection that is kept', async () => {
    const head = 'POST /mcp HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n';
    const answers = await answersTo(`${head}0\r\n\r\n${HIDDEN}`);
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
    expect(served).toEqual([]);
  });

  it('serves HTTP/1.0 with a length, and HTTP/1.1 with chunks', async () => {
    const old = 'POST /mcp HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}';
    expect(await answersTo(old)).toMatch(/^HTTP\/1\.1 200 OK/);
    await server?.stop();
    const head =
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await answersTo(`${head}2\r\n{}\r\n0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 OK/);
  });
});
