// Tests typing, pasting, filling in and copying in the live view.
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SITE_CODE, SITE_PASSWORD, SITE_USER } from '../../support/login-site.ts';
import { boxAt, middleOf } from '../../support/login-site-pages.ts';
import { edgeOf, type LiveSubject, openStage, type Stage } from '../stage.ts';

const TELL = 2;
const PATIENTLY = { timeout: 15_000 };

export function itTypes(subject: LiveSubject): void {
  const { site } = subject;

  /** Waits until the page reports this text in its text area. */
  async function expectText(stage: Stage, text: string): Promise<void> {
    await stage.click(middleOf(TELL));
    await site().reported(`text ${text}`);
  }

  async function openText(): Promise<Stage> {
    const stage = await openStage(subject, '/text');
    await stage.click(middleOf(0));
    await stage.page.getByRole('textbox', { name: 'Text', exact: true }).waitFor();
    return stage;
  }

  /** Fills a field as password managers do: sets its value and sends an input event. */
  const fillIn = (page: Page, value: string) =>
    page.evaluate(`(() => {
      document.activeElement.value = ${JSON.stringify(value)};
      document.activeElement.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);

  const inputMethod = (page: Page): Promise<CDPSession> => page.context().newCDPSession(page);

  describe('Typing', () => {
    it('types letters of any layout, Enter and Backspace', async () => {
      const stage = await openText();
      const { keyboard } = stage.page;
      await keyboard.type('Grüße, naïve café x');
      await keyboard.press('Backspace');
      await keyboard.press('Enter');
      await keyboard.type('2');
      await expectText(stage, 'Grüße, naïve café \n2');
      await stage.leave();
    });

    it('types é as one character, and nothing for a shortcut', async () => {
      const stage = await openText();
      const keys = await inputMethod(stage.page);
      for (const [key, code, modifiers] of [
        ['é', 'Digit2', 0],
        ['@', 'KeyQ', 3],
      ] as const) {
        const down = { key, code, modifiers, windowsVirtualKeyCode: 50 };
        await keys.send('Input.dispatchKeyEvent', {
          type: 'keyDown',
          ...down,
          text: modifiers === 0 ? key : '',
        });
        await keys.send('Input.dispatchKeyEvent', { type: 'keyUp', ...down });
      }
      // Ctrl and Alt without AltGraph form a shortcut, which types nothing.
      await expectText(stage, 'é');
      await stage.leave();
    });

    it('types the text of an input method once', async () => {
      const stage = await openText();
      const method = await inputMethod(stage.page);
      await method.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
      await method.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
      await method.send('Input.insertText', { text: '日本' });
      await site().reported('composed 日本');
      await stage.page.keyboard.type('!');
      await expectText(stage, '日本!');
      await stage.leave();
    });

    it('pastes whole texts, and puts texts copied on the site on the person’s clipboard', async () => {
      const stage = await openText();
      const { page } = stage;
      await page.evaluate(`navigator.clipboard.writeText('one\\ntwo “three”')`);
      await page.keyboard.press('Control+v');
      await page.keyboard.type('.');
      await expectText(stage, 'one\ntwo “three”.');
      await stage.click(middleOf(0));
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      await expect
        .poll(() => page.evaluate('navigator.clipboard.readText()'), PATIENTLY)
        .toBe('one\ntwo “three”.');
      await stage.leave();
    });

    it('pastes with the Paste button without asking for permission', async () => {
      const stage = await openText();
      const { page } = stage;
      await page.getByRole('button', { name: 'Paste' }).click();
      const dialog = page.getByRole('dialog', { name: 'Paste into the site' });
      await page.evaluate(`navigator.clipboard.writeText('by hand')`);
      await dialog.getByRole('textbox', { name: 'Text' }).press('Control+v');
      await dialog.waitFor({ state: 'hidden' });
      await expectText(stage, 'by hand');
      await stage.leave();
    });

    it('gives password managers a real field to fill', async () => {
      const stage = await openStage(subject, '/login');
      const { page } = stage;
      await stage.click(middleOf(0));
      const user = page.getByRole('textbox', { name: 'User name' });
      await user.waitFor();
      expect(await user.getAttribute('autocomplete')).toBe('username');
      await fillIn(page, 'somebody');
      await fillIn(page, SITE_USER);
      await stage.click(middleOf(1));
      const password = page.getByLabel('Password');
      await password.waitFor();
      expect(await password.getAttribute('type')).toBe('password');
      expect(await password.getAttribute('autocomplete')).toBe('current-password');
      const [box, wanted] = [await password.boundingBox(), await stage.at({ x: 20, y: 80 })];
      expect(Math.abs((box?.x ?? 0) - wanted.x)).toBeLessThan(4);
      expect(Math.abs((box?.y ?? 0) - wanted.y)).toBeLessThan(4);
      await fillIn(page, SITE_PASSWORD);
      await page.keyboard.press('Enter');
      await site().reported(JSON.stringify({ username: SITE_USER, password: SITE_PASSWORD, language: 'en' }));
      await stage.arrives(`${site().url}/code`);

      // Types six digits into boxes that focus the next box, then pastes all six into the first box.
      await stage.sees({ x: 21, y: 40 });
      await stage.click(boxAt(0));
      await page.getByRole('textbox', { name: 'Digit 1' }).waitFor();
      await page.keyboard.type('000000');
      await site().reported(JSON.stringify({ code: '000000' }));
      await stage.sees({ x: 21, y: 40 });
      await page.getByRole('textbox', { name: 'Type to the site' }).waitFor();
      await stage.click(boxAt(0));
      await page.getByRole('textbox', { name: 'Digit 1' }).waitFor();
      await page.evaluate(`navigator.clipboard.writeText('${SITE_CODE}')`);
      await page.keyboard.press('Control+v');
      await stage.arrives(`${site().url}/account`);
      await stage.leave();
    });

    it('moves within the site with Tab, and leaves the site with F6 and Shift+Escape', async () => {
      const stage = await openStage(subject, '/login');
      const { page } = stage;
      await stage.click(middleOf(0));
      await page.getByRole('textbox', { name: 'User name' }).waitFor();
      await page.keyboard.press('Tab');
      await page.getByLabel('Password').waitFor();
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Password');
      const focused = () => page.evaluate('document.activeElement.textContent');
      await page.keyboard.press('F6');
      expect(await focused()).toBe('Done');
      await stage.click(middleOf(0));
      await page.getByRole('textbox', { name: 'User name' }).waitFor();
      await page.keyboard.press('Shift+Escape');
      expect(await focused()).toBe('Done');
      await stage.leave();
    });

    it('goes back and reloads on the site', async () => {
      const stage = await openStage(subject, '/login');
      const { page } = stage;
      await stage.go('/select');
      await stage.misses(edgeOf(3));
      await page.getByRole('button', { name: 'Back' }).click();
      await stage.arrives(`${site().url}/login`);
      await stage.sees(edgeOf(3));
      const before = site().hits.filter((path) => path === '/login').length;
      await page.getByRole('button', { name: 'Reload' }).click();
      await expect
        .poll(() => site().hits.filter((path) => path === '/login').length, PATIENTLY)
        .toBe(before + 1);
      await stage.leave();
    });
  });
}
