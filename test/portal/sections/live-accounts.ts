// Tests that a live view names the account that it is for, and drives the browser of that account only.
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import type { LiveSubject } from '../stage.ts';
import { axeViolations, photograph, scrollsSideways } from '../visit.ts';
import { DESKTOP, signIn } from './subject.ts';

const LONG = 'The account of the whole department that never sleeps and writes';

export function itNamesAccounts(subject: LiveSubject): void {
  const { gateway, site } = subject;

  /** Opens the live view as a form does that asks for the account. */
  async function open(page: Page, account: string): Promise<void> {
    await page.evaluate((start) => sessionStorage.setItem('svc_live', start), start(account));
    await page.goto(`${gateway().base}/live/jenkins`);
  }
  const start = (account: string) =>
    JSON.stringify({ integration: 'jenkins', instanceUrl: site().url, token: '', account });
  const title = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();

  async function importSession(account: string): Promise<void> {
    const cookie = { name: 'own', value: 'v', domain: '127.0.0.1', path: '/' };
    const answer = await gateway().request('/api/integrations/jenkins/session/import', {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway().session}`, 'content-type': 'application/json' },
      body: JSON.stringify({ session: [cookie], instanceUrl: site().url, account }),
    });
    expect(answer.status).toBe(200);
  }

  describe('Several accounts', () => {
    afterAll(async () => {
      const headers = { authorization: `Bearer ${gateway().session}` };
      await gateway().request('/api/connections/jenkins', { method: 'DELETE', headers });
    });

    it('are named by the live view, and a window stops when another account is opened', async () => {
      await importSession('home');
      const { page, close } = await signIn(subject, DESKTOP);
      const sent: string[] = [];
      page.on('request', (request) =>
        sent.push(new URL(request.url()).pathname + new URL(request.url()).search),
      );
      await open(page, 'work');
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await title(page)).toBe('Sign in to Jenkins as work');
      expect(sent).toContain('/api/auth/cookie/jenkins/cdp/commands?account=work');
      expect(await axeViolations(page)).toEqual([]);

      const other = await page.context().newPage();
      await other.goto(`${gateway().base}/integrations/jenkins?show=settings`);
      await open(other, 'home');
      await other.getByText('Live', { exact: true }).waitFor();
      expect(await title(other)).toBe('Sign in to Jenkins as home');
      await other.close();
      await page.getByRole('heading', { name: 'The browser has closed' }).waitFor();
      await page.getByRole('button', { name: 'Start again' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'I’m signed in' }).click();
      await page.getByText('not signed in to Jenkins yet').waitFor();
      expect(sent).toContain('/api/auth/cookie/jenkins/capture?account=work');
      await close();
    });

    it.each([1440, 390])('fit a window of %i pixels by the longest name', async (width) => {
      const { page, close } = await signIn(subject, { theme: width === 390 ? 'dark' : 'light', width });
      await open(page, LONG);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await title(page)).toContain(LONG);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `live-account-${width}`);
      await close();
    });
  });
}
