// Tests which addresses the gateway may call. decision: 030, the one door to the network
import { afterEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { createEgress, type EgressInit } from '../../src/egress/door.ts';
import { NotSent } from '../../src/ports/not-sent.ts';
import { closeAll, listen, open, reasonOf, type Setting } from '../support/egress-door.ts';

afterEach(closeAll);

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

describe('a public base address', () => {
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

  it('connects to the vetted address, even if the name resolves to another one a moment later', async () => {
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
    ['10.0.0.0/31', 'https://ten.example/'],
    ['10.0.0.1', 'https://ten.example/'],
    ['fd00::/8', 'http://[fd00::1]/'],
    ['fd00::1', 'http://[fd00::1]/'],
    ['ten.example', 'http://ten.example/'],
    ['Ten.Example', 'http://TEN.example./'],
    ['db1', 'http://db1/'],
    ['3d.example', 'http://3d.example/'],
  ])('reaches what the operator allows, by name, address or range: %s', async (entry, url) => {
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

  it('reaches every public address, and reports a name that does not resolve', async () => {
    const { egress, sent } = open({
      names: { 'public.example': [['93.184.216.34', '2606:4700::1']], 'none.example': [[]] },
      answer: async () => ({ status: 204, headers: new Headers(), body: null }),
    });
    expect((await egress.fetch('https://public.example/')).status).toBe(204);
    for (const host of ['none.example', 'nowhere.invalid'])
      expect(await reasonOf(egress.fetch(`https://${host}/`)), host).toBe('unreachable');
    expect(sent).toHaveLength(1);
  });

  it.each(['169.254.169.254', '[::ffff:127.0.0.1]', '0.0.0.0', '[fd00:ec2::254]'])(
    'does not reach %s even when allowed',
    async (host) => {
      const { egress, sent } = open({ allow: ['0.0.0.0/0', '::/0', host], loopback: true });
      expect(await reasonOf(egress.fetch(`http://${host}/`))).toBe('forbidden');
      expect(sent).toEqual([]);
    },
  );
});

describe('UPSTREAM_MAP', () => {
  it('sends declared origins to their mapped origin, also with a public base', async () => {
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

it('keeps a path that starts with two slashes as a path', async () => {
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

it('limits a slow look-up of a name to the time of its call', async () => {
  const network = { ...createUndiciNetwork(), resolve: () => new Promise<string[]>(() => {}) };
  const egress = createEgress({
    clock: createSystemClock(),
    config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
    network,
  });
  expect(await reasonOf(egress.fetch('http://slow.example/', { timeoutMs: 50 }))).toBe('timeout');
  await network.close();
});

describe('a name with two addresses', () => {
  const names = { 'both.example': [['::1', '127.0.0.1']] };

  it('is tried at both addresses', async () => {
    const { port } = await listen((_, response) => response.end('ok'));
    const { egress } = open({ loopback: true, names });
    expect(await (await egress.fetch(`http://both.example:${port}/`)).text()).toBe('ok');
  });

  const dialledAfter = async (
    error: Error,
    { reason, host, ...init }: EgressInit & { reason: string; host?: string },
  ) => {
    const answer = async () => {
      throw error;
    };
    const { egress, dialled } = open({ loopback: true, names, answer });
    expect(await reasonOf(egress.fetch(`http://${host ?? 'both.example'}/`, init))).toBe(reason);
    return dialled;
  };
  const refused = new NotSent('no');

  it('is tried at the second address when nothing was sent', async () => {
    expect(await dialledAfter(refused, { reason: 'unreachable' })).toEqual(['::1', '127.0.0.1']);
  });

  it('is tried once when something may have been sent', async () => {
    const reset = new Error('no', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
    expect(await dialledAfter(reset, { reason: 'lost' })).toEqual(['::1']);
    expect(await dialledAfter(new Error('no'), { reason: 'lost' })).toEqual(['::1']);
    const host = '127.0.0.1';
    expect(await dialledAfter(refused, { reason: 'unreachable', host })).toEqual([host]);
    const body = new Blob(['x']).stream();
    expect(await dialledAfter(refused, { reason: 'unreachable', method: 'POST', body })).toEqual(['::1']);
  });
});
