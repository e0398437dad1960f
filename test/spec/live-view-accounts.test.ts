// Tests signing in to several accounts of one site, each in a browser profile of its own. reference: Several accounts; Live view
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type AccountSite, club, startAccountSite } from '../support/account-site.ts';
import { describeInChromium } from '../support/chromium.ts';
import { fixtures } from '../support/fixtures.ts';
import { createViewer, type LiveGateway, openLiveGateway } from '../support/live-viewer.ts';
import { call } from '../support/mcp.ts';
import type { TestUser } from '../support/test-app.ts';

let site: AccountSite;
let gateway: LiveGateway;
let ana: TestUser;
let users = 0;

beforeAll(async () => {
  site = await startAccountSite();
  gateway = await openLiveGateway({ ports: { integrations: [...fixtures, club] } });
});
afterAll(async () => {
  await gateway?.close();
  await site?.close();
});
beforeEach(async () => {
  site.seen.length = 0;
  ana = await gateway.app.user(`ana${++users}@example.com`);
});

async function api(method: string, path: string) {
  const response = await gateway.app.request(path, { method, headers: ana.sessionHeader });
  // Tests read any member of the response.
  return { status: response.status, body: (await response.json()) as any }; // oxlint-disable-line typescript/no-explicit-any
}

const named = (account?: string) => (account === undefined ? '' : `&account=${encodeURIComponent(account)}`);
const begin = (account?: string, name = 'jar') =>
  api('GET', `/api/auth/${name}?instanceUrl=${encodeURIComponent(site.url)}${named(account)}`);
const capture = (account?: string, name = 'jar') =>
  api('POST', `/api/auth/cookie/${name}/capture?${named(account)}`);
const browser = () => gateway.app.deps.browser;
const rows = (name = 'jar') => gateway.app.deps.store.connections.of(ana.id, name);
/** Signs in on the page that the browser shows. */
const signInAs = (who: string) => browser()?.current(ana.id)?.navigate(`${site.url}/in/${who}`);
const cookiesNow = async () =>
  (await browser()?.current(ana.id)?.cookies())?.map(({ name, value }) => `${name}=${value}`);

async function connect(who: string, account?: string, name = 'jar'): Promise<void> {
  expect(await begin(account, name)).toMatchObject({ status: 200 });
  await signInAs(who);
  await expect.poll(cookiesNow).toContain(`sid=${who}`);
  expect(await capture(account, name)).toMatchObject({ status: 200, body: { success: true } });
}

/** The account that a call with this label uses at the site. */
async function whoIs(account?: string): Promise<string> {
  const named = account === undefined ? {} : { account };
  const { results } = await call(gateway.app, ana.keyHeader, 'execute_tools', {
    executions: [{ tool: 'jar_get', args: { path: '/account' }, ...named }],
  });
  return results[0].result?.body ?? results[0].error;
}

/** The profiles of further accounts on disk. */
const otherProfiles = () =>
  readdir(join(gateway.app.folder, 'browsers', hashOf(ana.id), 'accounts')).catch(() => []);
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

describeInChromium('two accounts of one site', () => {
  it('sign in with different cookies, and each opens its own profile again', async () => {
    await connect('ana');
    await connect('bea', 'work');
    expect(await otherProfiles()).toHaveLength(1);
    expect([await whoIs('Account'), await whoIs('work'), await whoIs()]).toEqual([
      '<p>ana',
      '<p>bea',
      '<p>ana',
    ]);
    site.seen.length = 0;
    await begin('work');
    await begin('Account');
    await begin('work');
    await expect.poll(() => site.seen).toEqual(['sid=bea', 'sid=ana', 'sid=bea']);
  });

  it('have to be named where there are several', async () => {
    await connect('ana');
    await connect('bea', 'work');
    const before = browser()?.current(ana.id);
    const refused = await begin();
    expect(refused).toEqual({ status: 409, body: { error: expect.stringContaining('"Account", "work"') } });
    expect((await begin('x'.repeat(65))).status).toBe(400);
    expect(browser()?.current(ana.id)).toBe(before);
  });

  it.each(['?account=work&revoke=true', '?account=work'])(
    'stay apart when one is disconnected with %s',
    async (query) => {
      await connect('ana');
      await connect('bea', 'work');
      expect((await api('DELETE', `/api/connections/jar${query}`)).status).toBe(200);
      expect(browser()?.status(ana.id)).toBe('off');
      expect(await otherProfiles()).toEqual([]);
      expect(await whoIs()).toBe('<p>ana');
      site.seen.length = 0;
      await begin();
      await begin('work');
      await expect.poll(() => site.seen).toEqual(['sid=ana', undefined]);
    },
  );

  it('keep the sign-in of the further one when the first is disconnected', async () => {
    await connect('ana');
    await connect('bea', 'work');
    await api('DELETE', '/api/connections/jar?account=Account&revoke=true');
    site.seen.length = 0;
    await begin();
    await expect.poll(() => site.seen).toEqual(['sid=bea']);
    expect(await capture()).toMatchObject({ status: 200 });
    expect((await rows()).map(({ label }) => label)).toEqual(['work']);
  });

  it('are all signed out by a reset of the browser', async () => {
    await connect('ana');
    await connect('bea', 'work');
    expect((await api('POST', '/api/browser-session/reset')).status).toBe(200);
    site.seen.length = 0;
    await begin('work');
    await begin('Account');
    await expect.poll(() => site.seen).toEqual([undefined, undefined]);
  });
});

