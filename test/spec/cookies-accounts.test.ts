// Tests importing and exporting the sessions of several accounts. reference: Cookie sessions; Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BrowserCookie, BrowserSession } from '../../src/ports/browser.ts';
import { type AccountSite, club, startAccountSite } from '../support/account-site.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { fixtures } from '../support/fixtures.ts';

let stand: ConnectStand;
let site: AccountSite;
/** The profile of the running browser, and the cookies that the gateway has set in it. */
let profile = '';
let given: string[] = [];

const session: BrowserSession = {
  userAgent: 'Test',
  get profile() {
    return profile;
  },
  closed: new Promise(() => {}),
  navigate: async () => {},
  cookies: async () => [],
  setCookies: async (cookies) => void given.push(...cookies.map(({ value }) => value)),
  openChannel: () => Promise.reject(new Error('no channel')),
  close: async () => {},
};
const browser = {
  status: () => 'on' as const,
  current: () => session,
  open: async () => session,
  forget: async () => {},
  remove: async () => {},
  reset: async () => {},
  close: async () => {},
};

beforeEach(async () => {
  profile = '';
  given = [];
  site = await startAccountSite();
  stand = await openConnectStand();
  await stand.reopen({}, { integrations: [...fixtures, club], browser });
});
afterEach(async () => {
  await stand.close();
  await site.close();
});

function cookiesOf(who: string, changes: Partial<BrowserCookie> = {}): BrowserCookie[] {
  const cookie = { domain: '127.0.0.1', path: '/', expires: -1, secure: false, httpOnly: true };
  return [{ name: 'sid', value: who, ...cookie, ...changes }];
}

const send = (name: string, who: string, more: object = {}, changes: Partial<BrowserCookie> = {}) =>
  stand.api('POST', `/api/integrations/${name}/session/import`, {
    session: cookiesOf(who, changes),
    instanceUrl: site.url,
    ...more,
  });
const read = async (name: string, query = '') => {
  const { status, body } = await stand.api('GET', `/api/integrations/${name}/session/export${query}`);
  return status === 200 ? body.session.cookies[0].value : [status, body.error];
};
const rows = (name: string) => stand.app.deps.store.connections.of(stand.ana.id, name);
const labels = async (name: string) => (await rows(name)).map(({ label }) => label);

describe('an imported session', () => {
  it('adds or renews the account that the person names, where the site names nobody', async () => {
    for (const [who, account] of [
      ['ana', 'private'],
      ['bea', 'work'],
      ['eve', 'work'],
    ] as const)
      expect(await send('jar', who, { account })).toMatchObject({ status: 200 });
    expect(await labels('jar')).toEqual(['private', 'work']);
    expect([await read('jar', '?account=private'), await read('jar', '?account=work')]).toEqual([
      'ana',
      'eve',
    ]);
  });

  it('is refused with the labels where it could belong to several accounts', async () => {
    await send('jar', 'ana', { account: 'private' });
    await send('jar', 'bea', { account: 'work' });
    const before = await rows('jar');
    expect(await send('jar', 'eve')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('"private", "work"') },
    });
    expect((await send('jar', 'eve', { account: ' ' })).status).toBe(400);
    expect(await rows('jar')).toEqual(before);
  });

  it('belongs to the account that the site names, without a label', async () => {
    await send('club', 'ana');
    await send('club', 'bea');
    expect((await send('club', 'bea', {}, { path: '/me' })).status).toBe(200);
    expect(await labels('club')).toEqual(['ana', 'bea']);
  });

  it('does not replace a session of its account that works when it has expired', async () => {
    await send('jar', 'ana', { account: 'private' });
    await send('jar', 'bea', { account: 'work' });
    const expired = await send('jar', 'eve', { account: 'work' }, { expires: 1 });
    expect(expired).toMatchObject({ status: 400, body: { error: expect.stringContaining('expired') } });
    expect(await read('jar', '?account=work')).toBe('bea');
  });

  it('has the instance of the account that it renews', async () => {
    await send('jar', 'ana', { account: 'private' });
    await send('jar', 'bea', { account: 'work', instanceUrl: `${site.url}/w` });
    await send('jar', 'eve', { account: 'work', instanceUrl: undefined });
    const { body } = await stand.api('GET', '/api/integrations/jar/session/export?account=work');
    expect(body.session.instanceUrl).toBe(`${site.url}/w`);
  });

  it('goes into the running browser only where that has the profile of its account', async () => {
    await send('jar', 'ana', { account: 'private' });
    await send('jar', 'bea', { account: 'work' });
    expect(given).toEqual(['ana']);
    profile = `jar ${(await rows('jar'))[1]?.account}`;
    await send('jar', 'eve', { account: 'private' });
    await send('jar', 'zoe', { account: 'work' });
    expect(given).toEqual(['ana', 'zoe']);
  });
});

describe('an exported session', () => {
  it('is that of the default account, unless another is named', async () => {
    await send('club', 'ana');
    expect(await read('club', '?account=ana')).toBe('ana');
    await send('club', 'bea');
    expect([await read('club'), await read('club', '?account=bea')]).toEqual(['ana', 'bea']);
    await stand.api('PATCH', '/api/connections/club/accounts/id-bea', { default: true });
    expect(await read('club')).toBe('bea');
  });

  it('is refused with the labels for an account that nobody has', async () => {
    await send('club', 'ana');
    expect(await read('club', '?account=eve')).toEqual([404, expect.stringContaining('"ana"')]);
    expect(await read('jar', '?account=eve')).toEqual([404, expect.any(String)]);
  });
});
