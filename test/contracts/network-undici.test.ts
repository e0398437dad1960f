// Tests that the Node network dials only the vetted address and returns the response unchanged.
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { NotSent } from '../../src/ports/not-sent.ts';
import { certificate, key } from './network-certificate.ts';
import { network, reasonOf, send, serve, start } from './network-upstream.ts';

const serveTls = () =>
  start(
    createTlsServer({ cert: certificate, key }, ({ socket, headers }, response) => {
      response.end(`${'servername' in socket && String(socket.servername)} ${headers.host}`);
    }),
  );

describe('network: undici, addresses', () => {
  it('dials only the given address and sends the name of the URL as Host', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const response = await send(`http://no-such-host.invalid:${port}/`, {
      headers: new Headers({ host: 'forged.example' }),
    });
    expect(await new Response(response.body).text()).toBe(`no-such-host.invalid:${port}`);
  });

  it('reuses connections to the same address', async () => {
    const sockets = new Set<Socket>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    for (let n = 0; n < 6; n++) await new Response((await send(`http://kept.invalid:${port}/`)).body).text();
    // undici may still find its connection busy right after a response, and then opens a second one.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('never reuses a connection for another address of the same name', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    await new Response((await send(`http://moved.invalid:${port}/`)).body).text();
    const error = await reasonOf(send(`http://moved.invalid:${port}/`, { address: '127.0.0.2' }));
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED', address: '127.0.0.2' } });
  });

  it('works for more hosts than there are pools', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    for (let n = 0; n < 300; n++) {
      const { body } = await send(`http://host-${n}.invalid:${port}/`);
      expect(await new Response(body).text()).toBe('ok');
    }
  });

  it('resolves a literal address to itself and localhost to the loopback', async () => {
    expect(await network.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await network.resolve('[::1]')).toEqual(['::1']);
    expect(await network.resolve('::ffff:10.0.0.1')).toEqual(['::ffff:10.0.0.1']);
    expect(await network.resolve('localhost')).toContain('127.0.0.1');
  });
});

describe('network: undici, responses', () => {
  it('returns a redirect without following it', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    const response = await send(`http://redirect.invalid:${port}/`);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/elsewhere']);
  });

  it('keeps every Set-Cookie and every byte of a header', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'set-cookie': ['a=1; Path=/', 'b=2'], 'x-name': 'caf\u00e9' }).end();
    });
    const { headers } = await send(`http://cookies.invalid:${port}/`);
    expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(headers.get('x-name')).toBe('caf\u00e9');
  });

  it('leaves compressed bytes compressed', async () => {
    const packed = gzipSync('hello '.repeat(1000));
    const port = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed),
    );
    const response = await send(`http://packed.invalid:${port}/`);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(Buffer.from(await new Response(response.body).arrayBuffer()).equals(packed)).toBe(true);
  });

  it.each([204, 304])('returns no body for status %i', async (status) => {
    const port = await serve((_request, response) => response.writeHead(status).end());
    expect(await send(`http://bodiless.invalid:${port}/`)).toMatchObject({ status, body: null });
  });

  it('returns no body for HEAD and keeps the announced length', async () => {
    const port = await serve((_request, response) => response.writeHead(200, { 'content-length': 9 }).end());
    const response = await send(`http://head.invalid:${port}/`, { method: 'HEAD' });
    expect([response.body, response.headers.get('content-length')]).toEqual([null, '9']);
  });

  it('skips informational responses', async () => {
    const port = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end('final');
    });
    const response = await send(`http://hints.invalid:${port}/`);
    expect([response.status, await new Response(response.body).text()]).toEqual([200, 'final']);
  });

  it('accepts up to 64 KiB of headers and rejects more', async () => {
    const port = await serve((request, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(Number(request.url?.slice(1))) }).end(),
    );
    expect((await send(`http://headers.invalid:${port}/60000`)).status).toBe(200);
    expect(await reasonOf(send(`http://headers.invalid:${port}/70000`))).toMatchObject({
      cause: { code: 'UND_ERR_HEADERS_OVERFLOW' },
    });
  });
});

describe('network: undici, TLS', () => {
  it('rejects a self-signed certificate', async () => {
    const port = await serveTls();
    const error = await reasonOf(send(`https://upstream.test:${port}/`));
    expect(error).toMatchObject({ cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    expect(error).toBeInstanceOf(NotSent);
  });

  it('says that nothing was sent when the handshake or the connection fails, and only then', async () => {
    const silent = await start(createSocketServer((socket) => socket.destroy()));
    expect(await reasonOf(send(`https://upstream.test:${silent}/`))).toBeInstanceOf(NotSent);
    expect(await reasonOf(send('http://upstream.test:1/'))).toBeInstanceOf(NotSent);
    const port = await serve((request) => request.socket.destroy());
    const post = send(`http://upstream.test:${port}/`, { method: 'POST', body: new Uint8Array(1) });
    expect(await reasonOf(post)).not.toBeInstanceOf(NotSent);
    expect(await reasonOf(send(`http://upstream.test:${silent}/`))).not.toBeInstanceOf(NotSent);
  });

  it('verifies the certificate against the name of the URL, not the address', async () => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, certificate]);
    try {
      const port = await serveTls();
      const response = await send(`https://upstream.test:${port}/`);
      expect(await new Response(response.body).text()).toBe(`upstream.test upstream.test:${port}`);
      for (const name of ['other.test', '127.0.0.1']) {
        expect(await reasonOf(send(`https://${name}:${port}/`))).toMatchObject({
          cause: { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
        });
      }
    } finally {
      setDefaultCACertificates(before);
    }
  });
});
