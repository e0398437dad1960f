// Tests the connect flow that an agent begins. reference: Meta-tools; Connect links
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { call } from '../support/mcp.ts';
import { createTestApp } from '../support/test-app.ts';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

describe('connect, called by an agent', () => {
  const connect = (integration: string, headers: Record<string, string> = stand.ana.keyHeader) =>
    call(stand.app, headers, 'connect', { integration });
  const wait = (connectionId: string) =>
    call(stand.app, stand.ana.keyHeader, 'wait_for_connection', { connectionId, timeoutSec: 5 });

  it("returns the provider's address, and waits until the person has finished", async () => {
    const { connectionId, type, url } = await connect('vaulted');
    expect(type).toBe('oauth2');
    expect(connectionId).toMatch(/^[0-9a-f-]{36}$/);
    await stand.comeBack(new URL(url));
    expect(await wait(connectionId)).toEqual({ status: 'CONNECTED' });
  });

  it.each([
    [{}, 600],
    [{ CONNECT_TTL_SECONDS: '30' }, 30],
  ])('keeps a pending connection for CONNECT_TTL_SECONDS: %j', async (env, seconds) => {
    const other = await stand.open(env);
    const { keyHeader } = await other.user();
    const { connectionId } = await call(other, keyHeader, 'connect', { integration: 'vaulted' });
    const status = async () => (await other.deps.pending.get(connectionId))?.status;
    other.clock.advance(seconds - 1);
    expect(await status()).toBe('PENDING');
    other.clock.advance(1);
    expect(await status()).toBe('EXPIRED');
    await other.close();
  });

  it('completes the newest of two pending connections', async () => {
    const first = await connect('vaulted');
    const second = await connect('vaulted');
    await stand.comeBack(new URL(second.url));
    expect(await wait(second.connectionId)).toEqual({ status: 'CONNECTED' });
    expect(await wait(first.connectionId)).toMatchObject({ status: 'TIMEOUT', connected: true });
  });

  it('keeps 20 pending connections of a person: the oldest of 21 answers EXPIRED, and nobody else notices', async () => {
    const bea = await stand.app.user('bea@example.com');
    const hers = await connect('vaulted', bea.keyHeader);
    const ids: string[] = [];
    for (let n = 0; n < 21; n++) ids.push((await connect('vaulted')).connectionId);
    expect(await wait(ids[0] ?? '')).toEqual({ status: 'EXPIRED' });
    const status = async (id: string) => (await stand.app.deps.pending.get(id))?.status;
    expect(await Promise.all(ids.slice(1).map(status))).toEqual(Array(20).fill('PENDING'));
    expect(await status(hers.connectionId)).toBe('PENDING');
  });

  it.each([
    ['vaulted', {}],
    ['keyed', {}],
    ['vaulted', { CONNECT_VIA: 'portal' }],
  ])('ends the flow of a pending connection that gives way to one of %s, %j', async (integration, env) => {
    await stand.reopen({ PERSON_MAX_PENDING: '3', ...env });
    const first = await connect('vaulted');
    const second = await connect('vaulted');
    for (let n = 0; n < 2; n++) await connect(integration);
    const finish = async (url: string) => {
      if (!('CONNECT_VIA' in env)) return (await stand.comeBack(new URL(url))).status;
      const token = new URL(url).searchParams.get('t');
      return (await stand.api('POST', '/api/connect/redeem', { token })).status;
    };
    expect(await wait(first.connectionId)).toEqual({ status: 'EXPIRED' });
    expect(await finish(first.url)).toBe('CONNECT_VIA' in env ? 410 : 400);
    expect(await finish(second.url)).toBe('CONNECT_VIA' in env ? 200 : 302);
  });

  it('does not end a sign-in that the person began in the portal', async () => {
    await stand.reopen({ PERSON_MAX_PENDING: '3' });
    const url = await stand.start();
    for (let n = 0; n < 5; n++) await connect('vaulted');
    expect((await stand.comeBack(url)).status).toBe(302);
  });

  it('returns errors as normal results', async () => {
    expect(await connect('nope')).toEqual({ error: 'Integration not found' });
    expect((await connect('time')).error).toMatch(/built in/);
    const bare = await createTestApp();
    const headers = (await bare.user()).keyHeader;
    expect((await call(bare, headers, 'connect', { integration: 'vaulted' })).error).toMatch(
      /VAULTED_CLIENT_ID/,
    );
    await bare.close();
  });

  it('sends cookie integrations, and with CONNECT_VIA=portal all, through the portal', async () => {
    expect(await connect('jar')).toMatchObject({
      type: 'cookie',
      url: expect.stringMatching(/^http:\/\/localhost:3000\/connect\?t=/),
    });
    await stand.reopen({ CONNECT_VIA: 'portal' });
    const { type, url } = await connect('vaulted');
    expect([type, new URL(url).pathname]).toEqual(['oauth2', '/connect']);
  });
});

describe('a connect link', () => {
  const redeem = (token: unknown, headers: Record<string, string> = stand.ana.sessionHeader) =>
    stand.api('POST', '/api/connect/redeem', { token }, headers);

  async function link(): Promise<string> {
    const url = await stand.app.deps.links.create(stand.ana.id, 'vaulted');
    return new URL(url).searchParams.get('t') ?? '';
  }

  it("is redeemed once for the provider's address", async () => {
    const token = await link();
    const { status, body } = await redeem(token);
    expect([status, body.type]).toEqual([200, 'oauth2']);
    expect((await stand.comeBack(new URL(body.url))).status).toBe(302);
    expect(await redeem(token)).toMatchObject({ status: 410, body: { error: 'LINK_CONSUMED' } });
  });

  it('has one winner of 50 concurrent redemptions', async () => {
    const token = await link();
    const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(token)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 49 }, () => 410),
    ]);
  });

  it('requires the session of its own person, and is not used up by another', async () => {
    const token = await link();
    const bea = await stand.app.user('bea@example.com');
    expect(await redeem(token, {})).toMatchObject({ status: 401, body: { error: 'AUTH_REQUIRED' } });
    expect(await redeem(token, bea.sessionHeader)).toMatchObject({
      status: 403,
      body: { error: 'ACCOUNT_MISMATCH' },
    });
    expect((await redeem(token)).status).toBe(200);
  });

  it.each([['x'], [''], [5], [undefined]])('is LINK_INVALID when it is %j', async (token) => {
    expect(await redeem(token)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
  });

  it('is LINK_INVALID after it expires, and so is a session in its place', async () => {
    const token = await link();
    expect(await redeem(stand.ana.session)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
    const other = await link();
    stand.app.clock.advance(599);
    expect((await redeem(other)).status).toBe(200);
    stand.app.clock.advance(1);
    expect(await redeem(token)).toMatchObject({ status: 401, body: { error: 'LINK_INVALID' } });
  });

  it('is not used up when the provider is not set up', async () => {
    const token = await link();
    const bare = await createTestApp({
      ports: { store: { ...stand.app.deps.store, close: async () => {} } },
    });
    const response = await bare.request('/api/connect/redeem', {
      method: 'POST',
      headers: { ...stand.ana.sessionHeader, 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
    expect(response.status).toBe(503);
    await bare.close();
    expect((await redeem(token)).status).toBe(200);
  });
});
