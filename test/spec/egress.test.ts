// design: C5, the one door to the network
import { createServer, type RequestListener, type Server } from 'node:http';
import { deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createEgress, type Egress, type EgressInit } from '../../src/egress/door.ts';
import { EgressFailure } from '../../src/egress/failure.ts';
import { parseUpstreamJson } from '../../src/egress/json.ts';
import type { Network } from '../../src/ports/network.ts';

interface Setting {
  loopback?: boolean;
  allow?: string[];
  map?: { from: string; to: string }[];
  /** What names resolve to, one answer after the other. */
  names?: Record<string, string[][]>;
  /** Instead of really sending. */
  answer?: Network['send'];
}

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean();
});

function open({ loopback = false, allow = [], map = [], names = {}, answer }: Setting = {}) {
  const real = createUndiciNetwork();
  cleanups.push(() => real.close());
  const sent: URL[] = [];
  const dialled: string[] = [];
  const asked = new Map<string, number>();
  const network: Network = {
    ...real,
    async resolve(hostname) {
      const answers = names[hostname];
      if (answers === undefined) return real.resolve(hostname);
      const turn = asked.get(hostname) ?? 0;
      asked.set(hostname, turn + 1);
      return answers[Math.min(turn, answers.length - 1)] ?? [];
    },
    send(request) {
      sent.push(request.url);
      dialled.push(request.address);
      return answer === undefined ? real.send(request) : answer(request);
    },
  };
  const egress: Egress = createEgress({
    config: { EGRESS_ALLOW: allow, UPSTREAM_MAP: map, loopback },
    network,
  });
  return { egress, sent, dialled };
}

async function listen(answer: RequestListener): Promise<{ url: string; port: number }> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}`, port: address.port };
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof EgressFailure) return error.reason;
    throw error;
  }
  return 'none';
}

const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '0',
  '0.0.0.0',
  '0x0',
  '00',
  '10.0.0.1',
  '10.1',
  '0xa000001',
  '012.0.0.1',
  '167772161',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.257',
  '0xc0a80001',
  '3232235521',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.1',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '203.0.113.9',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:1:2:3:4:5:6]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'localhost.',
];

describe('a public base', () => {
  it.each(SPELLINGS)('never connects to http://%s/', async (host) => {
    const { egress, sent } = open();
    expect(['forbidden', 'unreachable', 'bad-url']).toContain(
      await reasonOf(egress.fetch(`http://${host}/`)),
    );
    expect(sent).toEqual([]);
  });

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'gopher://x/',
    'javascript:1',
    'http://',
    'nonsense',
    'http://user:pass@example.com/',
    'http://user@example.com/',
    'http://:pass@example.com/',
  ])('never calls %s', async (url) => {
    const { egress, sent } = open();
    expect(await reasonOf(egress.fetch(url))).toBe('bad-url');
    expect(sent).toEqual([]);
  });

  it('refuses a name when one of its addresses is not public', async () => {
    const { egress, sent } = open({ names: { 'two.example': [['93.184.216.34', '10.0.0.1']] } });
    expect(await reasonOf(egress.fetch('http://two.example/'))).toBe('forbidden');
    expect(sent).toEqual([]);
  });

  it('connects to the address it has vetted, whatever the name means a moment later', async () => {
    const { egress, dialled } = open({
      names: { 'rebind.example': [['93.184.216.34'], ['127.0.0.1']] },
      answer: async () => ({ status: 204, headers: new Headers(), body: null }),
    });
    expect((await egress.fetch('http://rebind.example/')).status).toBe(204);
    expect(await reasonOf(egress.fetch('http://rebind.example/'))).toBe('forbidden');
    expect(dialled).toEqual(['93.184.216.34']);
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1/'],
    ['127.0.0.0/8', 'http://127.0.0.1/'],
    ['10.0.0.0/8', 'https://ten.example/'],
    ['fd00::/8', 'http://[fd00::1]/'],
    ['fd00::1', 'http://[fd00::1]/'],
    ['ten.example', 'http://ten.example/'],
    ['Ten.Example', 'http://TEN.example./'],
    ['db1', 'http://db1/'],
    ['3d.example', 'http://3d.example/'],
  ])('lets in what the operator allows, by name, address or range: %s', async (entry, url) => {
    const ten = [['10.0.0.1']];
    const setting: Setting = {
      names: { 'ten.example': ten, 'ten.example.': ten, db1: ten, '3d.example': ten },
      answer: async () => ({ status: 204, headers: new Headers(), body: null }),
    };
    expect((await open({ ...setting, allow: [entry] }).egress.fetch(url)).status).toBe(204);
    expect(await reasonOf(open({ ...setting, allow: ['other.example'] }).egress.fetch(url))).toBe(
      'forbidden',
    );
  });

  it('lets every public address in, and knows a name that leads nowhere', async () => {
    const { egress, sent } = open({
      names: { 'public.example': [['93.184.216.34', '2606:4700::1']], 'none.example': [[]] },
      answer: async () => ({ status: 204, headers: new Headers(), body: null }),
    });
    expect((await egress.fetch('https://public.example/')).status).toBe(204);
    for (const host of ['none.example', 'nowhere.invalid'])
      expect(await reasonOf(egress.fetch(`https://${host}/`))).toBe('unreachable');
    expect(sent).toHaveLength(1);
  });

  it.each(['169.254.169.254', '[::ffff:127.0.0.1]', '0.0.0.0', '[fd00:ec2::254]'])(
    'does not let in %s even when allowed',
    async (host) => {
      const { egress, sent } = open({ allow: ['0.0.0.0/0', '::/0', host], loopback: true });
      expect(await reasonOf(egress.fetch(`http://${host}/`))).toBe('forbidden');
      expect(sent).toEqual([]);
    },
  );
});

