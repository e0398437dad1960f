// Tests the command palette and the list of shortcuts.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itGoesAnywhere(subject: Subject): void {
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to or run' });
  const chosen = (page: Page) => palette(page).locator('[aria-selected="true"]');

  async function open() {
    const visitor = await signIn(subject);
    await visitor.page.keyboard.press('Control+k');
    await palette(visitor.page).waitFor();
    return visitor;
  }

  describe('The command palette', () => {
    it('goes to a page, an integration and a tool by keyboard alone', async () => {
      const { page, settled, complaints, close } = await open();
      await expectSoundInEveryLook(page, 'palette');
      await page.keyboard.type('activ');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
      await palette(page).waitFor({ state: 'detached' });

      await page.keyboard.press('Meta+k');
      await palette(page).waitFor();
      await page.keyboard.type('datadgo');
      await palette(page).getByRole('option', { name: 'Datadog', exact: true }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'palette-found');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Datadog', level: 1 }).waitFor();

      await page.keyboard.press('Control+k');
      await palette(page).waitFor();
      await page.keyboard.type('what time is it in another city');
      await palette(page)
        .getByRole('option', { name: /^time_/ })
        .first()
        .waitFor();
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowDown');
      const label = (await chosen(page).locator('.palette-label').textContent()) ?? '';
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: label, level: 2 }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('runs an action, says when nothing is called so, and gives the focus back', async () => {
      const { page, close } = await open();
      await page.keyboard.type('zzzzqqqq');
      await palette(page).getByText('No results for “zzzzqqqq”').waitFor();
      await page.keyboard.press('Escape');
      await palette(page).waitFor({ state: 'detached' });
      const button = page.getByRole('button', { name: 'Search', exact: true });
      await button.click();
      await page.keyboard.type('dark theme');
      await page.keyboard.press('Enter');
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      expect(await page.evaluate<string>('document.activeElement.innerText')).toMatch(/^Search/);
      await close();
    });

    it('is closed by a button on phones, where its field says only “Search”', async () => {
      const { page, close } = await signIn(subject);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'Search', exact: true }).click();
      await palette(page).getByPlaceholder('Search', { exact: true }).waitFor();
      await palette(page).getByRole('button', { name: 'Close' }).click();
      await palette(page).waitFor({ state: 'detached' });
      await close();
    });

    it('lists the shortcuts', async () => {
      const { page, close } = await signIn(subject);
      await page.keyboard.press('?');
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
      await expectSoundInEveryLook(page, 'shortcuts');
      await page.keyboard.press('Escape');
      // A question mark in a field is a letter.
      await page.getByRole('searchbox', { name: 'Search integrations' }).fill('what?');
      await page.keyboard.press('Shift+?');
      expect(await page.getByRole('heading', { name: 'Keyboard shortcuts' }).count()).toBe(0);
      await close();
    });
  });
}
