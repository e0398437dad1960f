// Tests what people do about several accounts of one integration, with a gateway that pretends to have them.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../../portal/api/accounts.ts';
import type { Connection } from '../../../portal/api/integrations.ts';
import { expectSoundInEveryLook, fetchWhole } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const LONG = 'The account of the whole department that never sleeps and writes';
const ACCOUNTS: readonly Account[] = [
  { id: '1', label: 'ana', default: true, defaultForWrites: false, status: 'ok' },
  { id: '2', label: LONG, default: false, defaultForWrites: false, status: 'reconnect' },
  { id: 'team 3', label: 'W'.repeat(64), default: false, defaultForWrites: true, status: 'unverified' },
];

interface Sent {
  method: string;
  path: string;
  body: unknown;
}

/** Shows Linear with these accounts, and keeps what the page sends. */
async function pretend(
  page: Page,
  answer: (sent: Sent) => { status: number; json: unknown },
): Promise<Sent[]> {
  const sent: Sent[] = [];
  await page.route('**/api/connections', async (route) => {
    // A gateway that a test has stopped answers nothing, and neither does this.
    const response = await fetchWhole(route).catch(() => null);
    if (response === null) return route.abort();
    const { connections }: { connections: Connection[] } = await response.json();
    const changed = connections.map((row) =>
      row.name === 'linear'
        ? {
            ...row,
            connected: true,
            status: 'ok',
            way: 'oauth2',
            account: { id: '1', label: 'ana' },
            accounts: ACCOUNTS,
          }
        : row,
    );
    await route.fulfill({ response, json: { connections: changed } });
  });
  await page.route('**/api/connections/linear**', async (route) => {
    const request = route.request();
    const { pathname, search } = new URL(request.url());
    const one = { method: request.method(), path: pathname + search, body: request.postDataJSON() };
    sent.push(one);
    await route.fulfill(answer(one));
  });
  return sent;
}

const DONE = { status: 200, json: { success: true } };

export function itManagesAccounts(subject: Subject): void {
  async function open(page: Page): Promise<void> {
    await page.goto(`${subject.gateway().base}/integrations/linear?show=settings`);
    await page.getByRole('heading', { name: 'Accounts', level: 2 }).waitFor();
  }
  const row = (page: Page, label: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label, exact: true }) });

  describe('Several accounts', () => {
    it('are listed with their state and with what they are the default for', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, () => DONE);
      await open(page);
      expect(await row(page, 'ana').locator('.lamp-green').innerText()).toBe('Connected');
      expect(await row(page, LONG).locator('.lamp-red').innerText()).toBe('Reconnect');
      expect(await row(page, 'ana').locator('.account-mark').allInnerTexts()).toEqual(['Default']);
      expect(await row(page, 'W'.repeat(64)).locator('.account-mark').allInnerTexts()).toEqual([
        'Default for changes',
      ]);
      await page.getByRole('button', { name: 'Disconnect all' }).waitFor();
      await expectSoundInEveryLook(page, 'accounts');
      await close();
    });

    it('have one button in the head for the one that the provider refuses', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, () => DONE);
      await page.goto(`${subject.gateway().base}/integrations/linear`);
      await page.getByRole('tab', { name: 'Tools' }).waitFor();
      await page.getByRole('button', { name: `Reconnect ${LONG}` }).waitFor();
      await expectSoundInEveryLook(page, 'accounts-head');
      await page.goto(`${subject.gateway().base}/integrations`);
      await page.getByText('Signed in as ana, and 2 more').waitFor();
      await close();
    });

    it('can be chosen as defaults, renamed and disconnected one by one', async () => {
      const { page, close } = await signIn(subject);
      const sent = await pretend(page, () => DONE);
      await open(page);
      await page.getByRole('button', { name: `Make default: ${LONG}` }).click();
      await page.getByRole('button', { name: 'Default for changes: ana' }).click();
      await page.getByRole('button', { name: 'Rename ana', exact: true }).click();
      await row(page, 'ana').getByLabel('Name of the account').fill('work');
      await page.getByRole('button', { name: 'Save name' }).click();
      await row(page, 'ana').getByLabel('Name of the account').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: `Disconnect ${LONG}` }).click();
      await page.getByRole('dialog').getByText('The other accounts stay connected.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const query = new URLSearchParams({ account: LONG, revoke: 'true' });
      expect(sent).toEqual([
        { method: 'PATCH', path: '/api/connections/linear/accounts/2', body: { default: true } },
        { method: 'PATCH', path: '/api/connections/linear/accounts/1', body: { defaultForWrites: true } },
        { method: 'PATCH', path: '/api/connections/linear/accounts/1', body: { label: 'work' } },
        { method: 'DELETE', path: `/api/connections/linear?${query}`, body: null },
      ]);
      await close();
    });

    it('can be chosen in the explorer, which sends the label', async () => {
      const { page, close } = await signIn(subject);
      await pretend(page, () => DONE);
      const bodies: unknown[] = [];
      await page.route('**/rest/linear', async (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        bodies.push(route.request().postDataJSON());
        await route.fulfill({ json: { integration: 'linear', tool: 'linear_whoami', result: {} } });
      });
      await page.goto(`${subject.gateway().base}/tools?tool=linear_whoami`);
      const run = page.getByRole('button', { name: 'Run', exact: true });
      const choice = page.getByRole('combobox', { name: 'Account' });
      for (const label of ['', LONG]) {
        await choice.selectOption(label);
        await run.click();
        await expect.poll(() => bodies.length).toBe(label === '' ? 1 : 2);
      }
      const call = { tool: 'linear_whoami', args: {} };
      expect(bodies).toEqual([call, { ...call, account: LONG }]);
      await close();
    });

    it('keep what was typed when the gateway refuses a name', async () => {
      const { page, close } = await signIn(subject);
      const error = 'Another account is called ana already.';
      await pretend(page, () => ({ status: 409, json: { error } }));
      await open(page);
      await page.getByRole('button', { name: `Rename ${LONG}` }).click();
      const field = row(page, LONG).getByLabel('Name of the account');
      await field.fill('ana');
      await page.getByRole('button', { name: 'Save name' }).click();
      await row(page, LONG).getByText(error).waitFor();
      expect(await field.inputValue()).toBe('ana');
      await close();
    });
  });
}
