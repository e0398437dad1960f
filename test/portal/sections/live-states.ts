// Tests links to the browser, two windows, a broken connection, a missing browser, and the looks of the live view.
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Gateway, openSite } from '../../support/gateway-process.ts';
import { middleOf } from '../../support/login-site-pages.ts';
import { browserLink, edgeOf, type LiveSubject, openStage, stageOf } from '../stage.ts';
import { axeViolations, LOOKS, photograph, scrollsSideways, visit } from '../visit.ts';
import { DESKTOP, signIn } from './subject.ts';

export function itHasStates(subject: LiveSubject): void {
  const base = () => subject.gateway().base;

  describe('A link to the browser', () => {
    it('asks before it follows the link, hides the link’s token, survives the sign-in and works once', async () => {
      const link = await browserLink(subject, '/touch');
      const visits = () => subject.site().hits.filter((path) => path === '/touch').length;
      const before = visits();
      const { page, complaints, settled, close } = await visit(subject.browser(), DESKTOP);
      onTestFinished(close);
      await page.goto(link);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(page.url()).toBe(`${base()}/signin`);
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Open your browser', level: 1 }).waitFor();
      expect(page.url()).toBe(`${base()}/browser`);
      expect(visits()).toBe(before);
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'browser-link-light-1280');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('Live', { exact: true }).waitFor();
      // A reload shows the same page of the same browser.
      await page.reload();
      const stage = stageOf({ page, complaints, settled, close }, subject);
      await stage.arrives(`${subject.site().url}/touch`);
      await stage.leave();
      await page.goto(link);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'This link has been used' }).waitFor();
      await page.goto(`${base()}/browser`);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(complaints.filter((each) => !/410|auth\/providers|\/events/.test(each))).toEqual([]);
    });
  });

  describe('The address', () => {
    it('keeps what the person types when the site goes on by itself', async () => {
      const stage = await openStage(subject, '/waits', { sees: edgeOf(1) });
      await stage.arrives(`${subject.site().url}/waits`);
      await expect.poll(() => subject.site().hits).toContain('/wait');
      await stage.address.fill('hello there');
      subject.site().release();
      await stage.sees(edgeOf(0));
      expect(await stage.address.inputValue()).toBe('hello there');
      await stage.address.blur();
      await stage.arrives(`${subject.site().url}/select`);
      await stage.leave();
    });

    it('says that a text is not an address until the person enters one', async () => {
      const stage = await openStage(subject, '/select');
      const note = stage.page.getByText('Enter the address of a website');
      for (const typed of ['hello there', 'javascript:alert(1)', 'ftp://site.test/']) {
        await stage.address.fill(typed);
        await stage.address.press('Enter');
        await note.waitFor();
        expect(await stage.address.inputValue()).toBe(typed);
        await stage.page.getByRole('button', { name: 'Close', exact: true }).click();
        await note.waitFor({ state: 'detached' });
      }
      await stage.address.fill('hello there');
      await stage.address.press('Enter');
      await note.waitFor();
      await stage.go('/touch');
      await stage.arrives(`${subject.site().url}/touch`);
      await note.waitFor({ state: 'detached' });
      await stage.leave();
    });
  });

  describe('Two windows', () => {
    it('lets the newer window control the browser, and the older window take it back', async () => {
      const first = await openStage(subject, '/select');
      const again = await first.page.context().newPage();
      await again.goto(`${base()}/integrations/jenkins`);
      await again.getByRole('button', { name: 'Connect', exact: true }).click();
      await again.getByLabel('Address of your Jenkins').fill(subject.site().url);
      await again.getByRole('button', { name: 'Open the sign-in' }).click();
      await again.getByText('Live', { exact: true }).waitFor();
      await first.page.getByRole('heading', { name: 'open in another window' }).waitFor();
      expect(await axeViolations(first.page)).toEqual([]);
      await photograph(first.page, 'live-taken-over-light-1280');
      await again.close();
      await first.page.getByRole('button', { name: 'Use it here' }).click();
      await first.page.getByText('Live', { exact: true }).waitFor();
      await first.leave();
    });
  });

  describe('A window that nobody sees', () => {
    it('requests no pictures while the window is hidden', async () => {
      const stage = await openStage(subject, '/select');
      const { page } = stage;
      const asked = (method: string) =>
        page.waitForRequest((request) => request.postData()?.includes(method) === true);
      const turn = (state: string) =>
        page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
          document.dispatchEvent(new Event('visibilitychange'))`);
      const stopped = asked('Page.stopScreencast');
      await turn('hidden');
      expect((await stopped).postData()).not.toContain('Page.startScreencast');
      const started = asked('Page.startScreencast');
      await turn('visible');
      await started;
      await stage.leave();
    });
  });

  describe('A broken connection', () => {
    it('reconnects to the same page', async () => {
      const stage = await openStage(subject, '/select');
      const { page } = stage;
      await page.context().setOffline(true);
      await stage.click(middleOf(0));
      await page.getByRole('heading', { name: 'Connection lost' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'live-reconnecting-light-1280');
      await page.context().setOffline(false);
      await page.getByText('Live', { exact: true }).waitFor();
      expect(await stage.address.inputValue()).toBe(`${subject.site().url}/select`);
      await stage.leave();
    });
  });

  describe('A gateway that is killed', () => {
    it('reconnects after a restart, with the page that was open', async () => {
      const home = await openSite();
      const gateway = await home.start();
      const running: Gateway[] = [gateway];
      onTestFinished(async () => {
        await Promise.all(running.map((each) => each.stop()));
        await home.close();
      });
      const stage = await openStage({ ...subject, gateway: () => gateway }, '/select');
      gateway.signal('SIGKILL', 'group');
      await gateway.exited;
      await stage.page.getByRole('heading', { name: 'Connection lost' }).waitFor();
      running.push(await home.start({ port: gateway.port }));
      await stage.page.getByText('Live', { exact: true }).waitFor();
      await stage.arrives(`${subject.site().url}/select`);
      await stage.leave();
    }, 60_000);
  });

  describe('Without a browser', () => {
    it('says what the operator can do, and offers to import a session', async () => {
      const home = await openSite();
      onTestFinished(() => home.close());
      const gateway = await home.start({ env: { CHROMIUM_PATH: '/nowhere/chromium' } });
      const { page, close } = await signIn({ browser: subject.browser, gateway: () => gateway });
      onTestFinished(close);
      await page.getByRole('button', { name: 'Connect Jenkins' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Jenkins' });
      await dialog.getByLabel('Address of your Jenkins').fill(subject.site().url);
      await dialog.getByRole('button', { name: 'Open the sign-in' }).click();
      await dialog.getByText('/nowhere/chromium').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'connect-no-browser-light-1280');
      await page.goto(`${gateway.base}/live/jenkins`);
      // The gateway does not know the address of this person's Jenkins.
      await page.getByRole('heading', { name: 'This browser can’t be opened' }).waitFor();
      await page.getByRole('link', { name: 'Open the integration' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'live-failed-light-1280');
      await page.goto(`${gateway.base}/integrations/jenkins?connect=session`);
      await page.getByRole('dialog', { name: 'Import a session for Jenkins' }).waitFor();
      expect(page.url()).toBe(`${gateway.base}/integrations/jenkins`);
    });
  });

  describe.each(LOOKS)('Looks, $theme, $width', (look) => {
    it('shows a sound live view', async () => {
      const stage = await openStage(subject, '/login', { look });
      const { page, complaints } = stage;
      expect(await page.title()).toBe('Your browser · Gateway');
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `live-${look.theme}-${look.width}`);
      await page.getByRole('button', { name: 'Paste' }).click();
      await page.getByRole('dialog', { name: 'Paste into the site' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `live-paste-${look.theme}-${look.width}`);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await stage.leave();
    });
  });
}
