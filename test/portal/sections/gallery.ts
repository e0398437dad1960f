// Tests the gallery with many integrations in every state, and with nothing to show.
import { describe, expect, it } from 'vitest';
import { axeViolations, photograph, scrollsSideways, visit } from '../visit.ts';
import { pretendMany } from '../many.ts';
import { DESKTOP, type Subject, galleryLink, signIn } from './subject.ts';

export function itShowsManyIntegrations(subject: Subject): void {
  describe('Integrations', () => {
    it.each([
      { theme: 'light', width: 1280 },
      { theme: 'dark', width: 1280 },
      { theme: 'light', width: 390 },
      { theme: 'dark', width: 390 },
      { theme: 'light', width: 1920 },
      { theme: 'light', width: 900 },
    ] as const)('sorts integrations into sections by their state, $theme, $width', async (look) => {
      const { page, complaints, settled, close } = await visit(subject.browser(), look);
      await pretendMany(page);
      await page.goto(galleryLink(subject));
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      await settled();
      expect(await page.locator('.section').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Needs attention 2',
        'Connected 5',
        'Available 2',
        'Needs setup 1',
        'Built in 1',
      ]);
      await page.getByText('Expires in 2 days').waitFor();
      const ways = page.getByRole('button', { name: /^(C|Rec)onnect / });
      const labels = await Promise.all((await ways.all()).map((way) => way.getAttribute('aria-label')));
      expect(labels).toEqual([
        'Reconnect Bitbucket',
        'Reconnect Intranet wiki',
        'Connect Slack',
        'Connect Sentry',
      ]);
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `gallery-${look.theme}-${look.width}`);
      await page.goto(`${subject.gateway().base}/integrations/github?show=settings`);
      await page.getByRole('heading', { name: 'GitHub', level: 1 }).waitFor();
      await settled();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `integration-connected-${look.theme}-${look.width}`);
      expect(complaints).toEqual([]);
      await close();
    });

    it('leads the owner through the setup that an integration needs', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/integrations/gcalendar?show=settings`);
      const panel = page.getByRole('region', { name: 'Set up sign-in' });
      await panel.getByText('Register this gateway at Google Calendar once').waitFor();
      await panel.getByRole('button', { name: 'Set up' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Copy: Enter this redirect address' }).waitFor();
      await sheet.getByLabel('Client ID').waitFor();
      // The browser reports that there is no client yet.
      expect(complaints.filter((each) => !each.endsWith('/api/admin/clients/gcalendar'))).toEqual([]);
      await close();
    });

    it('shows a card for every shipped integration, and counts the tools that are ready', async () => {
      const { page, complaints, close } = await signIn(subject);
      const token: string = await page.evaluate("localStorage.getItem('svc_token')");
      const response = await subject.gateway().request('/api/integrations', {
        headers: { Authorization: `Bearer ${token}` },
      });
      const {
        integrations,
      }: { integrations: { displayName: string; authType: string; toolCount: number }[] } =
        await response.json();
      const builtIn = integrations.filter(({ authType }) => authType === 'none');
      const ready = builtIn.reduce((sum, { toolCount }) => sum + toolCount, 0);
      await page.getByText(`Nothing connected yet, ${ready} built-in tools ready`).waitFor();
      await page.getByRole('heading', { name: `Built in ${builtIn.length}` }).waitFor();
      const names = await page.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts();
      expect(names).toEqual(expect.arrayContaining(integrations.map(({ displayName }) => displayName)));
      expect(await page.getByRole('button', { name: /^Connect / }).count()).toBeGreaterThan(1);
      expect(complaints).toEqual([]);
      await close();
    });

    it('searches by "/" and by category', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await pretendMany(page);
      await page.goto(galleryLink(subject));
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
      await page.keyboard.press('/');
      await page.keyboard.type('issues');
      await page.getByText('3 integrations', { exact: true }).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: 'Planning' }).click();
      await page.getByText('2 integrations', { exact: true }).waitFor({ state: 'attached' });
      await page.getByRole('searchbox').fill('zzz');
      await page.getByText('Nothing matches “zzz”').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByRole('link', { name: 'GitLab' }).waitFor();
      await close();
    });

    it('shows only what is connected when the person wants that', async () => {
      const { page, settled, close } = await visit(subject.browser(), DESKTOP);
      await pretendMany(page);
      await page.goto(galleryLink(subject));
      await page.getByRole('heading', { name: 'Available' }).waitFor();
      const only = page.getByRole('button', { name: 'Connected only' });
      await only.click();
      await page.getByRole('heading', { name: 'Available' }).waitFor({ state: 'detached' });
      expect(await page.locator('.section').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
        'Needs attention 2',
        'Connected 5',
      ]);
      expect(new URL(page.url()).search).toBe('?connected=only');
      await settled();
      expect(await axeViolations(page)).toEqual([]);
      await only.click();
      await page.getByRole('heading', { name: 'Available' }).waitFor();
      await close();
    });

    it('loads all logos with one request, and follows a theme that the person chose', async () => {
      const { page, settled, close } = await visit(subject.browser(), DESKTOP);
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(galleryLink(subject));
      await page.getByRole('link', { name: 'GitHub', exact: true }).waitFor();
      await settled();
      expect(asked.filter((path) => path.includes('logo'))).toEqual([]);
      expect(new Set(asked.filter((path) => path.includes('/marks-'))).size).toBe(1);
      expect(await page.evaluate('document.fonts.check(\'15px "Inter Variable"\')')).toBe(true);
      const tile = () =>
        page.evaluate<string>(`(async () => {
          const logo = document.querySelector('.card img.logo');
          await logo.decode();
          return getComputedStyle(logo).colorScheme;
        })()`);
      expect(await tile()).toBe('light dark');
      await page.evaluate("document.documentElement.dataset.theme = 'dark'");
      expect(await tile()).toBe('dark');
      await photograph(page, 'gallery-chosen-dark-1280');
      await close();
    });

    it('reaches the first card with few Tab stops, and the categories with arrow keys', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await pretendMany(page);
      await page.goto(galleryLink(subject));
      const focused = () => page.evaluate<string>('document.activeElement.textContent');
      await page.getByRole('button', { name: 'All', exact: true }).focus();
      await page.keyboard.press('ArrowRight');
      expect(await focused()).toBe('Code');
      await page.keyboard.press('ArrowLeft');
      expect(await focused()).toBe('All');
      await page.keyboard.press('Tab');
      expect(await page.evaluate("document.activeElement.closest('.card') !== null")).toBe(true);
      await close();
    });

    it('asks before disconnecting, and says what remains at the provider', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await pretendMany(page);
      const gone = page.waitForRequest((request) => request.method() === 'DELETE');
      await page.route('**/api/connections/github?*', (route) =>
        route.fulfill({ json: { success: true, revoked: 'done' } }),
      );
      await page.goto(galleryLink(subject));
      await page.getByRole('link', { name: 'GitHub' }).click();
      await page.locator('.more-button').click();
      await page.getByRole('menuitem', { name: 'Disconnect' }).click();
      const question = page.getByRole('dialog', { name: 'Disconnect GitHub?' });
      await question
        .getByText('Where GitHub allows it, the gateway also revokes its access there.')
        .waitFor();
      await question.getByRole('button', { name: 'Disconnect' }).click();
      expect((await gone).url()).toContain('/api/connections/github');
      await question.waitFor({ state: 'hidden' });
      await close();
    });

    it('offers a retry after an error, and says that the browser is offline', async () => {
      const { page, close } = await signIn(subject);
      await page.route('**/api/integrations', (route) =>
        route.fulfill({ status: 500, json: { error: 'The database is away.' } }),
      );
      await page.reload();
      await page.getByText('The database is away.').waitFor();
      await photograph(page, 'integrations-failed-light-1280');
      await page.unroute('**/api/integrations');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('link', { name: 'Time' }).waitFor();
      await page.context().setOffline(true);
      await page.getByText('What you see may be out of date').waitFor();
      await page.getByRole('link', { name: 'Activity' }).click();
      await page.getByText('This page loads by itself').waitFor();
      await page.context().setOffline(false);
      await page.getByText('This page loads by itself').waitFor({ state: 'hidden' });
      await close();
    });
  });
}
