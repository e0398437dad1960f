// Tests that the Node network streams both ways at the pace of the slower side, and ends when either side
// does.
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import type { UpstreamRequest } from '../../src/ports/network.ts';
import { reasonOf, send, serve, start } from './network-upstream.ts';

const streamOf = (chunks: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** A listener that receives a request and never responds. */
const silent = () => {
  const closed = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const listener: RequestListener = (request) => {
    request.on('close', () => closed.resolve());
    arrived.resolve();
  };
  return { listener, closed: closed.promise, arrived: arrived.promise };
};

describe('network: undici, bodies', () => {
  it('sends bytes with their length and a stream as chunks', async () => {
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

  it('reads a response on demand and does not buffer the rest', async () => {
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

  it('reads an upload only as fast as the server takes it', async () => {
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

describe('network: undici, endings', () => {
  it('rejects and closes the connection when the signal aborts, without naming the query', async () => {
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

  it('rejects when the signal has aborted before the start', async () => {
    expect(await reasonOf(send('http://never.invalid:9/', { signal: AbortSignal.abort() }))).toMatchObject({
      cause: { name: 'AbortError' },
    });
  });

  it('stops connecting when the signal aborts', async () => {
    const abort = new AbortController();
    // No host uses the addresses of TEST-NET-1 (RFC 5737).
    const sent = reasonOf(send('http://far.invalid:81/', { address: '192.0.2.1', signal: abort.signal }));
    setImmediate(() => abort.abort(new Error('enough')));
    expect(await sent).toMatchObject({ cause: { message: expect.stringMatching(/enough|UNREACH|REFUSED/) } });
  });

  it.each(['abort', 'cancel', 'unread abort'])('closes the upstream connection on %s', async (how) => {
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

  it('rejects the body when the response breaks off', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setImmediate(() => response.destroy());
    });
    const response = await send(`http://broken.invalid:${port}/`);
    await expect(new Response(response.body).text()).rejects.toThrow('[undici] the response broke off');
  });

  it('rejects with the error of a failed upload', async () => {
    const port = await serve((request) => request.resume());
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.error(new Error('the source failed')),
    });
    const error = await reasonOf(send(`http://upload.invalid:${port}/`, { method: 'POST', body }));
    expect(error).toMatchObject({ cause: { message: 'the source failed' } });
  });

  it('rejects a response that is not HTTP', async () => {
    const port = await start(createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')));
    expect(String(await reasonOf(send(`http://ssh.invalid:${port}/`)))).toContain('[undici]');
  });
});
