// Tests the network driver on the platform's fetch, and its name look-up over HTTPS.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createFetchNetwork } from '../../drivers/network/fetch.ts';
import { createNameLookUp } from '../../drivers/network/name-look-up.ts';
import { NotSent } from '../../src/ports/not-sent.ts';
import { createFakeClock } from '../support/fake-clock.ts';
import { reasonOf, requestTo, serve } from './network-upstream.ts';

const nobody = () => Promise.resolve<string[]>([]);
const network = createFetchNetwork({ fetch, lookUp: nobody });

const send = (...asked: Parameters<typeof requestTo>) => network.send(requestTo(...asked));

describe('network: fetch', () => {
  it('sends the request unchanged, except for the caller’s Host header', async () => {
    const port = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      const { host, cookie, 'x-key': key } = request.headers;
      response.end(JSON.stringify([request.method, request.url, host, cookie, key, body]));
    });
    const { body } = await send(`http://127.0.0.1:${port}/a%2Fb?c=d`, {
      method: 'POST',
      headers: new Headers({ host: 'forged.example', cookie: 'a=1', 'x-key': 'k' }),
      body: new Blob(['some ', 'text']).stream(),
    });
    const expected = ['POST', '/a%2Fb?c=d', `127.0.0.1:${port}`, 'a=1', 'k', 'some text'];
    expect(await new Response(body).json()).toEqual(expected);
  });

  it('follows no redirect and keeps every cookie', async () => {
    const port = await serve((_request, response) =>
      response.writeHead(302, { location: '/elsewhere', 'set-cookie': ['a=1; Path=/', 'b=2'] }).end(),
    );
    const { status, headers } = await send(`http://127.0.0.1:${port}/`);
    expect([status, headers.get('location')]).toEqual([302, '/elsewhere']);
    expect(headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
  });

  it('drops the encoding and length headers of a body that the platform has unpacked', async () => {
    const packed = gzipSync('hello '.repeat(100));
    const port = await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed),
    );
    const { headers, body } = await send(`http://127.0.0.1:${port}/`);
    expect([headers.get('content-encoding'), headers.get('content-length')]).toEqual([null, null]);
    expect(await new Response(body).text()).toBe('hello '.repeat(100));
  });

  it.each([
    ['GET', 204],
    ['GET', 304],
    ['HEAD', 200],
  ])('returns no body for %s with status %i', async (method, status) => {
    const port = await serve((_request, response) => response.writeHead(status).end());
    expect(await send(`http://127.0.0.1:${port}/`, { method })).toMatchObject({ status, body: null });
  });

  it('names the origin of a failed request and ends with the abort signal', async () => {
    const error = await reasonOf(send('http://127.0.0.1:2/'));
    expect(String(error)).toMatch(/\[fetch\] GET http:\/\/127\.0\.0\.1:2 failed/);
    expect(error).toBeInstanceOf(NotSent);
    const closing = await serve((request) => request.socket.destroy());
    expect(await reasonOf(send(`http://127.0.0.1:${closing}/`))).not.toBeInstanceOf(NotSent);
    const leaving = new AbortController();
    const port = await serve(() => leaving.abort());
    expect(await reasonOf(send(`http://127.0.0.1:${port}/`, { signal: leaving.signal }))).toMatchObject({
      cause: { name: 'AbortError' },
    });
  });

  it('resolves addresses and localhost names without a query', async () => {
    expect(await network.resolve('127.0.0.1')).toEqual(['127.0.0.1']);
    expect(await network.resolve('[::1]')).toEqual(['::1']);
    expect(await network.resolve('::ffff:10.0.0.1')).toEqual(['::ffff:10.0.0.1']);
    expect(await network.resolve('app.localhost')).toEqual(['127.0.0.1']);
    expect(await network.resolve('notlocalhost')).toEqual([]);
  });
});

describe('network: DNS over HTTPS', () => {
  async function open(answer: (name: string, type: string) => object | number) {
    const clock = createFakeClock();
    const asked: string[] = [];
    const port = await serve((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://x');
      const [name, type] = [searchParams.get('name') ?? '', searchParams.get('type') ?? ''];
      asked.push(`${name} ${type} ${request.headers.accept}`);
      const given = answer(name, type);
      if (typeof given === 'number') return response.writeHead(given).end();
      return response.end(JSON.stringify(given));
    });
    return {
      clock,
      asked,
      lookUp: createNameLookUp({ fetch, clock, server: `http://127.0.0.1:${port}/dns` }),
    };
  }

  it('finds IPv4 and IPv6 addresses, also behind an alias', async () => {
    const { asked, lookUp } = await open((_, type) => ({
      Status: 0,
      Answer:
        type === 'A'
          ? [
              { type: 5, data: 'real.example.' },
              { type: 1, data: '192.0.2.7' },
            ]
          : [{ type: 28, data: '2001:db8::7' }],
    }));
    expect(await lookUp('name.example')).toEqual(['192.0.2.7', '2001:db8::7']);
    expect(asked.toSorted()).toEqual([
      'name.example A application/dns-json',
      'name.example AAAA application/dns-json',
    ]);
  });

  it('caches a result for a minute', async () => {
    const { asked, clock, lookUp } = await open(() => ({
      Status: 0,
      Answer: [{ type: 1, data: '192.0.2.7' }],
    }));
    await lookUp('a.example');
    await lookUp('a.example');
    expect(asked).toHaveLength(2);
    clock.advance(60);
    await lookUp('a.example');
    expect(asked).toHaveLength(4);
  });

  it('caches the last thousand names', async () => {
    let asked = 0;
    const answer = async () => {
      asked++;
      return Response.json({ Status: 0 });
    };
    const lookUp = createNameLookUp({ fetch: answer, clock: createFakeClock(), server: 'http://127.0.0.1/' });
    for (let n = 0; n <= 1_000; n++) await lookUp(`${n}.example`);
    for (const name of ['1.example', '1000.example']) await lookUp(name);
    expect(asked).toBe(2_002);
    await lookUp('0.example');
    expect(asked).toBe(2_004);
  });

  it('returns no address for an unknown name and rejects when the server fails', async () => {
    expect(await (await open(() => ({ Status: 3 }))).lookUp('no.example')).toEqual([]);
    await expect((await open(() => ({ Status: 2 }))).lookUp('b.example')).rejects.toThrow('code 2');
    await expect((await open(() => 500)).lookUp('c.example')).rejects.toThrow('status 500');
  });
});
