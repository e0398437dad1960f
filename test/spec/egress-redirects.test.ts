// Tests how the gateway's network calls follow redirects. decision: 030, the one door to the network: redirects
import { afterEach, describe, expect, it } from 'vitest';
import { closeAll, listen, open, reasonOf } from '../support/egress-door.ts';

afterEach(closeAll);

describe('redirects', () => {
  it('are followed by the gateway itself, and each target is checked', async () => {
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

  it('keep every header within an origin, and drop all possible credentials for another one', async () => {
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

  it('do not send a body to another origin', async () => {
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
  ])('after a %i turn a %s into a %s', async (status, method, then, body) => {
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

  it('are followed five times, and only for the 3xx statuses that redirect', async () => {
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

  it('fail without a target, and for an upload that was already read', async () => {
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

  it('end in a failure for a loop, and in the 3xx itself with "manual"', async () => {
    const { url } = await listen((_, response) => response.writeHead(302, { location: '/' }).end());
    const { egress } = open({ loopback: true });
    expect(await reasonOf(egress.fetch(url))).toBe('redirect');
    expect((await egress.fetch(url, { redirects: 'manual' })).status).toBe(302);
  });
});
