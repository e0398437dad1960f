// Tests that the parts and the answers of a page are asked for at once, before the portal's own code has arrived.
import { describe, expect, it } from 'vitest';
import { firstRequests } from '../../../portal/first-requests.ts';
import { untilLoaded, visit } from '../visit.ts';
import { DESKTOP, type Subject } from './subject.ts';

/** Pages with what they are waited for here. */
const PAGES = [
  '/',
  '/overview',
  '/integrations',
  '/integrations/github',
  '/tools',
  '/activity',
  '/approvals',
  '/agents',
];
/** A browser sends six requests at once to a gateway without HTTP/2. */
const MOST_FILES = 9;
/** These are asked for again every few seconds. */
const POLLED = /^\/api\/(?:audit|approvals|events)/;

export function itAsksAtOnce(subject: Subject): void {
  describe('A first visit', () => {
    it.each(PAGES)('asks for all of %s before the portal runs, and for nothing twice', async (path) => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      const { base, session } = subject.gateway();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url().slice(base.length)));
      const arrive = Promise.withResolvers<void>();
      await page.route('**/assets/app-*.js', async (route) => {
        await arrive.promise;
        await route.continue();
      });
      await page.goto(`${base}${path}#token=${session}`, { waitUntil: 'commit' });
      const early = firstRequests(path, '');
      await expect.poll(() => early.filter((address) => !asked.includes(address))).toEqual([]);
      const files = asked.filter((address) => /^\/assets\/.*\.(?:js|css)$/.test(address));
      expect(files.length).toBeLessThanOrEqual(MOST_FILES);
      const named = await page.locator('link[rel=modulepreload], link[rel=stylesheet]').all();
      const links = await Promise.all(named.map((link) => link.getAttribute('href')));
      expect(files).toEqual(expect.arrayContaining(links));
      expect(links.length).toBeGreaterThan(2);

      arrive.resolve();
      await page.locator('main h1').first().waitFor();
      await untilLoaded(page);
      const twice = early.filter((address) => {
        const times = (all: readonly string[]) => all.filter((each) => each === address).length;
        // The overview of a fresh gateway shows the first steps later, and they look again.
        return path !== '/overview' && !POLLED.test(address) && times(asked) > 1;
      });
      expect(twice).toEqual([]);
      await close();
    });

    it('begins with the first steps and few of the cards below them', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.addInitScript(`new MutationObserver(() => {
        if (document.querySelector('.first-steps') === null) return;
        window.cardsAtFirst ??= document.querySelectorAll('.card').length;
      }).observe(document, { childList: true, subtree: true })`);
      // No client has called yet.
      await page.route('**/api/audit?*', (route) =>
        route.fulfill({ json: { entries: [], nextCursor: null } }),
      );
      const { base, session } = subject.gateway();
      await page.goto(`${base}/#token=${session}`);
      await expect.poll(() => page.locator('.card').count()).toBeGreaterThan(50);
      expect(await page.evaluate('window.cardsAtFirst')).toBe(4);
      await close();
    });
  });
}
