// Tests lists that are longer than the window: searching them, and keeping the person's place.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pretendJot } from '../pretended-jots.ts';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const MANY = 60;

export function itShowsLongLists(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const names = Array.from({ length: MANY }, (_, index) => `one-${String(index).padStart(2, '0')}`);

  /** Tells whether the element is in the window and no bar covers it. */
  const inSight = (page: Page, selector: string) =>
    page.evaluate<boolean>(`(() => {
      const { top, bottom, left } = document.querySelector('${selector}').getBoundingClientRect();
      const above = document.elementFromPoint(left + 4, (top + bottom) / 2);
      return above !== null && document.querySelector('${selector}').contains(above);
    })()`);

  /** Opens a page with that many jots, each with its own link. */
  async function openJots(page: Page, names: string[]): Promise<void> {
    const jots = names.map((name) => ({ ...pretendJot(name), url: at(`/j/${name}/`) }));
    await page.route('**/api/jots', (route) => route.fulfill({ json: { jots } }));
    await page.route('**/api/jots/*', (route) => route.fulfill({ json: {} }));
    await page.goto(at('/jots'));
    await page.getByRole('heading', { name: names[0] ?? 'Jots' }).waitFor();
  }

  async function openAgents(page: Page, names: string[]): Promise<void> {
    const facts = { scopes: ['mcp'], connected_since: 1, expires_at: 2, limits: {}, last_used_at: null };
    const agents = names.map((name, index) => ({ client_id: `c${index}`, client_name: name, ...facts }));
    await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
    await page.goto(at('/agents'));
    await page.getByRole('heading', { name: names[0] ?? 'Agents' }).waitFor();
  }

  describe('A search', () => {
    it('finds a jot by "/" and a part of its name, and keeps the search on the way back', async () => {
      const { page, complaints, close } = await signIn(subject);
      await openJots(page, names);
      await page.getByText('60 jots', { exact: true }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('ONE-3');
      await page.getByRole('status').getByText('10 of 60 jots').waitFor();
      expect(
        await page
          .getByRole('listitem')
          .filter({ has: page.getByRole('heading') })
          .count(),
      ).toBe(10);
      await expectSoundInEveryLook(page, 'jots-search');
      await page.waitForURL(/q=ONE-3/);
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('status').getByText('10 of 60 jots').waitFor();
      expect(await page.getByRole('searchbox', { name: 'Search jots' }).inputValue()).toBe('ONE-3');
      expect(complaints).toEqual([]);
      await close();
    });

    it('finds a jot by its link', async () => {
      const { page, close } = await signIn(subject);
      await openJots(page, names);
      const search = page.getByRole('searchbox', { name: 'Search jots' });
      await search.fill(at('/j/one-42/'));
      await page.getByRole('status').getByText('1 of 60 jots').waitFor();
      await page.getByRole('heading', { name: 'one-42' }).waitFor();
      // The gateway's name matches no jot.
      await search.fill(new URL(at('/')).hostname);
      await page.getByText(/^No jot matches/).waitFor();
      await close();
    });

    it('says that nothing was found, and shows the list again with the focus in the field', async () => {
      const { page, close } = await signIn(subject);
      await openAgents(page, [...names, 'Claude Code', 'סוכן עברי']);
      const search = page.getByRole('searchbox', { name: 'Search agents' });
      await search.fill('עברי');
      await page.getByRole('heading', { name: 'סוכן עברי' }).waitFor();
      await search.fill('code claude');
      await page.getByRole('status').getByText('1 of 63 agents').waitFor();
      await search.fill('zzz');
      await page.getByText('No agent matches “zzz”').waitFor();
      await page.getByRole('status').getByText('0 of 63 agents').waitFor();
      await expectSoundInEveryLook(page, 'agents-search-none');
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('63 agents', { exact: true }).waitFor();
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await close();
    });

    it('clears the search with a button that is large enough for a thumb', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      await openAgents(page, names);
      const search = page.getByRole('searchbox', { name: 'Search agents' });
      expect(await page.getByRole('button', { name: 'Clear' }).count()).toBe(0);
      await search.fill('one-07');
      const clear = page.getByRole('button', { name: 'Clear' });
      const box = await clear.boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(44);
      expect(box?.height).toBeGreaterThanOrEqual(44);
      await clear.tap();
      await page.getByText('61 agents', { exact: true }).waitFor();
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await close();
    });

    it('shows no search field above a short list', async () => {
      const { page, close } = await signIn(subject);
      // The personal key is the tenth.
      await openAgents(page, names.slice(0, 9));
      expect(await page.getByRole('searchbox').count()).toBe(0);
      await openJots(page, names.slice(0, 10));
      expect(await page.getByRole('searchbox').count()).toBe(0);
      await openJots(page, names.slice(0, 11));
      expect(await page.getByRole('searchbox').count()).toBe(1);
      await close();
    });

    it('stays when its last match is deleted, and says what happened', async () => {
      const { page, close } = await signIn(subject);
      await openJots(page, names.slice(0, 11));
      await page.getByRole('searchbox').fill('one-07');
      await page.getByText('1 of 11 jots').waitFor();
      await page.getByRole('button', { name: 'Delete one-07' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('one-07 is deleted.').waitFor();
      await page.getByText('0 of 10 jots').waitFor();
      await expect.poll(() => inSight(page, '.outcome-line:focus')).toBe(true);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('heading', { name: 'one-00' }).waitFor();
      expect(await page.getByText('one-07 is deleted.').count()).toBe(0);
      await close();
    });
  });

  it('shows right-to-left text from right to left', async () => {
    const { page, close } = await signIn(subject);
    const call = { id: 1, integration: 'time', tool: 'time_now', action: 'EXECUTE', success: false };
    const entries = [{ ...call, error: 'הבקשה נדחתה.', duration_ms: 1, created_at: 1 }];
    await page.route('**/api/audit?*', (route) => route.fulfill({ json: { entries } }));
    // The last character stands on the left.
    const endsLeft = (selector: string) =>
      page.evaluate<boolean>(`(() => {
        const text = document.querySelector('${selector}').firstChild;
        const left = (at) => {
          const range = new Range();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().left;
        };
        return left(text.length - 1) < left(0);
      })()`);
    await page.goto(at('/activity'));
    await page.getByText('הבקשה נדחתה').waitFor();
    expect(await endsLeft('.call-error')).toBe(true);
    await openAgents(page, ['סוכן!']);
    expect(await endsLeft('.caller-card h2 a')).toBe(true);
    await close();
  });

  describe('In a long list', () => {
    it('announces a deleted jot in its place', async () => {
      const { page, close } = await signIn(subject);
      await openJots(page, names);
      await page.getByRole('button', { name: 'Delete one-30' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('one-30 is deleted.').waitFor();
      await expect.poll(() => inSight(page, '.outcome-line:focus')).toBe(true);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('one-31');
      await close();
    });

    it('announces a disconnected agent on its page, and no longer lists it', async () => {
      const { page, close } = await signIn(subject);
      const facts = { scopes: [], connected_since: 1, expires_at: 2, limits: {}, last_used_at: null };
      let agents = names.map((name) => ({ client_id: name, client_name: name, ...facts }));
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
      await page.route('**/api/agents/*', (route) => {
        agents = agents.filter(({ client_id }) => client_id !== 'one-30');
        return route.fulfill({ json: {} });
      });
      await page.goto(at('/agents'));
      await page.getByRole('link', { name: 'one-30', exact: true }).click();
      await page.getByRole('button', { name: 'Disconnect one-30' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('one-30 is disconnected.').waitFor();
      await expect.poll(() => inSight(page, 'h1:focus')).toBe(true);
      await page.getByRole('main').getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByText('60 agents', { exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'one-30', exact: true }).count()).toBe(0);
      await close();
    });

    it('lists the newest sign-in first', async () => {
      const { page, close } = await signIn(subject);
      const agents = [1, 3, 2].map((at) => {
        return {
          client_id: `c${at}`,
          client_name: `at ${at}`,
          scopes: [],
          connected_since: at,
          expires_at: 9,
          limits: {},
          last_used_at: null,
        };
      });
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents } }));
      await page.goto(at('/agents'));
      await page.getByRole('heading', { name: 'at 1' }).waitFor();
      expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
        'at 3',
        'at 2',
        'at 1',
        'Personal key',
      ]);
      await close();
    });

    it('keeps the question open after a double click on the button that asks', async () => {
      const { page, close } = await signIn(subject);
      await openJots(page, names);
      await page.getByRole('button', { name: 'Delete one-30' }).dblclick();
      const question = page.getByRole('dialog', { name: 'Delete one-30?' });
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('one-30 is deleted.').waitFor();
      await close();
    });

    it('does not answer a question that opens under a double click', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      await openJots(page, names);
      const ask = page.getByRole('button', { name: 'Delete one-30' });
      await ask.click();
      const question = page.getByRole('dialog', { name: 'Delete one-30?' });
      const answer = await question.getByRole('button', { name: 'Delete' }).boundingBox();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      // Scrolls the Delete button to the place where the dialog's Delete button appears, above the tabs.
      const y = (answer?.y ?? 0) + 2;
      const before = await ask.boundingBox();
      await page.evaluate(`scrollBy(0, ${(before?.y ?? 0) + (before?.height ?? 0) - 4 - y})`);
      const x = (before?.x ?? 0) + 10;
      await page.mouse.dblclick(x, y);
      await question.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('one-30 is deleted.').waitFor();
      await close();
    });

    it('returns to the same place in the list, even at its end', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      // No test asks a real server.
      await page.route('**/api/imports/preview', () => undefined);
      await page.getByRole('button', { name: /^Show all / }).click();
      const last = page.locator('.card').last().getByRole('link');
      await last.scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      const before = await page.evaluate('scrollY');
      await last.click();
      await page.getByRole('heading', { name: 'Add a service', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Needs setup' }).waitFor();
      await expect.poll(() => page.evaluate('scrollY')).toBe(before);
      await close();
    });

    it('searches an integration’s tools when there are many', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/github'));
      await page.getByRole('searchbox', { name: 'Search tools' }).fill('branch delete');
      await page
        .getByRole('status')
        .getByText(/^1 of \d+ tools$/)
        .waitFor();
      await page.getByRole('link', { name: 'github_delete_branch' }).waitFor();
      await page.goto(at('/integrations/time'));
      await page.getByRole('link', { name: 'time_now' }).waitFor();
      expect(await page.getByRole('searchbox').count()).toBe(0);
      await close();
    });

    it('scrolls the chosen tool into view', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=jira_get_issue'));
      await page.getByRole('heading', { name: 'jira_get_issue' }).waitFor();
      await expect.poll(() => inSight(page, '.finder-list [aria-current]')).toBe(true);
      expect(await page.evaluate('scrollY')).toBe(0);
      await close();
    });

    it('returns from a tool to its place in the list on a phone', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      await page.goto(at('/tools?tool=jira_get_issue'));
      await page.getByRole('heading', { name: 'jira_get_issue' }).waitFor();
      await page.getByRole('link', { name: 'All tools' }).click();
      await expect.poll(() => inSight(page, '.finder-list a:focus')).toBe(true);
      expect(await page.evaluate('document.activeElement.textContent')).toContain('jira_get_issue');
      await close();
    });
  });
}
