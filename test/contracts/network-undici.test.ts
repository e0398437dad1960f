// The Node network keeps to the vetted address and leaves everything else as it is.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import type { UpstreamRequest } from '../../src/ports/network.ts';
import { certificate, key } from './network-certificate.ts';
import { listen } from './network-listen.ts';

const network = createUndiciNetwork();
const open: { close(): unknown }[] = [];
afterAll(async () => {
  await network.close();
  for (const server of open) server.close();
});

async function start(server: Server): Promise<number> {
  open.push(server);
  return listen(server);
}

const serve = (listener: (...exchange: Parameters<RequestListener>) => void | Promise<void>) =>
  start(createServer((request, response) => void listener(request, response)));

const serveTls = () =>
  start(
    createTlsServer({ cert: certificate, key }, ({ socket, headers }, response) => {
      response.end(`${'servername' in socket && socket.servername} ${headers.host}`);
    }),
  );

const send = (url: string, request: Partial<UpstreamRequest> = {}) =>
  network.send({
    method: 'GET',
    url: new URL(url),
    address: '127.0.0.1',
    headers: new Headers(),
    body: null,
    signal: new AbortController().signal,
    ...request,
  });

const streamOf = (chunks: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

describe('network: undici, addresses', () => {
  it('dials the given address and no other; the Host header stays the name', async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const response = await send(`http://no-such-host.invalid:${port}/`, {
      headers: new Headers({ host: 'forged.example' }),
    });
    expect(await new Response(response.body).text()).toBe(`no-such-host.invalid:${port}`);
  });

  it('keeps a connection for the next request to the same address', async () => {
    const sockets = new Set<Socket>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      response.end('ok');
    });
    for (let n = 0; n < 6; n++) await new Response((await send(`http://kept.invalid:${port}/`)).body).text();
    // undici may find its connection busy for an instant after the answer, and open a second one.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });

  it('never reuses it for another address of the same name', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    await new Response((await send(`http://moved.invalid:${port}/`)).body).text();
    const error = await reasonOf(send(`http://moved.invalid:${port}/`, { address: '127.0.0.2' }));
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED', address: '127.0.0.2' } });
  });

  it('goes on working past the bound on pools', async () => {
    const port = await serve((_request, response) => response.end('ok'));
    for (let n = 0; n < 300; n++) {
      const { body } = await send(`http://host-${n}.invalid:${port}/`);
      expect(await new Response(body).text()).toBe('ok');
    }
  });

  it('answers a literal address as itself and a name without addresses with none', async () => {
    expect(await network.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await network.resolve('[::1]')).toEqual(['::1']);
    expect(await network.resolve('::ffff:10.0.0.1')).toEqual(['::ffff:10.0.0.1']);
    expect(await network.resolve('localhost')).toContain('127.0.0.1');
  });
});

