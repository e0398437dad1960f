// Tests the live view on a phone: the site gets a phone's window and touch events.
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
    it('gives the site the width of the phone and touch events', async () => {
      const stage = await openStage(subject, '/touch', { look: PHONE });
      const { x, y } = await stage.at(middleOf(0));
      await stage.page.touchscreen.tap(x, y);
      await site().reported('pointer touch 390');
      await stage.leave();
    });

    it('shows the reason why a site cannot be shown in readable letters', async () => {
      const stage = await openStage(subject, '/touch', { look: PHONE });
      await stage.address.fill('http://127.0.0.1:65533/');
      await stage.address.press('Enter');
      // The control of the previous page reached further down than the sentence.
      await stage.misses({ x: ROW.left + 1, y: ROW.top + ROW.height });
      // On a page made for desktops, the letters are smaller and the sentence ends before this place.
      await stage.sees({ x: 150, y: 24 });
      await stage.leave();
    });

    it('opens the keyboard after a tap on a field, and passes its words on', async () => {
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
      // A phone's keyboard sends words without key events.
      await page.keyboard.insertText('from a phone');
      const tell = await stage.at(middleOf(2));
      await page.touchscreen.tap(tell.x, tell.y);
      await site().reported('text from a phone');
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, 'live-dark-390');
      await stage.leave();
    });

    it('types a date with the phone’s digits', async () => {
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

    it('taps a page made for wider windows where the person sees it', async () => {
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

    it('opens the keyboard with the Keyboard button when no field has the focus', async () => {
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
