// Tests what a picture lacks: frames of other sites, pop-ups, tabs, native lists, dialogs, downloads, uploads.
import { describe, expect, it } from 'vitest';
import { renderers } from '../../support/browser-processes.ts';
import { middleOf } from '../../support/login-site-pages.ts';
import { edgeOf, type LiveSubject, openStage, type Place } from '../stage.ts';
import { axeViolations, photograph } from '../visit.ts';

/** The place of the other site's frame in its page. */
const FRAME: Place = { x: 300, y: 100 };
const inFrame = ({ x, y }: Place): Place => ({ x: x + FRAME.x, y: y + FRAME.y });

/** `folder` holds the gateway's browser profiles. */
export function itShowsPages(subject: LiveSubject, folder: () => string): void {
  const { site } = subject;

  describe('The site’s own pages', () => {
    it('types into a frame of another site', async () => {
      const stage = await openStage(subject, '/frame', { sees: inFrame(edgeOf(0)) });
      const { page } = stage;
      await stage.click(inFrame(middleOf(0)));
      const user = page.getByRole('textbox', { name: 'User name' });
      await user.waitFor();
      const [box, wanted] = [await user.boundingBox(), await stage.at(inFrame({ x: 20, y: 20 }))];
      expect(Math.abs((box?.x ?? 0) - wanted.x)).toBeLessThan(4);
      expect(Math.abs((box?.y ?? 0) - wanted.y)).toBeLessThan(4);
      await page.keyboard.type('framed');
      await page.keyboard.press('Enter');
      await site().reported(JSON.stringify({ username: 'framed', password: '', language: 'en' }));
      await stage.leave();
    });

    it('shows a pop-up, and the page that opened it once the pop-up closes', async () => {
      const stage = await openStage(subject, '/sso');
      const { page } = stage;
      const tabs = page.getByRole('list', { name: 'Tabs' });
      expect(await tabs.count()).toBe(0);
      await stage.click(middleOf(0));
      await stage.arrives(`${site().other}/sso/allow`);
      await tabs.getByRole('button', { name: 'Allow?', exact: true }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'live-tabs-light-1280');
      await stage.sees({ x: 21, y: 40 });
      await stage.click(middleOf(0));
      await stage.arrives(`${site().url}/account`);
      await tabs.waitFor({ state: 'detached' });
      await stage.leave();
    });

    it('shows a new tab, switches tabs and closes one', async () => {
      const stage = await openStage(subject, '/tab');
      const { page } = stage;
      await stage.click(middleOf(0));
      await stage.arrives(`${site().url}/select`);
      await page.getByRole('button', { name: 'Tab', exact: true }).click();
      await stage.arrives(`${site().url}/tab`);
      await page.getByRole('button', { name: 'Close Select' }).click();
      await page.getByRole('list', { name: 'Tabs' }).waitFor({ state: 'detached' });
      await stage.leave();
    });

    it('shows a native list as a list box for mouse and keyboard', async () => {
      const stage = await openStage(subject, '/select');
      const { page } = stage;
      const list = page.getByRole('listbox', { name: 'Fruit' });
      await stage.click(middleOf(0));
      await list.waitFor();
      expect(await list.getByRole('option').count()).toBe(3);
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'live-list-light-1280');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await site().reported('chose apple');
      await list.waitFor({ state: 'detached' });
      await stage.click(middleOf(0));
      await list.getByRole('option', { name: 'Pear' }).click();
      await site().reported('chose pear');
      await stage.click(middleOf(0));
      await list.waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await stage.leave();
    });

    it('finds an option by typing a name with a space', async () => {
      const stage = await openStage(subject, '/names');
      const { page } = stage;
      await stage.click(middleOf(0));
      await page.getByRole('listbox', { name: 'Place' }).waitFor();
      await page.keyboard.type('new z');
      await page.keyboard.press('Enter');
      await site().reported('chose nz');
      await stage.leave();
    });

    it('shows the site’s dialogs and passes the answers back', async () => {
      const stage = await openStage(subject, '/dialogs', { sees: edgeOf(2) });
      const { page } = stage;
      const { host } = new URL(site().url);
      await stage.click(middleOf(0));
      const says = page.getByRole('dialog', { name: `${host} says` });
      await says.getByText('Really alert?').waitFor();
      await says.getByRole('button', { name: 'OK' }).click();
      await site().reported('alert undefined');
      await stage.click(middleOf(1));
      const asks = page.getByRole('dialog', { name: `${host} asks` });
      await asks.getByText('Really confirm?').waitFor();
      await page.keyboard.press('Escape');
      await site().reported('confirm false');
      await stage.click(middleOf(1));
      await asks.getByText('Really confirm?').waitFor();
      await page.keyboard.press('Enter');
      await site().reported('confirm true');
      await stage.click(middleOf(2));
      await asks.getByText('Really prompt?').waitFor();
      expect(await asks.getByLabel('Your answer').inputValue()).toBe('given');
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'live-dialog-light-1280');
      await asks.getByLabel('Your answer').fill('Antwört');
      await page.keyboard.press('Enter');
      await site().reported('prompt Antwört');
      await stage.leave();
    });

    it('answers a dialog that a paste opened, and goes on typing', async () => {
      const stage = await openStage(subject, '/paste');
      const { page } = stage;
      await stage.click(middleOf(0));
      await page.getByRole('textbox', { name: 'Code' }).waitFor();
      await page.evaluate("navigator.clipboard.writeText('123')");
      await page.keyboard.press('Control+v');
      const says = page.getByRole('dialog', { name: `${new URL(site().url).host} says` });
      await says.getByText('Type it').waitFor();
      await says.getByRole('button', { name: 'OK' }).click();
      await says.waitFor({ state: 'detached' });
      await page.keyboard.press('x');
      await site().reported('key x');
      await stage.leave();
    });

    it('refuses a download, and says so', async () => {
      const stage = await openStage(subject, '/download');
      const { page } = stage;
      await stage.click(middleOf(0));
      await page.getByText('“file.zip” was not downloaded').waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      await page.getByText('“file.zip” was not downloaded').waitFor({ state: 'detached' });
      await stage.leave();
    });

    it('stays on the page when a link opens an application', async () => {
      const stage = await openStage(subject, '/app');
      // Follows the link more often than the browser needs to ask for the application.
      for (let times = 1; times <= 12; times++) {
        await stage.click(middleOf(0));
        await site().reported(`app ${times}`);
      }
      await stage.leave();
    });

    it('says that a page crashed, and continues after a reload', async () => {
      const stage = await openStage(subject, '/app');
      const { page } = stage;
      const told = page.getByText('This page crashed');
      for (const pid of renderers(folder())) process.kill(pid, 'SIGKILL');
      await told.waitFor();
      await page.getByRole('button', { name: 'Reload' }).click();
      await told.waitFor({ state: 'detached' });
      const before = site().reports.length;
      await stage.click(middleOf(0));
      await expect.poll(() => site().reports.length, { timeout: 15_000 }).toBeGreaterThan(before);
      await stage.leave();
    });

    it('blocks an upload, and says so', async () => {
      const stage = await openStage(subject, '/upload');
      const { page } = stage;
      await stage.click(middleOf(0));
      await page.getByText('The site asked for a file').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(site().reports.filter((text) => text.startsWith('file '))).toEqual([]);
      await photograph(page, 'live-upload-light-1280');
      await stage.leave();
    });
  });
}