describe('network: undici, answers', () => {
  it('returns a redirect as it is', async () => {
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

  it.each([204, 304])('has no body on %i', async (status) => {
    const port = await serve((_request, response) => response.writeHead(status).end());
    expect(await send(`http://bodiless.invalid:${port}/`)).toMatchObject({ status, body: null });
  });

  it('has no body on HEAD, whatever length is announced', async () => {
    const port = await serve((_request, response) => response.writeHead(200, { 'content-length': 9 }).end());
    const response = await send(`http://head.invalid:${port}/`, { method: 'HEAD' });
    expect([response.body, response.headers.get('content-length')]).toEqual([null, '9']);
  });

  it('passes over informational answers', async () => {
    const port = await serve((_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' });
      response.end('final');
    });
    const response = await send(`http://hints.invalid:${port}/`);
    expect([response.status, await new Response(response.body).text()]).toEqual([200, 'final']);
  });

  it('takes up to 64 KiB of headers and refuses more', async () => {
    const port = await serve((request, response) =>
      response.writeHead(200, { 'x-large': 'x'.repeat(Number(request.url?.slice(1))) }).end(),
    );
    expect((await send(`http://headers.invalid:${port}/60000`)).status).toBe(200);
    expect(await reasonOf(send(`http://headers.invalid:${port}/70000`))).toMatchObject({
      cause: { code: 'UND_ERR_HEADERS_OVERFLOW' },
    });
  });
});

describe('network: undici, bodies', () => {
  it('sends bytes with their length, and a stream as it comes', async () => {
    const port = await serve(async (request, response) => {
      const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
      response.end(JSON.stringify([request.method, length, coding, await text(request)]));
    });
    const echo = async (body: UpstreamRequest['body']) =>
      new Response((await send(`http://up.invalid:${port}/`, { method: 'PUT', body })).body).json();
    const chunks = ['one ', '', 'two'].map((chunk) => new TextEncoder().encode(chunk));
    expect(await echo(new TextEncoder().encode('bytes'))).toEqual(['PUT', '5', null, 'bytes']);
    expect(await echo(streamOf(chunks))).toEqual(['PUT', null, 'chunked', 'one two']);
    expect(await echo(null)).toEqual(['PUT', '0', null, '']);
  });

  it('reads on demand: an unread answer does not pile up here', async () => {
    let written = 0;
    const port = await serve((_request, response) => {
      const block = Buffer.alloc(64 * 1024);
      const more = () => {
        while (written < 200e6 && response.write(block)) written += block.length;
      };
      response.on('drain', more);
      more();
    });
    const abort = new AbortController();
    const response = await send(`http://down.invalid:${port}/`, { signal: abort.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    let seen = -1;
    while (seen !== written) {
      seen = written;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(50e6);
    abort.abort();
  });

  it('takes an upload only as fast as the other side reads it', async () => {
    const taken = { bytes: 0 };
    const port = await start(createTcpServer((socket) => socket.pause()));
    const abort = new AbortController();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        taken.bytes += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    const sent = reasonOf(
      send(`http://slow.invalid:${port}/`, { method: 'POST', body, signal: abort.signal }),
    );
    let seen = -1;
    while (seen !== taken.bytes || taken.bytes === 0) {
      seen = taken.bytes;
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(taken.bytes).toBeLessThan(50e6);
    abort.abort();
    await sent;
  });
});

/** A listener that hears a request and never answers. */
const silent = () => {
  const closed = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const listener: RequestListener = (request) => {
    request.on('close', () => closed.resolve());
    arrived.resolve();
  };
  return { listener, closed: closed.promise, arrived: arrived.promise };
};

describe('network: undici, endings', () => {
  it('stops waiting when the signal aborts, and hangs up', async () => {
    const { listener, closed, arrived } = silent();
    const port = await serve(listener);
    const abort = new AbortController();
    const sent = reasonOf(send(`http://silent.invalid:${port}/secret?token=1`, { signal: abort.signal }));
    await arrived;
    abort.abort(new Error('enough'));
    const error = await sent;
    expect(error).toMatchObject({ cause: { message: 'enough' } });
    expect(String(error)).toContain(`[undici] GET http://silent.invalid:${port} failed`);
    expect(String(error)).not.toContain('token');
    await closed;
  });

  it('does not start when the signal has aborted before', async () => {
    expect(await reasonOf(send('http://never.invalid:9/', { signal: AbortSignal.abort() }))).toMatchObject({
      cause: { name: 'AbortError' },
    });
  });

  it('stops waiting for a connection when the signal aborts', async () => {
    const abort = new AbortController();
    // TEST-NET-1 (RFC 5737): nobody answers there.
    const sent = reasonOf(send('http://far.invalid:81/', { address: '192.0.2.1', signal: abort.signal }));
    setImmediate(() => abort.abort(new Error('enough')));
    expect(await sent).toMatchObject({ cause: { message: expect.stringMatching(/enough|UNREACH/) } });
  });

  it.each(['abort', 'cancel', 'unread abort'])('ends the answer under way: %s', async (how) => {
    const closed = Promise.withResolvers<void>();
    const port = await serve((_request, response) => {
      response.on('close', () => closed.resolve());
      response.write('first');
    });
    const abort = new AbortController();
    const response = await send(`http://endless.invalid:${port}/`, { signal: abort.signal });
    const reader = response.body?.getReader();
    if (how === 'unread abort') abort.abort();
    else {
      await reader?.read();
      const next = reasonOf(Promise.resolve(reader?.read()));
      if (how === 'abort') abort.abort();
      else await reader?.cancel();
      expect(await next).toEqual(how === 'abort' ? expect.any(Error) : null);
    }
    await closed.promise;
  });

  it('tells an answer that breaks off', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setImmediate(() => response.destroy());
    });
    const response = await send(`http://broken.invalid:${port}/`);
    await expect(new Response(response.body).text()).rejects.toThrow('[undici] the response broke off');
  });

  it('passes on the error of an upload that fails, and hangs up', async () => {
    const port = await serve((request) => request.resume());
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('the source failed')),
    });
    const error = await reasonOf(send(`http://upload.invalid:${port}/`, { method: 'POST', body }));
    expect(error).toMatchObject({ cause: { message: 'the source failed' } });
  });

  it('survives an answer that is not HTTP', async () => {
    const port = await start(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
    expect(String(await reasonOf(send(`http://ssh.invalid:${port}/`)))).toContain('[undici]');
  });
});

describe('network: undici, TLS', () => {
  it('refuses a self-signed certificate', async () => {
    const port = await serveTls();
    expect(await reasonOf(send(`https://upstream.test:${port}/`))).toMatchObject({
      cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    });
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
