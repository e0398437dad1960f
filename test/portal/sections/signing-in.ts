// Tests signing in, expired sessions, coming back, and signing out.
import { describe, expect, it } from 'vitest';
import { FRAME, visit } from '../visit.ts';
import { DESKTOP, signIn, type Subject } from './subject.ts';

const TOKEN = "localStorage.getItem('svc_token')";

export function itSignsPeopleIn(subject: Subject): void {
  describe('Signing in', () => {
    it('signs in with the printed link, and removes the token from the address', async () => {
      const { page, complaints, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/`);
      expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
      expect(await page.evaluate(TOKEN)).toMatch(/^ey/);
      await page.getByText('owner@localhost').first().waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows the sign-in page with a hint for the operator on every page without a session', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/activity`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/signin');
      for (const command of [
        'npm run link',
        'docker exec gateway node dist/server/link.js',
        'npm run seed -- --email you@example.com',
      ])
        await page.getByText(command, { exact: true }).waitFor();
      await close();
    });

    it('leads a person who signs in at an address without a page to the first page', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/login`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/`);
      await close();
    });

    it('forgets a session that the gateway refuses', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/#token=not-a-session`);
      await page
        .getByText('This link has expired or is not complete. Print a fresh one with npm run link.')
        .waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/signin`);
      expect(await page.evaluate(TOKEN)).toBeNull();
      await close();
    });

    it('returns to the open page after an expired session and a new sign-in', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/activity?success=false`);
      await page.getByRole('heading', { name: 'Activity' }).waitFor();
      await page.evaluate("localStorage.setItem('svc_token', 'expired'); location.reload()");
      await page.getByText('Your session has ended. Run npm run link and open the link').waitFor();
      // The link differs only in its fragment, so the browser loads no page.
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Activity' }).waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/activity?success=false`);
      await close();
    });

    it('signs this tab in again after a sign-in in another tab', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/signin`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.evaluate("localStorage.setItem('svc_token', 'expired')");
      await page.goto(subject.gateway().base);
      await page.getByText('Your session has ended').waitFor();
      const other = await page.context().newPage();
      await other.goto(subject.gateway().portalLink);
      await page.getByRole('link', { name: 'Sentry' }).waitFor();
      await close();
    });

    it('ends a session in every tab, and returns each tab to its own page', async () => {
      const { page, close } = await signIn(subject);
      const other = await page.context().newPage();
      await other.goto(`${subject.gateway().base}/activity?success=false`);
      await other.getByRole('heading', { name: 'Activity' }).waitFor();
      await page.route('**/api/agents', (route) => route.fulfill({ status: 401, json: {} }));
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      for (const tab of [page, other]) await tab.getByText('Your session has ended').waitFor();
      await page.unroute('**/api/agents');
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await other.getByRole('heading', { name: 'Activity' }).waitFor();
      expect(other.url()).toBe(`${subject.gateway().base}/activity?success=false`);
      await close();
    });

    it('shows another person in the same tab nothing of the person before', async () => {
      const seeded = await subject.seed(['--email', 'ben@example.com', '--json']);
      const { session }: { session: string } = JSON.parse(seeded.stdout);
      const { page, close } = await signIn(subject);
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('textbox', { name: 'timeZone' }).fill('Asia/Tokyo');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      await page.goto(`${page.url()}#token=${session}`);
      await page.getByText('ben@example.com').first().waitFor();
      expect(await page.getByRole('textbox', { name: 'timeZone' }).inputValue()).toBe('');
      expect(await page.getByText('Succeeded').count()).toBe(0);
      await close();
    });

    it('gives another person no response to a request of the person before', async () => {
      const seeded = await subject.seed(['--email', 'ben@example.com', '--json']);
      const { session }: { session: string } = JSON.parse(seeded.stdout);
      const { page, close } = await signIn(subject);
      const late = Promise.withResolvers<void>();
      await page.route('**/rest/time', async (route) => {
        if (route.request().method() === 'POST') await late.promise;
        await route.continue();
      });
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('button', { name: 'Stop' }).waitFor();
      // In one step: a request of the page itself between the two would end the session before the click.
      await page.getByRole('link', { name: 'Agents', exact: true }).evaluate((link: HTMLElement) => {
        localStorage.setItem('svc_token', 'expired');
        link.click();
      });
      await page.getByText('Your session has ended').waitFor();
      await page.goto(`${subject.gateway().base}/signin#token=${session}`);
      await page.getByText('ben@example.com').first().waitFor();
      const answered = page.waitForResponse(
        (response) => response.url().endsWith('/rest/time') && response.request().method() === 'POST',
      );
      late.resolve();
      await (await answered).finished();
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('button', { name: 'Run' }).waitFor();
      expect(await page.getByText('Succeeded').count()).toBe(0);
      await close();
    });

    it('does not replace newer data with an older response', async () => {
      const { page, close } = await signIn(subject);
      const held: ((rows: unknown[]) => void)[] = [];
      await page.route('**/api/agents', async (route) => {
        const agents = await new Promise<unknown[]>((resolve) => held.push(resolve));
        await route.fulfill({ json: { agents } });
      });
      const open = async (name: string) => {
        await page.getByRole('link', { name, exact: true }).click();
        await page.getByRole('heading', { name, level: 1 }).waitFor();
      };
      await open('Agents');
      await expect.poll(() => held.length).toBe(1);
      await open('Tools');
      // Nothing that was asked for before a call is taken for its state afterwards.
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('heading', { name: 'Result' }).waitFor();
      await open('Agents');
      await expect.poll(() => held.length).toBe(2);
      held[1]?.([]);
      await page.getByRole('heading', { name: 'Personal key' }).waitFor();
      const answered = page.waitForResponse('**/api/agents');
      held[0]?.([
        { client_id: 'old', scopes: [], connected_since: 0, expires_at: 0, limits: {}, last_used_at: null },
      ]);
      await (await answered).finished();
      await page.evaluate(FRAME);
      expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Personal key']);
      await close();
    });

    it('names the provider', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.route('**/api/auth/providers?names=true', (route) =>
        route.fulfill({ json: { providers: ['idp'], names: { idp: 'login.acme.dev' } } }),
      );
      await page.route('**/api/auth/idp', (route) =>
        route.fulfill({ json: { url: `${subject.gateway().base}/clients?from=provider` } }),
      );
      await page.goto(subject.gateway().base);
      const sentThere = page.waitForRequest(/from=provider/);
      await page.getByRole('button', { name: 'Continue with login.acme.dev' }).click();
      await sentThere;
      await close();
    });

    it('enables the provider’s button again when the person comes back', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      const { base } = subject.gateway();
      await page.route('**/api/auth/providers*', (route) => route.fulfill({ json: { providers: ['idp'] } }));
      await page.route('**/api/auth/idp', (route) =>
        route.fulfill({ json: { url: `${base}/signin#there` } }),
      );
      await page.goto(base);
      const button = page.getByRole('button', { name: 'Continue with idp' });
      await button.click();
      await page.waitForURL(/#there$/);
      expect(await button.isDisabled()).toBe(true);
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      await expect.poll(() => button.isEnabled()).toBe(true);
      await close();
    });

    it('signs out without a response', async () => {
      const { page, close } = await signIn(subject);
      let bearer = '';
      // This request gets no response.
      await page.route('**/api/auth/logout', (route) => {
        bearer = route.request().headers()['authorization'] ?? '';
      });
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      expect(await page.evaluate(TOKEN)).toBeNull();
      await expect.poll(() => bearer).toMatch(/^Bearer ey/);
      await close();
    });

    it('forgets the session in every tab on signing out', async () => {
      const { page, close } = await signIn(subject);
      const other = await page.context().newPage();
      await other.goto(`${subject.gateway().base}/clients`);
      await other.getByRole('heading', { name: 'Connect an agent' }).waitFor();
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      expect(await page.evaluate(TOKEN)).toBeNull();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.getByText('You are signed out').waitFor();
      // The next person does not begin on this person's page.
      expect(await page.evaluate("localStorage.getItem('svc_return')")).toBeNull();
      await close();
    });
  });
}
