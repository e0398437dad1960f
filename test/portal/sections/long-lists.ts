// Lists that are longer than the window: where one is in them is not lost.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { signIn, type Subject } from './subject.ts';

const MANY = 60;

export function itShowsLongLists(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const names = Array.from({ length: MANY }, (_, index) => `one-${String(index).padStart(2, '0')}`);

  /** What is found by the selector is in the window, and no bar lies over it. */
  const inSight = (page: Page, selector: string) =>
    page.evaluate<boolean>(`(() => {
      const { top, bottom, left } = document.querySelector('${selector}').getBoundingClientRect();
      const above = document.elementFromPoint(left + 4, (top + bottom) / 2);
      return above !== null && document.querySelector('${selector}').contains(above);
    })()`);

  describe('In a long list', () => {
    it('a jot that is deleted is said to be where it was', async () => {
      const { page, close } = await signIn(subject);
      const facts = { access: 'public', cors: false, files: 1, bytes: 1, updatedAt: 1 };
      const jots = names.map((name) => ({ name, url: `/j/${name}/`, ...facts }));
      await page.route('**/api/jots', (route) => route.fulfill({ json: { jots } }));
      await page.route('**/api/jots/*', (route) => route.fulfill({ json: {} }));
      await page.goto(at('/jots'));
      await page.getByRole('button', { name: 'Delete one-30' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('one-30 is deleted.').waitFor();
      await expect.poll(() => inSight(page, '.said:focus')).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('one-31');
      await close();
    });

    it('an agent that is revoked is said to be where it was', async () => {
      const { page, close } = await signIn(subject);
      const facts = { scopes: [], connected_since: 1, expires_at: 2 };
      const agents = names.map((name) => ({ client_id: name, client_name: name, ...facts }));
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
      await page.route('**/api/agents/*', (route) => route.fulfill({ json: {} }));
      await page.goto(at('/agents'));
      await page.getByRole('button', { name: 'Revoke one-30' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('one-30 is revoked.').waitFor();
      await expect.poll(() => inSight(page, '.said:focus')).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Revoke one-31');
      await close();
    });

    it('the agent that signed in last comes first', async () => {
      const { page, close } = await signIn(subject);
      const agents = [1, 3, 2].map((at) => {
        return {
          client_id: `c${at}`,
          client_name: `at ${at}`,
          scopes: [],
          connected_since: at,
          expires_at: 9,
        };
      });
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
      await page.goto(at('/agents'));
      await page.getByRole('heading', { name: 'at 1' }).waitFor();
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        'at 3',
        'at 2',
        'at 1',
      ]);
      await close();
    });

    it('the tool of the address is in sight', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=jira_get_issue'));
      await page.getByRole('heading', { name: 'jira_get_issue' }).waitFor();
      await expect.poll(() => inSight(page, '.finder-list [aria-current]')).toBe(true);
      expect(await page.evaluate('scrollY')).toBe(0);
      await close();
    });

    it('on a phone the way back from a tool leads to where it stands', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      await page.goto(at('/tools'));
      await page.getByRole('link', { name: /^jira_get_issue / }).click();
      await page.getByRole('heading', { name: 'jira_get_issue' }).waitFor();
      await page.getByRole('link', { name: 'All tools' }).click();
      await expect.poll(() => inSight(page, '.finder-list a:focus')).toBe(true);
      expect(await page.evaluate('document.activeElement.textContent')).toContain('jira_get_issue');
      await close();
    });
  });
}
