// Tests that a connect link, an agent and the page that asks keep the name of an account. reference: Several accounts
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfigOf } from '../../src/connections/model/config.ts';
import { createBrowser } from '../support/browser.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { call } from '../support/mcp.ts';
import { BASE } from '../support/test-app.ts';

let stand: ConnectStand;
let codes = 0;
beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

const connect = (args: object) => call(stand.app, stand.ana.keyHeader, 'connect', args);
const labels = async (integration = 'vaulted') =>
  (await stand.app.deps.store.connections.of(stand.ana.id, integration)).map(({ label }) => label);
const browse = () =>
  createBrowser({
    servers: { [BASE]: (request) => stand.app.fetch(request) },
    isApplication: ({ pathname }) => pathname === '/',
  });

/** Consents at the provider, and comes back in this browser. */
function consent(url: URL, browser = browse()) {
  const code = `code-${codes++}`;
  stand.provider.expect(code, url.searchParams.get('code_challenge') ?? '');
  const query = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' });
  return browser.open(`${BASE}/api/auth/plugin/vaulted/callback?${query}`);
}

describe('a connect link', () => {
  const redeem = (token: string) => stand.api('POST', '/api/connect/redeem', { token });

  it('connects the account that it names, and tells the portal its name', async () => {
    for (const account of ['Arbeit 🧰', 'home', 'home']) {
      const url = new URL(await stand.app.deps.links.create(stand.ana.id, 'vaulted', account));
      const token = url.searchParams.get('t') ?? '';
      const payload = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(payload.account).toBe(account);
      const { status, body } = await redeem(token);
      expect(status).toBe(200);
      await consent(new URL(body.url));
    }
    expect(await labels()).toEqual(['Arbeit 🧰', 'home']);
  });

  it('names no account unless it was made for one', async () => {
    const url = new URL(await stand.app.deps.links.create(stand.ana.id, 'vaulted'));
    expect(await stand.app.deps.links.read(url.searchParams.get('t') ?? '')).toEqual({
      id: expect.any(String),
      userId: stand.ana.id,
      integration: 'vaulted',
    });
  });
});

describe('connect', () => {
  it('starts the sign-in to the named account', async () => {
    for (const account of ['work', 'home', 'work'])
      await consent(new URL((await connect({ integration: 'vaulted', account })).url));
    expect(await labels()).toEqual(['work', 'home']);
  });

  it('names the account in the link and in the address of the key form', async () => {
    await stand.reopen({ CONNECT_VIA: 'portal' });
    for (const integration of ['vaulted', 'jar']) {
      const { url } = await connect({ integration, account: 'work & more' });
      const token = new URL(url).searchParams.get('t') ?? '';
      expect((await stand.app.deps.links.read(token))?.account).toBe('work & more');
    }
    const { url } = await connect({ integration: 'keyed', account: 'work & more' });
    expect(url).toBe(`${BASE}/integrations/keyed?connect=apikey&account=work%20%26%20more`);
  });

  it('refuses a name that cannot be used, and names for what has no sign-in', async () => {
    expect(await connect({ integration: 'vaulted', account: ' ' })).toEqual({
      error: 'The name of an account has 1 to 64 characters, and none that cannot be seen',
    });
    expect(await connect({ integration: 'echo', account: 'work' })).toEqual({
      error: 'Echo needs no sign-in, so it has no accounts. Leave "account" out.',
    });
  });
});

describe('the page that asks', () => {
  beforeEach(() => stand.reopen({ CONNECT_CONFIRM: 'unbound' }));

  async function ask(account?: string) {
    const browser = browse();
    const named = account === undefined ? {} : { account };
    const { url } = await connect({ integration: 'vaulted', ...named });
    return { browser, page: await consent(new URL(url), browser) };
  }

  it('shows the name, and the answer stores the account under it', async () => {
    for (const account of ['work', '<b>home</b>']) {
      const { browser, page } = await ask(account);
      expect(page.text).toContain('<dt>Name on this gateway</dt>');
      expect(page.text).toContain(`<bdi>${account.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</bdi>`);
      expect((await browser.submit(page)).url.hash).toBe('#connected=vaulted');
    }
    expect(await labels()).toEqual(['work', '<b>home</b>']);
  });

  it('shows no name where the person has given none', async () => {
    expect((await ask()).page.text).not.toContain('Name on this gateway');
  });

  it('is followed by a page when the account cannot be stored', async () => {
    const { browser, page } = await ask('work');
    for (let at = 0; at < 20; at++)
      await stand.app.deps.vault.save(stand.ana.id, 'vaulted', {
        accessToken: 'x',
        account: `account ${at}`,
      });
    const answered = await browser.submit(page);
    expect(answered.status).toBe(400);
    expect(answered.text).toContain('<h1>Vaulted is not connected</h1>');
    expect(answered.text).toContain('Disconnect one first.');
  });
});

it('signs in again at the instance of the named account', async () => {
  const client = { clientId: 'corp-id', clientSecret: 'corp-secret' };
  await stand.reopen({ VAULTED_INSTANCES: JSON.stringify({ [stand.provider.url]: client }) });
  await stand.comeBack(await stand.start('?account=home'));
  await stand.comeBack(await stand.start(`?account=work&instanceUrl=${stand.provider.url}`));
  expect((await stand.start('?account=work')).origin).toBe(stand.provider.url);
  expect((await stand.start('?account=home')).origin).toBe('https://vaulted.example');
  const stored = await stand.app.deps.store.connections.of(stand.ana.id, 'vaulted');
  expect(stored.map(readConfigOf)).toEqual([
    { instanceUrl: 'https://vaulted.example' },
    { instanceUrl: stand.provider.url },
  ]);
});