describeInChromium('a sign-in to a new account', () => {
  it('starts without the cookies of one that was never finished', async () => {
    await connect('ana');
    await begin('work');
    await signInAs('bea');
    await begin('home');
    await begin('work');
    await expect.poll(() => site.seen).toEqual([undefined, undefined, undefined, undefined]);
    expect(await otherProfiles()).toHaveLength(1);
  });

  it('keeps its page when the person loads the live view again', async () => {
    await connect('ana');
    const answers = await Promise.all([begin('work'), begin('work')]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    await signInAs('bea');
    await begin('work');
    await expect.poll(() => site.seen.at(-1)).toBe('sid=bea');
  });

  it('renews the account that the site names, and keeps no second profile of it', async () => {
    await connect('ana', undefined, 'club');
    await connect('bea', 'work', 'club');
    const before = await rows('club');
    await connect('bea', 'third', 'club');
    const after = await rows('club');
    expect(after.map(({ account, label }) => [account, label])).toEqual([
      ['', 'ana'],
      ['browser-1', 'work'],
    ]);
    expect(after.map(({ cookies }, at) => cookies === before[at]?.cookies)).toEqual([true, false]);
    expect(await otherProfiles()).toEqual([hashOf('club browser-1')]);
  });

  it('leaves nothing in the profile of the only account when the site names another one', async () => {
    await connect('ana', undefined, 'club');
    await connect('bea', undefined, 'club');
    expect((await rows('club')).map(({ account_id }) => account_id)).toEqual(['id-ana', 'id-bea']);
    site.seen.length = 0;
    await begin('ana', 'club');
    await begin('bea', 'club');
    await expect.poll(() => site.seen).toEqual([undefined, undefined]);
  });
});

describeInChromium('a viewer that shows an account', () => {
  it('captures nothing of another account that the browser has opened meanwhile', async () => {
    await connect('ana');
    await begin('work');
    await signInAs('bea');
    await begin('Account');
    expect(await capture('work')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Start connecting again') },
    });
    expect(await rows()).toHaveLength(1);
  });

  it('drives the browser of its own account only, and learns from its stream when that has ended', async () => {
    await connect('ana');
    await begin('work');
    const viewer = createViewer(gateway, ana, '/api/auth/cookie/jar/cdp');
    const stream = await viewer.open();
    const command = { id: 1, method: 'Target.getTargets', params: {} };
    const send = () => viewer.post(`commands?account=work`, command);
    expect([(await send()).status, (await viewer.ask(stream, 'Target.getTargets')).error]).toEqual([
      202,
      undefined,
    ]);
    await begin('Account');
    expect(await stream.closed).toBe('browser-ended');
    const later = await viewer.open();
    const answer = await send();
    expect([answer.status, await answer.json()]).toEqual([202, { sent: 0 }]);
    expect(await later.closed).toBe('browser-ended');
    expect(browser()?.current(ana.id)?.profile).toBe('');
  });

  // Seven browsers start one after the other.
  it('gets an answer, whichever of two accounts is opened last', { timeout: 120_000 }, async () => {
    await connect('ana');
    await connect('bea', 'work');
    const profiles: Record<string, string> = { Account: '', work: 'jar browser-1' };
    const labels = ['Account', 'work', 'Account', 'work'];
    const answers = await Promise.all(labels.map((label) => begin(label)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    // Each request looks its address up first, so nothing orders those that run at once. Whichever opened the browser last
    // has it.
    const opened = labels.filter((_, at) => answers[at]?.status === 200).map((label) => profiles[label]);
    const shown = browser()?.current(ana.id)?.profile;
    expect(opened).toContain(shown);
    const other = shown === profiles['work'] ? 'Account' : 'work';
    expect(await begin(other)).toMatchObject({ status: 200 });
    expect(browser()?.current(ana.id)?.profile).toBe(profiles[other]);
  });
});