describe('redirects', () => {
  it('are followed by hand, and each one is vetted', async () => {
    const canary = await listen((_, response) => response.end('canary'));
    let hits = 0;
    const { port } = await listen((request, response) => {
      hits++;
      response
        .writeHead(302, { location: request.url === '/in' ? `http://127.0.0.1:${canary.port}/` : '/in' })
        .end();
    });
    const { egress, sent } = open({ allow: ['hop.example'], names: { 'hop.example': [['127.0.0.1']] } });
    expect(await reasonOf(egress.fetch(`http://hop.example:${port}/`))).toBe('forbidden');
    expect(hits).toBe(2);
    expect(sent.map(({ port: to }) => to)).not.toContain(String(canary.port));
  });

  it('keep every header within an origin and lose all that may be a credential on the way out', async () => {
    const seen: Record<string, unknown>[] = [];
    const other = await listen((request, response) => {
      seen.push(request.headers);
      response.end('there');
    });
    const first = await listen((request, response) => {
      if (request.url === '/') return response.writeHead(302, { location: '/again' }).end();
      seen.push(request.headers);
      return response.writeHead(302, { location: other.url }).end();
    });
    const harmless = {
      accept: 'text/plain',
      'accept-language': 'nl',
      'content-type': 'text/plain',
      'user-agent': 'a-tool/1',
    };
    const headers = {
      authorization: 'Bearer s',
      cookie: 'a=s',
      'private-token': 's',
      'x-api-key': 's',
      'dd-api-key': 's',
      ...harmless,
    };
    const { egress } = open({ loopback: true });
    const answer = await egress.fetch(first.url, { headers });
    expect([await answer.text(), answer.url]).toEqual(['there', `${other.url}/`]);
    expect(seen[0]).toMatchObject(headers);
    expect(seen[1]).toMatchObject(harmless);
    for (const name of ['authorization', 'cookie', 'private-token', 'x-api-key', 'dd-api-key'])
      expect(seen[1]).not.toHaveProperty(name);
  });

  it('do not carry a body to another origin', async () => {
    const other = await listen((_, response) => response.end('there'));
    for (const status of [307, 308]) {
      const { url } = await listen((_, response) =>
        response.writeHead(status, { location: other.url }).end(),
      );
      const { egress } = open({ loopback: true });
      expect(await reasonOf(egress.fetch(url, { method: 'POST', body: 'client_secret=s' }))).toBe('redirect');
    }
  });

  // RFC 9110 §15.4
  it.each([
    [301, 'POST', 'GET', ''],
    [301, 'post', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [307, 'POST', 'POST', 'x'],
    [308, 'POST', 'POST', 'x'],
    [301, 'PUT', 'PUT', 'x'],
    [302, 'PUT', 'PUT', 'x'],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
  ])('after a %i what was a %s is a %s', async (status, method, then, body) => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        seen.push([request.method, request.url, text]);
        if (request.url === '/') response.writeHead(status, { location: '/done' });
        response.end();
      });
    });
    const sent = method === 'HEAD' ? {} : { body: 'x' };
    await open({ loopback: true }).egress.fetch(url, { method, ...sent });
    expect(seen[1]).toEqual([then, '/done', body]);
  });

  it('are followed five times, and no 3xx but those that redirect', async () => {
    const { url } = await listen((request, response) => {
      const left = Number(request.url?.slice(1));
      if (request.url === '/300') response.writeHead(300, { location: '/0' });
      else if (request.url === '/302') response.writeHead(302);
      else if (left > 0) response.writeHead(302, { location: `/${left - 1}` });
      response.end();
    });
    const { egress } = open({ loopback: true });
    expect((await egress.fetch(`${url}/5`)).status).toBe(200);
    expect(await reasonOf(egress.fetch(`${url}/6`))).toBe('redirect');
    expect((await egress.fetch(`${url}/1`, { redirects: 1 })).status).toBe(200);
    expect(await reasonOf(egress.fetch(`${url}/2`, { redirects: 1 }))).toBe('redirect');
    expect((await egress.fetch(`${url}/300`)).status).toBe(300);
    expect((await egress.fetch(`${url}/302`)).status).toBe(302);
  });

  it('to nowhere, and of an upload that is read already, are failures', async () => {
    const { url } = await listen((request, response) =>
      request.resume().on('end', () => {
        response.writeHead(307, { location: request.url === '/upload' ? '/again' : 'http://' }).end();
      }),
    );
    const { egress, sent } = open({ loopback: true });
    expect(await reasonOf(egress.fetch(url))).toBe('redirect');
    const upload = new Blob(['x']).stream();
    expect(await reasonOf(egress.fetch(`${url}/upload`, { method: 'POST', body: upload }))).toBe('redirect');
    expect(sent).toHaveLength(2);
  });

  it('end: a loop is a failure, and with "manual" the 3xx is the answer', async () => {
    const { url } = await listen((_, response) => response.writeHead(302, { location: '/' }).end());
    const { egress } = open({ loopback: true });
    expect(await reasonOf(egress.fetch(url))).toBe('redirect');
    expect((await egress.fetch(url, { redirects: 'manual' })).status).toBe(302);
  });
});

