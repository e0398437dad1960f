// Tests how people add an account of an integration and renew one of several, with a gateway that pretends to have them.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../portal/api/accounts.ts';
import type { Connection } from '../../../portal/api/integrations.ts';
import { expectSoundInEveryLook, fetchWhole } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const LONG = 'W'.repeat(64);
const ACCOUNTS: Account[] = [
  { id: '1', label: 'ana', default: true, defaultForWrites: false, status: 'ok' },
  { id: '2', label: LONG, default: false, defaultForWrites: false, status: 'reconnect' },
];
const ANA = { id: '1', label: 'ana' };
const NAME = 'Name of the account';

/** Shows an integration with this row, whose operator has set up a client. */
async function pretend(page: Page, name: string, row: Omit<Connection, 'name' | 'connected'>): Promise<void> {
  await page.route('**/api/connections', async (route) => {
    // A gateway that a test has stopped answers nothing, and neither does this.
    const response = await fetchWhole(route).catch(() => null);
    if (response === null) return route.abort();
    const { connections }: { connections: Connection[] } = await response.json();
    const changed = connections.map((each) =>
      each.name === name ? { ...each, connected: true, ...row } : each,
    );
    await route.fulfill({ response, json: { connections: changed } });
  });
  await page.route('**/api/integrations', async (route) => {
    const response = await fetchWhole(route).catch(() => null);
    if (response === null) return route.abort();
    const { integrations }: { integrations: { name: string }[] } = await response.json();
    const changed = integrations.map((each) => (each.name === name ? { ...each, configured: true } : each));
    await route.fulfill({ response, json: { integrations: changed } });
  });
}

