// The same on a phone: the site gets a phone's window and fingers.
import { describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../../support/http-server.ts';
import { middleOf, ROW } from '../../support/login-site-pages.ts';
import { type LiveSubject, openStage } from '../stage.ts';
import { axeViolations, photograph, scrollsSideways } from '../visit.ts';

const WIDE = `<!doctype html><meta name="viewport" content="width=1000"><body style="margin:0">
  <input aria-label="Far" style="position:absolute;box-sizing:border-box;left:600px;top:400px;width:300px;height:60px">`;
const PHONE = { theme: 'dark', width: 390 } as const;

export function itFitsPhones(subject: LiveSubject): void {
  const { site } = subject;

  describe('On a phone', () => {
    it('the site is as wide as the phone, and is touched', async () => {
      const stage = await openStage(subject, '/touch', { look: PHONE });
      const { x, y } = await stage.at(middleOf(0));
      await stage.page.touchscreen.tap(x, y);
      await site().reported('pointer touch 390');
      await stage.leave();
    });

    it('what keeps a site from being shown is said in letters that can be read there', async () => {
      const stage = await openStage(subject, '/touch', { look: PHONE });
      await stage.address.fill('http://127.0.0.1:65533/');
      await stage.address.press('Enter');
      // The control that was there reached further down than a sentence does.
      await stage.misses({ x: ROW.left + 1, y: ROW.top + ROW.height });
      // In those of a page made for desktops the sentence ends before.
      await stage.sees({ x: 150, y: 24 });
      await stage.leave();
    });

    it('a tap on a field brings the keyboard, whose words arrive', async () => {
      const stage = await openStage(subject, '/text', { look: PHONE });
      const { page } = stage;
      const typing = page.getByRole('textbox', { name: 'Type to the site' });
      expect(await typing.getAttribute('inputmode')).toBe('none');
      const { x, y } = await stage.at(middleOf(0));
      await page.touchscreen.tap(x, y);
      const field = page.getByRole('textbox', { name: 'Text', exact: true });
      await field.waitFor();
      expect(await field.getAttribute('inputmode')).toBe('text');
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Text');
      // As phones' keyboards do: no keys, only words.
      await page.keyboard.insertText('from a phone');
      const tell = await stage.at(middleOf(2));
      await page.touchscreen.tap(tell.x, tell.y);
      await site().reported('text from a phone');
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, 'live-dark-390');
      await stage.leave();
    });

    it('a date is typed in with the phone’s digits', async () => {
      const stage = await openStage(subject, '/date', { look: PHONE });
      const { page } = stage;
      const { x, y } = await stage.at({ x: ROW.left + 10, y: middleOf(0).y });
      await page.touchscreen.tap(x, y);
      const field = page.getByRole('textbox', { name: 'Day' });
      await field.waitFor();
      expect(await field.getAttribute('inputmode')).toBe('numeric');
      for (const digit of '12312020') await page.keyboard.insertText(digit);
      const tell = await stage.at(middleOf(1));
      await page.touchscreen.tap(tell.x, tell.y);
      await site().reported('day 2020-12-31');
      await stage.leave();
    });

    it('a page made for wider windows is hit where it is seen', async () => {
      const wide = await startHttpServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.end(WIDE);
      });
      onTestFinished(() => wide.close());
      const there = { ...subject, site: () => ({ ...site(), url: `http://127.0.0.1:${wide.port}` }) };
      const scale = PHONE.width / 1000;
      const stage = await openStage(there, '/', { look: PHONE, sees: { x: 600 * scale, y: 430 * scale } });
      const { x, y } = await stage.at({ x: 750 * scale, y: 430 * scale });
      await stage.page.touchscreen.tap(x, y);
      const field = stage.page.getByRole('textbox', { name: 'Far' });
      await field.waitFor();
      const [box, wanted] = [await field.boundingBox(), await stage.at({ x: 600 * scale, y: 400 * scale })];
      expect(Math.abs((box?.x ?? 0) - wanted.x)).toBeLessThan(4);
      expect(Math.abs((box?.y ?? 0) - wanted.y)).toBeLessThan(4);
      await stage.leave();
    });

    it('the Keyboard button brings it where the site has no field in focus', async () => {
      const stage = await openStage(subject, '/touch', { look: PHONE });
      const { page } = stage;
      await page.getByRole('button', { name: 'Keyboard' }).click();
      const typing = page.getByRole('textbox', { name: 'Type to the site' });
      expect(await typing.getAttribute('inputmode')).toBe('text');
      const hasFocus = () => page.evaluate('document.activeElement.ariaLabel');
      await expect.poll(hasFocus, { timeout: 15_000 }).toBe('Type to the site');
      await stage.leave();
    });
  });
}
