// Tests the limits of the gateway's network calls. decision: 030, the one door to the network: its limits
import type { RequestListener } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { EgressInit } from '../../src/egress/door.ts';
import { EgressFailure } from '../../src/egress/failure.ts';
import { parseUpstreamJson } from '../../src/egress/json.ts';
import { VERSION } from '../../src/ports/version.ts';
import { closeAll, listen, open, reasonOf } from '../support/egress-door.ts';

afterEach(closeAll);

describe('egress limits', () => {
  const failing = async (answer: RequestListener, init: EgressInit = {}) => {
    const { url } = await listen(answer);
    const { egress } = open({ loopback: true });
    return reasonOf(egress.fetch(url, init).then((response) => response.text()));
  };

  it('end a response that is too long, even when it is compressed to a small size', async () => {
    expect(await failing((_, response) => response.end('x'.repeat(2_000)), { maxBytes: 1_000 })).toBe(
      'too-large',
    );
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    expect(
      await failing((_, response) => response.setHeader('content-encoding', 'gzip').end(bomb), {
        maxBytes: 1_000_000,
      }),
    ).toBe('too-large');
  });

  it('may be a part of a millisecond, as clocks count them', async () => {
    expect(await failing((_, response) => response.end('x'), { timeoutMs: 5_000.5 })).toBe('none');
  });

  it('allow a response of exactly the limit, 16 MiB by default', async () => {
    expect(await failing((_, response) => response.end('x'.repeat(1_000)), { maxBytes: 1_000 })).toBe('none');
    expect(await failing((_, response) => response.end('x'.repeat(1_001)), { maxBytes: 1_000 })).toBe(
      'too-large',
    );
    const most = 16 * 1024 * 1024;
    expect(await failing((_, response) => response.end(Buffer.alloc(most)))).toBe('none');
    expect(await failing((_, response) => response.end(Buffer.alloc(most + 1)))).toBe('too-large');
  });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['X-GZip', gzipSync],
    ['deflate', deflateSync],
    ['identity', Buffer.from],
  ])('apply after %s is decoded, and the encoding header is removed', async (encoding, pack) => {
    const { url } = await listen((_, response) => {
      const packed = pack('hello');
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length, etag: 'e' });
      response.end(packed);
    });
    const response = await open({ loopback: true }).egress.fetch(url);
    expect(await response.text()).toBe('hello');
    expect([...response.headers.keys()].filter((name) => /^content|etag/.test(name))).toEqual(['etag']);
  });

  it('send a user agent, unless the caller sends one', async () => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      seen.push(request.headers['user-agent']);
      response.end();
    });
    const { egress } = open({ loopback: true });
    await egress.fetch(url);
    await egress.fetch(url, { headers: { 'User-Agent': 'a-tool/1' } });
    expect(seen).toEqual([`tool-gateway/${VERSION}`, 'a-tool/1']);
  });

  it('are reported with the host and the number', async () => {
    const { url } = await listen((request, response) => {
      if (request.url === '/late') return;
      if (request.url === '/long') response.write('xx');
      else if (request.url === '/away') response.writeHead(307, { location: 'http://127.0.0.2:1/' }).end();
      else response.setHeader('content-encoding', 'gzip').end('not gzip');
    });
    const { host } = new URL(url);
    const { egress } = open({ loopback: true });
    const told = (path: string, init: EgressInit = {}) =>
      egress.fetch(`${url}${path}`, init).then(
        (response) => response.text(),
        (error: Error) => Promise.reject(error),
      );
    await expect(told('/late', { timeoutMs: 100 })).rejects.toThrow(
      `${host} did not answer within 0.1 seconds. The call may have run`,
    );
    // The response begins at once, however long a loaded machine takes to connect.
    const begun = open({
      loopback: true,
      answer: async ({ signal }) => ({
        status: 200,
        headers: new Headers(),
        body: new ReadableStream({
          start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason)),
        }),
      }),
    });
    const stuck = await begun.egress.fetch(`${url}/stuck`, { timeoutMs: 100 });
    await expect(stuck.text()).rejects.toThrow(`${host} did not finish its response in time`);
    await expect(told('/long', { maxBytes: 1 })).rejects.toThrow(
      `The answer of ${host} is larger than 1 bytes`,
    );
    await expect(told('/away', { method: 'PUT', body: 'x' })).rejects.toThrow(
      `${host} redirects to another host, and the request body is not sent there`,
    );
    await expect(told('/')).rejects.toThrow(`The answer of ${host} broke off or could not be decompressed`);
  });

  it('allow a response that is as long as the limit', async () => {
    const { url } = await listen((_, response) => response.end('1234'));
    const { egress } = open({ loopback: true });
    expect(await (await egress.fetch(url, { maxBytes: 4 })).text()).toBe('1234');
    expect(await reasonOf(egress.fetch(url, { maxBytes: 3 }).then((response) => response.text()))).toBe(
      'too-large',
    );
  });

  it('close the connection of what is no longer read: a response that is too long, and the body of a redirect', async () => {
    let cut = 0;
    const endless = (status: number, headers: Record<string, string>) => ({
      status,
      headers: new Headers(headers),
      body: new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(1_000)),
        cancel: () => void cut++,
      }),
    });
    const { egress } = open({
      loopback: true,
      answer: async ({ url }) =>
        url.pathname === '/' ? endless(302, { location: '/there' }) : endless(200, {}),
    });
    const response = await egress.fetch('http://127.0.0.1/', { maxBytes: 5_000 });
    expect(cut).toBe(1);
    expect(await reasonOf(response.text())).toBe('too-large');
    expect(cut).toBe(2);
  });

  it('refuse an invalid status', async () => {
    for (const [status, reason] of [
      [101, 'bad-answer'],
      [199, 'bad-answer'],
      [200, 'none'],
      [599, 'none'],
      [600, 'bad-answer'],
    ] as const) {
      const { egress } = open({
        loopback: true,
        answer: async () => ({ status, headers: new Headers(), body: null }),
      });
      expect([status, await reasonOf(egress.fetch('http://127.0.0.1/'))]).toEqual([status, reason]);
    }
  });

  it.each([204, 205, 304])('leave a %i without a body, whatever came with it', async (status) => {
    const body = () => new Blob(['x']).stream();
    const { egress } = open({
      loopback: true,
      answer: async () => ({ status, headers: new Headers(), body: body() }),
    });
    expect(await (await egress.fetch('http://127.0.0.1/')).text()).toBe('');
  });

  it('are not reported when a call ended because its caller left', async () => {
    const caller = new AbortController();
    const gone = new Error('gone');
    const { url } = await listen(() => caller.abort(gone));
    const { egress } = open({ loopback: true });
    const work = egress.fetch(url, { signal: caller.signal });
    await expect(work).rejects.toThrow('gone');
    await expect(work).rejects.not.toBeInstanceOf(EgressFailure);
  });

  it('end a response that does not begin, or does not continue', async () => {
    expect(await failing(() => {}, { timeoutMs: 100 })).toBe('timeout');
    expect(await failing((_, response) => response.write('x'), { timeoutMs: 100 })).toBe('timeout');
    const { signal } = new AbortController();
    expect(await failing(() => {}, { timeoutMs: 100, signal })).toBe('timeout');
  });

  it('turn a broken response into a failure', async () => {
    expect(
      await failing((_, response) => response.setHeader('content-encoding', 'gzip').end('not gzip')),
    ).toBe('bad-answer');
    expect(await failing((_, response) => response.setHeader('content-encoding', 'br').end('x'))).toBe(
      'bad-answer',
    );
    expect(
      await failing((_, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('x');
        setImmediate(() => response.destroy());
      }),
    ).toBe('bad-answer');
    expect(await failing((request) => request.socket.destroy())).toBe('lost');
  });

  it('close the connection of a response that they refuse', async () => {
    const closed = Promise.withResolvers<void>();
    const server = await listen((_, response) => {
      response.writeHead(200, { 'content-encoding': 'br' });
      const sending = setInterval(() => response.write('x'.repeat(1_000)), 5);
      response.on('close', () => {
        clearInterval(sending);
        closed.resolve();
      });
    });
    const { fetch } = open({ loopback: true }).egress.bind({ signal: new AbortController().signal });
    await expect(fetch(server.url)).rejects.toMatchObject({ reason: 'bad-answer' });
    await closed.promise;
  });

  it.each(['', '{', 'undefined', '['.repeat(100_000), `{"a":${'['.repeat(600)}${']'.repeat(600)}}`])(
    'turn invalid or too deeply nested JSON into a failure: %#',
    (text) => {
      expect(() => parseUpstreamJson(text, 'host')).toThrow(
        expect.objectContaining({ reason: 'bad-answer', message: expect.stringContaining('answer of host') }),
      );
    },
  );

  it('refuse JSON with more values than can be parsed without stalling others', () => {
    expect(() => parseUpstreamJson(`[${'{},'.repeat(2_000_000)}{}]`, 'host')).toThrow(
      expect.objectContaining({
        reason: 'bad-answer',
        message: 'The answer of host has more than 1,000,000 values',
      }),
    );
    expect(parseUpstreamJson(`["${'{},'.repeat(2_000_000)}"]`, 'host')).toHaveLength(1);
  });

  it('do not count brackets inside strings as depth', () => {
    expect(parseUpstreamJson(JSON.stringify({ a: '[{"\\'.repeat(1_000) }), 'host')).toEqual({
      a: '[{"\\'.repeat(1_000),
    });
  });
});