export function itAddsAccounts(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  /** Answers the start of a sign-in, and keeps the queries that the page sends. */
  async function keepStarts(page: Page, name: string): Promise<URLSearchParams[]> {
    const queries: URLSearchParams[] = [];
    await page.route(`**/api/auth/${name}**`, async (route) => {
      queries.push(new URL(route.request().url()).searchParams);
      await route.fulfill({ json: { type: 'oauth2', url: at('/tools') } });
    });
    return queries;
  }

  describe('Another account', () => {
    it('can be added to the only one, with a name or without', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'linear', { status: 'ok', way: 'oauth2', account: ANA });
      const queries = await keepStarts(page, 'linear');
      for (const name of ['', 'work']) {
        await page.goto(at('/integrations/linear?show=settings'));
        await page.getByRole('button', { name: 'Add another account' }).click();
        const dialog = page.getByRole('dialog', { name: 'Add an account of Linear' });
        const field = dialog.getByLabel(NAME);
        expect(await field.getAttribute('placeholder')).toBe('Named as Linear names it');
        await dialog.getByText('sign out there first').waitFor();
        if (name === '') await expectSoundInEveryLook(page, 'accounts-add');
        await field.fill(name);
        await dialog.getByRole('button', { name: 'Continue to Linear' }).click();
        await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor();
      }
      expect(queries.map(String)).toEqual(['', 'account=work']);
      await close();
    });

    it('is named after the gateway has asked, where the only one was to be replaced', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'redmine', { status: 'reconnect', way: 'apikey', account: ANA });
      const bodies: { account?: string }[] = [];
      await page.route('**/api/auth/apikey/redmine', async (route) => {
        bodies.push(route.request().postDataJSON());
        const error =
          'Redmine does not say which account this is for. Name it in "account": "ana" to renew one of them, or a new name to add one.';
        await route.fulfill(
          bodies.length === 1
            ? { status: 400, json: { error } }
            : { json: { success: true, status: 'unverified' } },
        );
      });
      await page.goto(at('/integrations/redmine?show=settings'));
      await page
        .getByRole('button', { name: /^(Replace|Reconnect)/ })
        .first()
        .click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel(NAME).count()).toBe(0);
      await dialog.getByLabel('Address of your Redmine').fill('https://redmine.example.com');
      await dialog.getByLabel('API access key').fill('key');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      const field = dialog.getByLabel(NAME);
      await dialog.getByText('Name it in "account"').waitFor();
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      await field.fill('ana');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await dialog.waitFor({ state: 'hidden' });
      expect(bodies.map(({ account }) => account)).toEqual([undefined, 'ana']);
      await close();
    });

    it('needs a name where the provider does not tell whose key it is', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'datadog', { status: 'unverified', way: 'apikey' });
      const bodies: unknown[] = [];
      await page.route('**/api/auth/apikey/datadog', async (route) => {
        bodies.push(route.request().postDataJSON());
        const error = 'The name of an account has 1 to 64 characters, and none that cannot be seen';
        await route.fulfill(
          bodies.length === 1 ? { status: 400, json: { error } } : { json: { success: true, status: 'ok' } },
        );
      });
      await page.goto(at('/integrations/datadog?show=settings'));
      await page.getByRole('button', { name: 'Add another account' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add an account of Datadog' });
      await dialog.getByLabel('Site').selectOption('datadoghq.eu');
      await dialog.getByLabel('API key').fill('the key');
      await dialog.getByLabel('Application key').fill('the other key');
      const save = dialog.getByRole('button', { name: 'Connect', exact: true });
      await save.click();
      await dialog.getByText('This is required.').waitFor();
      expect(bodies).toEqual([]);
      await expectSoundInEveryLook(page, 'accounts-add-key');
      await dialog.getByLabel(NAME).fill('staging');
      await save.click();
      await dialog.getByText('none that cannot be seen').waitFor();
      expect(await dialog.getByLabel(NAME).getAttribute('aria-invalid')).toBe('true');
      await save.click();
      await dialog.waitFor({ state: 'detached' });
      const values = { site: 'datadoghq.eu', apiKey: 'the key', applicationKey: 'the other key' };
      const sent = { values, account: 'staging' };
      expect(bodies).toEqual([sent, sent]);
      await close();
    });

    it('is named with the session that a person imports', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'jenkins', { status: 'ok', way: 'cookie', accounts: ACCOUNTS, account: ANA });
      const bodies: unknown[] = [];
      await page.route('**/api/integrations/jenkins/session/import', async (route) => {
        bodies.push(route.request().postDataJSON());
        await route.fulfill({ json: { success: true, cookieCount: 1 } });
      });
      const named = new URLSearchParams({ connect: 'session', account: LONG });
      for (const query of [named.toString(), 'connect=session&account=work']) {
        await page.goto(at(`/integrations/jenkins?${query}`));
        const dialog = page.getByRole('dialog', { name: 'Import a session' });
        await dialog.getByLabel('Session as JSON').fill('[]');
        if (query !== named.toString()) expect(await dialog.getByLabel(NAME).inputValue()).toBe('work');
        else expect(await dialog.getByLabel(NAME).count()).toBe(0);
        await dialog.getByRole('button', { name: 'Import', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      expect(bodies).toEqual([
        { session: [], account: LONG },
        { session: [], account: 'work' },
      ]);
      await close();
    });
  });

  describe('One of several accounts', () => {
    it('is renewed with its own button, and its name is sent', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'linear', { status: 'reconnect', way: 'oauth2', account: ANA, accounts: ACCOUNTS });
      const queries = await keepStarts(page, 'linear');
      await page.goto(at('/integrations/linear?show=settings'));
      await page.getByRole('heading', { name: 'Accounts', level: 2 }).waitFor();
      await expectSoundInEveryLook(page, 'accounts-several');
      expect(await page.getByRole('button', { name: 'Reconnect', exact: true }).count()).toBe(0);
      // The head of the page has the same button.
      const accounts = page.getByRole('region', { name: 'Accounts' });
      await accounts.getByRole('button', { name: `Reconnect ${LONG}` }).click();
      const dialog = page.getByRole('dialog', { name: `Reconnect ${LONG}` });
      expect(await dialog.getByLabel(NAME).count()).toBe(0);
      await expectSoundInEveryLook(page, 'accounts-renew');
      await dialog.getByRole('button', { name: 'Continue to Linear' }).click();
      await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor();
      expect(queries.map((query) => query.get('account'))).toEqual([LONG]);
      await close();
    });

    it.each([
      [LONG, `This renews your account “${LONG}” of Linear.`],
      ['Büro 🧰', 'This adds “Büro 🧰” to your accounts of Linear.'],
    ])("is named on the page of an agent's link for %s", async (account, words) => {
      const { page, close } = await signIn(subject);
      await pretend(page, 'linear', { status: 'ok', way: 'oauth2', account: ANA, accounts: ACCOUNTS });
      const payload = Buffer.from(JSON.stringify({ integration: 'linear', account })).toString('base64url');
      await page.goto(at(`/connect?t=head.${payload}.signature`));
      await page.getByText(words, { exact: true }).waitFor();
      await expectSoundInEveryLook(page, `accounts-link-${account.slice(0, 3)}`);
      await close();
    });
  });
}
