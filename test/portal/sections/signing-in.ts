// Coming in, being sent away, coming back, and leaving.
import { describe, expect, it } from 'vitest';
import { FRAME, visit } from '../visit.ts';
import { DESKTOP, signIn, type Subject } from './subject.ts';

const TOKEN = "localStorage.getItem('svc_token')";
const OWN_RUNS = "localStorage.getItem('svc_own_runs')";

export function itSignsPeopleIn(subject: Subject): void {
  describe('Signing in', () => {
    it('the printed link signs in, and nothing of it stays in the address', async () => {
      const { page, complaints, close } = await signIn(subject);
      expect(page.url()).toBe(`${subject.gateway().base}/`);
      expect(await page.evaluate('history.length')).toBeLessThanOrEqual(2);
      expect(await page.evaluate(TOKEN)).toMatch(/^ey/);
      await page.getByText('owner@localhost').first().waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('without a session every page leads to the sign-in, with a hint for the operator', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/activity`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/signin');
      await page.getByText('npm run seed -- --email you@example.com', { exact: true }).waitFor();
      await close();
    });

    it('a session that the gateway refuses is forgotten', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(`${subject.gateway().base}/#token=not-a-session`);
      await page.getByText('Your session has ended').waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/signin`);
      expect(await page.evaluate(TOKEN)).toBeNull();
      await close();
    });

    it('after an expired session, signing in leads back to the page that was open', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/activity?success=false`);
      await page.getByRole('heading', { name: 'Activity' }).waitFor();
      await page.evaluate("localStorage.setItem('svc_token', 'expired')");
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('Your session has ended').waitFor();
      // The same window, a link that differs in its fragment only: no page is loaded.
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Activity' }).waitFor();
      expect(page.url()).toBe(`${subject.gateway().base}/activity?success=false`);
      await close();
    });

    it('after an expired session, another tab’s sign-in opens this one', async () => {
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

    it('a session that ends in one tab has ended in every tab, and each finds its own way back', async () => {
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

    it('another person in the same tab finds nothing of the one before', async () => {
      const seeded = await subject.seed(['--email', 'ben@example.com', '--json']);
      const { session }: { session: string } = JSON.parse(seeded.stdout);
      const { page, close } = await signIn(subject);
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('textbox', { name: 'timeZone' }).fill('Asia/Tokyo');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      expect(await page.evaluate(OWN_RUNS)).toBe('1');
      await page.goto(`${page.url()}#token=${session}`);
      await page.getByText('ben@example.com').first().waitFor();
      expect(await page.getByRole('textbox', { name: 'timeZone' }).inputValue()).toBe('');
      expect(await page.getByText('Succeeded').count()).toBe(0);
      expect(await page.evaluate(OWN_RUNS)).toBeNull();
      await close();
    });

    it('another person after an expired session gets no answer that was asked for before', async () => {
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
      await page.evaluate("localStorage.setItem('svc_own_runs', '7')");
      await page.evaluate("localStorage.setItem('svc_token', 'expired')");
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
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
      expect(await page.evaluate(OWN_RUNS)).toBeNull();
      await close();
    });

    it('an older answer does not replace a newer one', async () => {
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
      await open('Agents');
      await expect.poll(() => held.length).toBe(2);
      held[1]?.([]);
      await page.getByText('No agent has signed in yet').waitFor();
      const answered = page.waitForResponse('**/api/agents');
      held[0]?.([{ client_id: 'old', scopes: [], connected_since: 0, expires_at: 0 }]);
      await (await answered).finished();
      await page.evaluate(FRAME);
      expect(await page.getByText('No agent has signed in yet').count()).toBe(1);
      await close();
    });

    it('the only provider there is has a button that needs no word for its kind', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.route('**/api/auth/providers', (route) => route.fulfill({ json: { providers: ['idp'] } }));
      await page.route('**/api/auth/idp', (route) =>
        route.fulfill({ json: { url: `${subject.gateway().base}/clients?from=provider` } }),
      );
      await page.goto(subject.gateway().base);
      const sentThere = page.waitForRequest(/from=provider/);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await sentThere;
      await close();
    });

    it('the button of a provider works again on the way back from there', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      const { base } = subject.gateway();
      await page.route('**/api/auth/providers', (route) => route.fulfill({ json: { providers: ['idp'] } }));
      await page.route('**/api/auth/idp', (route) =>
        route.fulfill({ json: { url: `${base}/signin#there` } }),
      );
      await page.goto(base);
      const button = page.getByRole('button', { name: 'Continue', exact: true });
      await button.click();
      await page.waitForURL(/#there$/);
      expect(await button.isDisabled()).toBe(true);
      await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");
      await expect.poll(() => button.isEnabled()).toBe(true);
      await close();
    });

    it('signing out needs no answer', async () => {
      const { page, close } = await signIn(subject);
      let bearer = '';
      // Never answered.
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

    it('signing out forgets the session, in every tab', async () => {
      const { page, close } = await signIn(subject);
      const other = await page.context().newPage();
      await other.goto(`${subject.gateway().base}/clients`);
      await other.getByRole('heading', { name: 'Connect a client' }).waitFor();
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out').waitFor();
      expect(await page.evaluate(TOKEN)).toBeNull();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
      await other.getByText('You are signed out').waitFor();
      // Where the next person begins is not where this one was.
      expect(await page.evaluate("localStorage.getItem('svc_return')")).toBeNull();
      await close();
    });
  });
}