describe('limits', () => {
  const failing = async (answer: RequestListener, init: EgressInit = {}) => {
    const { url } = await listen(answer);
    const { egress } = open({ loopback: true });
    return reasonOf(egress.fetch(url, init).then((response) => response.text()));
  };

  it('end an answer that is too long, also when it is packed small', async () => {
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

  it('let through an answer of exactly so many bytes, of 16 MiB where nothing is said', async () => {
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
  ])('unpack what is packed as %s and say no more about it', async (encoding, pack) => {
    const { url } = await listen((_, response) => {
      const packed = pack('hello');
      response.writeHead(200, { 'content-encoding': encoding, 'content-length': packed.length, etag: 'e' });
      response.end(packed);
    });
    const response = await open({ loopback: true }).egress.fetch(url);
    expect(await response.text()).toBe('hello');
    expect([...response.headers.keys()].filter((name) => /^content|etag/.test(name))).toEqual(['etag']);
  });

  it('say who is calling, unless the caller says it', async () => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      seen.push(request.headers['user-agent']);
      response.end();
    });
    const { egress } = open({ loopback: true });
    await egress.fetch(url);
    await egress.fetch(url, { headers: { 'User-Agent': 'a-tool/1' } });
    expect(seen).toEqual(['tool-gateway/0.1', 'a-tool/1']);
  });

  it('are told in words, with the host and the number', async () => {
    const { url } = await listen((request, response) => {
      if (request.url === '/late') return;
      if (request.url === '/stuck' || request.url === '/long') response.write('xx');
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
      `${host} did not answer within 0.1 seconds`,
    );
    await expect(told('/stuck', { timeoutMs: 300 })).rejects.toThrow(
      `${host} did not finish its answer in time`,
    );
    await expect(told('/long', { maxBytes: 1 })).rejects.toThrow(
      `The answer of ${host} is larger than 1 bytes`,
    );
    await expect(told('/away', { method: 'PUT', body: 'x' })).rejects.toThrow(
      `${host} redirects to another host, and what was sent is not passed on`,
    );
    await expect(told('/')).rejects.toThrow(`The answer of ${host} broke off or could not be unpacked`);
  });

  it('cut off what is not read any more: an answer too long, and what comes with a redirect', async () => {
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

  it('refuse a status that is none', async () => {
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

  it('are not what ended a call whose caller has gone', async () => {
    const caller = new AbortController();
    const gone = new Error('gone');
    const { url } = await listen(() => caller.abort(gone));
    const { egress } = open({ loopback: true });
    const work = egress.fetch(url, { signal: caller.signal });
    await expect(work).rejects.toThrow('gone');
    await expect(work).rejects.not.toBeInstanceOf(EgressFailure);
  });

  it('end an answer that does not come, or does not go on', async () => {
    expect(await failing(() => {}, { timeoutMs: 100 })).toBe('timeout');
    expect(await failing((_, response) => response.write('x'), { timeoutMs: 100 })).toBe('timeout');
    const { signal } = new AbortController();
    expect(await failing(() => {}, { timeoutMs: 100, signal })).toBe('timeout');
  });

  it('make a broken answer a failure', async () => {
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
    expect(await failing((request) => request.socket.destroy())).toBe('unreachable');
  });

  it.each(['', '{', 'undefined', '['.repeat(100_000), `{"a":${'['.repeat(600)}${']'.repeat(600)}}`])(
    'make JSON that is none, or a bomb, a failure: %#',
    (text) => {
      expect(() => parseUpstreamJson(text, 'host')).toThrow(
        expect.objectContaining({ reason: 'bad-answer', message: expect.stringContaining('answer of host') }),
      );
    },
  );

  it('do not take brackets inside texts for depth', () => {
    expect(parseUpstreamJson(JSON.stringify({ a: '[{"\\'.repeat(1_000) }), 'host')).toEqual({
      a: '[{"\\'.repeat(1_000),
    });
  });
});

describe('UPSTREAM_MAP', () => {
  it('sends declared origins elsewhere, also under a public base', async () => {
    const seen: unknown[] = [];
    const { url } = await listen((request, response) => {
      seen.push(request.url, request.headers.authorization);
      if (request.url === '/old?q=1') return response.writeHead(301, { location: `${url}/new` }).end();
      return response.end('mapped');
    });
    const { egress } = open({ map: [{ from: 'https://api.github.com', to: url }] });
    const response = await egress.fetch('https://api.github.com/old?q=1', {
      headers: { authorization: 'Bearer s' },
    });
    expect(await response.text()).toBe('mapped');
    expect(seen).toEqual(['/old?q=1', 'Bearer s', '/new', 'Bearer s']);
    expect(await reasonOf(egress.fetch(`http://127.0.0.1:1/`))).toBe('forbidden');
  });
});

it('UPSTREAM_MAP keeps a path that starts with two slashes a path', async () => {
  const seen: unknown[] = [];
  const { url } = await listen((request, response) => {
    seen.push(request.url);
    response.end();
  });
  const { egress, sent } = open({ map: [{ from: 'https://api.github.com', to: url }] });
  await egress.fetch('https://api.github.com//evil.example/steal');
  await egress.fetch('https://api.github.com/\\\\evil.example/steal');
  expect(seen).toEqual(['//evil.example/steal', '///evil.example/steal']);
  expect(sent.every(({ origin }) => origin === url)).toBe(true);
});

it('a name that takes long to be looked up takes no longer than its call', async () => {
  const network = { ...createUndiciNetwork(), resolve: () => new Promise<string[]>(() => {}) };
  const egress = createEgress({ config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true }, network });
  expect(await reasonOf(egress.fetch('http://slow.example/', { timeoutMs: 50 }))).toBe('timeout');
  await network.close();
});

describe('a name with two addresses', () => {
  const names = { 'both.example': [['::1', '127.0.0.1']] };

  it('is tried at both', async () => {
    const { port } = await listen((_, response) => response.end('ok'));
    const { egress } = open({ loopback: true, names });
    expect(await (await egress.fetch(`http://both.example:${port}/`)).text()).toBe('ok');
  });

  const dialledAfter = async (error: Error, init: EgressInit = {}, host = 'both.example') => {
    const answer = async () => {
      throw error;
    };
    const { egress, dialled } = open({ loopback: true, names, answer });
    expect(await reasonOf(egress.fetch(`http://${host}/`, init))).toBe('unreachable');
    return dialled;
  };
  const refusedBy = (code: string) => new Error('no', { cause: Object.assign(new Error(code), { code }) });

  it.each(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'])(
    'is tried at the second after %s, as nothing was sent',
    async (code) => {
      expect(await dialledAfter(refusedBy(code))).toEqual(['::1', '127.0.0.1']);
    },
  );

  it('is tried once where something may have been sent', async () => {
    expect(await dialledAfter(refusedBy('ECONNRESET'))).toEqual(['::1']);
    expect(await dialledAfter(new Error('no'))).toEqual(['::1']);
    expect(await dialledAfter(refusedBy('ECONNREFUSED'), {}, '127.0.0.1')).toEqual(['127.0.0.1']);
    const body = new Blob(['x']).stream();
    expect(await dialledAfter(refusedBy('ECONNREFUSED'), { method: 'POST', body })).toEqual(['::1']);
  });
});
