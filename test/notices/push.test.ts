// Encrypts notices for browsers, with somebody else's library as the browser. reference: Notices
import { createECDH, randomBytes } from 'node:crypto';
import ece from 'http_ece';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NoticeStand, openNotices } from '../support/notice-stand.ts';

function newBrowser() {
  const keys = createECDH('prime256v1');
  keys.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  const decrypt = (body: Buffer): unknown =>
    JSON.parse(ece.decrypt(body, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString());
  return { p256dh: keys.getPublicKey().toString('base64url'), auth, decrypt };
}

describe('a push notice', () => {
  let stand: NoticeStand;
  beforeEach(async () => {
    stand = await openNotices();
  });
  afterEach(() => stand.close());

  it('is read by the browser alone, and comes in the name of this gateway', async () => {
    const { app, receiver, send } = stand;
    const { p256dh, auth, decrypt } = newBrowser();
    const url = `${receiver.url}/push/abc`;
    await stand.add({ channel: 'push', name: 'Firefox', url, p256dh, auth });
    await stand.tell({ until: app.clock.now() + 900 });
    await receiver.until(1);
    const { headers, body, path } = receiver.got[0] ?? { headers: {}, body: Buffer.alloc(0), path: '' };
    expect(path).toBe('/push/abc');
    expect(decrypt(body)).toEqual({
      title: 'A call waits for your approval',
      body: 'An agent wants to use github.',
      url: 'http://localhost:3000/approvals/1',
    });
    expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '900' });
    const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    expect((await (await send('GET', '/api/notices')).json()).pushKey).toBe(key);
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(token, createLocalJWKSet({ keys: [jwk] }), {
      audience: receiver.url,
    });
    expect(payload.sub).toBe('mailto:owner@localhost');
    expect((payload.exp ?? 0) - app.clock.now()).toBeLessThanOrEqual(24 * 3_600);
  });

  it('ends with the subscription', async () => {
    const { receiver, send } = stand;
    const { p256dh, auth } = newBrowser();
    await stand.add({ channel: 'push', name: 'Firefox', url: receiver.url, p256dh, auth });
    receiver.answers((response) => response.writeHead(410).end());
    await stand.tell();
    await stand.untilStates(['failed']);
    expect((await (await send('GET', '/api/notices')).json()).channels[0].state).toBe('disabled');
  });

  it('goes to no key that is none', async () => {
    const { receiver, send } = stand;
    const { p256dh, auth } = newBrowser();
    const form = { channel: 'push', name: 'Firefox', url: receiver.url, p256dh, auth };
    const off = Buffer.from(p256dh, 'base64url');
    off[40] = (off[40] ?? 0) ^ 1;
    for (const wrong of [{ p256dh: off.toString('base64url') }, { p256dh: 'AAAA' }, { auth: 'AAAA' }])
      expect((await send('POST', '/api/notices/channels', { ...form, ...wrong })).status).toBe(400);
  });
});
