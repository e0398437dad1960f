// Tests what needs a provider: signing in, connecting by OAuth, an agent's link, and agents.
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { call } from '../../support/mcp.ts';
import { authorizeQuery, CALLBACK, registered, token } from '../../support/oauth-client.ts';
import type { ProvidedGateway } from '../providers.ts';
import { axeViolations, expectSoundInEveryLook, visit } from '../visit.ts';
import { DESKTOP } from './subject.ts';

export interface ProvidedSubject {
  browser: () => Browser;
  provided: () => ProvidedGateway;
}

const TOKEN = "localStorage.getItem('svc_token')";

export function itFollowsProviders({ browser, provided }: ProvidedSubject): void {
  const at = (path: string) => provided().gateway.base + path;

  /** Signs in on the provider's pages. */
  async function passProvider(page: Page, login: string): Promise<void> {
    await page.getByPlaceholder('Enter any login').fill(login);
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL((url) => url.origin === provided().gateway.base);
  }

  async function signInAs(page: Page, login: string): Promise<void> {
    await page.getByRole('button', { name: 'Continue with 127.0.0.1' }).first().click();
    await passProvider(page, login);
    await page.getByText(`${login}@example.com`).first().waitFor();
  }

  async function linkFor(page: Page, integration: string): Promise<string> {
    const session: string = await page.evaluate(TOKEN);
    const minted = await provided().gateway.request('/api/keys', {
      method: 'POST',
      headers: { Authorization: `Bearer ${session}` },
    });
    const { apiKey }: { apiKey: string } = await minted.json();
    const key = { 'x-service-api-key': apiKey };
    const { url } = await call(provided().gateway, key, 'connect', { integration });
    return String(url);
  }

  describe('With providers', () => {
    it('shows a button for each provider, which signs in', async () => {
      const { page, complaints, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      const buttons = page.getByRole('button', { name: /^Continue with/ });
      await buttons.first().waitFor();
      // The providers of this test have no names but their hosts.
      expect(await buttons.allInnerTexts()).toEqual(
        Array.from({ length: 2 }, () => expect.stringMatching(/^Continue with 127\.0\.0\.1:\d+$/)),
      );
      await expectSoundInEveryLook(page, 'signin-providers');
      expect(complaints).toEqual([]);
      await buttons.nth(1).click();
      await passProvider(page, 'mia');
      await page.getByText('mia@example.com').first().waitFor();
      expect(page.url()).toBe(at('/'));
      await close();
    });

    it('tells a person once that an account with their unverified address was deleted', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      await signInAs(page, 'una');
      const session: string = await page.evaluate(TOKEN);
      const told = page.getByRole('status').getByText('Someone had created an account with your address');
      expect(await told.count()).toBe(0);
      await page.goto('about:blank');
      await page.goto(at(`/#token=${session}&tookOver=true`));
      await told.waitFor();
      expect(page.url()).toBe(at('/'));
      await expectSoundInEveryLook(page, 'took-over');
      await page.getByRole('button', { name: 'Close' }).click();
      await told.waitFor({ state: 'hidden' });
      await page.reload();
      await page.getByText('una@example.com').first().waitFor();
      expect(await told.count()).toBe(0);
      await close();
    });

    it('offers a key of its own first, and the sign-in with the browser on request', async () => {
      const { page, settled, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/clients'));
      await signInAs(page, 'kim');
      await page.getByRole('heading', { name: 'Connect an agent', level: 1 }).waitFor();
      await settled();
      await page.getByRole('button', { name: 'Sign in with the browser instead' }).click();
      const line = page.getByText(/^claude mcp add/);
      expect(await line.innerText()).toBe(`claude mcp add --transport http gateway ${at('/mcp')}`);
      await page.getByText('type /mcp, choose gateway and sign in').waitFor();
      await expectSoundInEveryLook(page, 'clients-by-browser');
      await page.getByRole('button', { name: 'Use a key of its own instead' }).click();
      await page.getByRole('button', { name: 'Create the key for Claude Code' }).click();
      expect(await line.innerText()).toMatch(/--header "x-service-api-key: •+"$/);
      await page.getByRole('tab', { name: 'curl' }).click();
      expect(await page.getByRole('button', { name: 'Sign in with the browser instead' }).count()).toBe(0);
      await close();
    });

    it('offers no sign-in with the browser before it knows whether a client can sign in', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/agents'));
      await signInAs(page, 'kim');
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      const late = Promise.withResolvers<void>();
      await page.route('**/api/auth/providers*', (route) => late.promise.then(() => route.continue()));
      await page.reload();
      await page.getByRole('link', { name: 'Connect an agent' }).first().click();
      await page.getByRole('tab', { name: 'Claude Code' }).waitFor();
      expect(await page.getByText(/^claude mcp add/).count()).toBe(0);
      const browserInstead = page.getByRole('button', { name: 'Sign in with the browser instead' });
      expect(await browserInstead.count()).toBe(0);
      late.resolve();
      await browserInstead.click();
      await page.getByText('type /mcp, choose gateway and sign in').waitFor();
      await close();
    });

    it('opens the named instance for OAuth, and says afterwards that it is connected', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/integrations/gitlab'));
      await signInAs(page, 'olga');
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const address = page.getByLabel('Address of your GitLab');
      await address.fill('gitlab');
      await page.getByRole('button', { name: 'Continue to GitLab' }).click();
      await page.getByText('That is not the address of a GitLab').waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
      await expectSoundInEveryLook(page, 'connect-oauth');
      await address.fill(provided().gitlab);
      await page.getByRole('button', { name: 'Continue to GitLab' }).click();
      await page.getByText('GitLab is connected.').waitFor();
      await page.getByRole('heading', { name: 'Connected 1' }).waitFor();
      expect(page.url()).toBe(at('/'));
      expect(await axeViolations(page)).toEqual([]);
      await close();
    });

    it('keeps an agent’s link across the sign-in, asks before it follows the link, and follows it once', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      await signInAs(page, 'ana');
      const link = await linkFor(page, 'gitlab');
      await page.evaluate('localStorage.clear()');
      await page.context().clearCookies();

      await page.goto(link);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      expect(page.url()).toBe(at('/signin'));
      await signInAs(page, 'ana');
      await page.getByRole('heading', { name: 'Connect GitLab', level: 1 }).waitFor();
      expect(page.url()).toBe(at('/connect'));
      await page.getByText('The link works once').waitFor();
      await expectSoundInEveryLook(page, 'connect-link');
      await page.getByLabel('Address of your GitLab').fill(provided().gitlab);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByText('GitLab is connected.').waitFor();

      // The same link in another tab says that everything is done.
      await page.goto(link);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByRole('heading', { name: 'GitLab is connected', level: 1 }).waitFor();
      await expectSoundInEveryLook(page, 'connect-link-done');
      await page.getByRole('link', { name: 'Go to GitLab' }).click();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText(/^GitLab is disconnected/).waitFor();
      await page.goto(link);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByRole('heading', { name: 'This link has been used' }).waitFor();
      await expectSoundInEveryLook(page, 'connect-link-used');
      await close();
    });

    it('offers to import a session when the gateway has no browser', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      await signInAs(page, 'ida');
      await page.goto(await linkFor(page, 'jenkins'));
      await page.getByLabel('Address of your Jenkins').fill('http://127.0.0.1:9');
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Import a session for Jenkins' });
      await dialog.getByLabel('Address of your Jenkins').fill('http://127.0.0.1:9');
      const cookies = [{ name: 'remember-me', value: 'ida', domain: '127.0.0.1', path: '/' }];
      await dialog.getByLabel('Session as JSON').fill(JSON.stringify({ cookies }));
      expect(await axeViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByText('Jenkins is connected.').waitFor();
      await page.getByRole('heading', { name: 'Jenkins', level: 1 }).waitFor();
      expect(page.url()).toBe(at('/integrations/jenkins'));
      await close();
    });

    it('announces only a connection that exists', async () => {
      const { page, settled, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      await signInAs(page, 'eve');
      await page.goto(at('/clients#connected=gitlab'));
      await page.getByRole('heading', { name: 'Connect an agent', level: 1 }).waitFor();
      await settled();
      expect(page.url()).toBe(at('/clients'));
      expect(await page.getByText('GitLab is connected.').count()).toBe(0);
      await close();
    });

    it('refuses a broken link or another person’s link, and keeps the session', async () => {
      const { page, close } = await visit(browser(), DESKTOP);
      await page.goto(at('/'));
      await signInAs(page, 'ana');
      const link = await linkFor(page, 'gitlab');
      await page.goto(at('/connect?t=nonsense'));
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(page.url()).toBe(at('/connect'));
      await page.goto(link.replace(/.{8}$/, 'AAAAAAAA'));
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
      expect(await page.evaluate(TOKEN)).toMatch(/^ey/);
      expect(await axeViolations(page)).toEqual([]);

      await page.evaluate('localStorage.clear()');
      await page.context().clearCookies();
      await page.goto(at('/'));
      await signInAs(page, 'ben');
      await page.goto(link);
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByRole('heading', { name: 'This link is for another account' }).waitFor();
      await page.getByText('You are signed in as ben@example.com').waitFor();
      await expectSoundInEveryLook(page, 'connect-link-account');
      await page.getByRole('button', { name: 'Sign in with another account' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.context().clearCookies();
      await signInAs(page, 'ana');
      await page.getByRole('heading', { name: 'Connect GitLab', level: 1 }).waitFor();
      await close();
    });
  });

  describe('Agents', () => {
    it('lists the agents that signed in, and revokes one after a question', async () => {
      const { page, settled, close } = await visit(browser(), DESKTOP);
      const { gateway } = provided();
      await page.goto(at('/agents'));
      await signInAs(page, 'zoe');
      await page.getByText('No agents yet').waitFor();
      expect(await axeViolations(page)).toEqual([]);

      const agent = await page.context().newPage();
      const back = agent.waitForRequest((request) => request.url().startsWith(CALLBACK));
      await agent.route(`${CALLBACK}**`, (route) => route.fulfill({ body: 'Signed in.' }));
      const clientId = await registered(gateway);
      await agent.goto(at(authorizeQuery(clientId)));
      await agent.getByRole('heading', { name: 'Connect A client?' }).waitFor();
      await expectSoundInEveryLook(agent, 'consent');
      // The provider knows her from the portal, and does not say that it can ask for another account.
      await agent.getByRole('button', { name: 'Allow and sign in' }).click();
      const code = new URL((await back).url()).searchParams.get('code') ?? '';
      const issued = await token(gateway, {
        grant_type: 'authorization_code',
        client_id: clientId,
        redirect_uri: CALLBACK,
        code_verifier: 'v'.repeat(43),
        code,
      });
      expect(issued.status).toBe(200);
      const refresh = { grant_type: 'refresh_token', client_id: clientId };

      const card = page.getByRole('listitem').filter({ hasText: 'A client' });
      await card.getByRole('heading', { name: 'A client' }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'agents-some');
      await card.getByRole('link', { name: 'A client' }).click();
      await page.getByRole('heading', { name: 'A client', level: 1 }).waitFor();
      await page.getByText(clientId).waitFor();
      const limits = page.getByRole('region', { name: 'What it may do' });
      await limits.getByRole('button', { name: 'Change what A client may do' }).click();
      await limits.getByRole('radio', { name: 'Only read' }).check();
      await limits.getByLabel('Rate limit').fill('5');
      await limits.getByRole('button', { name: 'Save' }).click();
      await limits.getByText('The new limits of A client apply from its next call.').waitFor();
      await page.reload();
      await limits.getByText('Only read', { exact: true }).waitFor();
      await limits.getByText('5 calls a minute').waitFor();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      const question = page.getByRole('dialog', { name: 'Disconnect “A client”?' });
      await question.getByText('keeps working for up to an hour').waitFor();
      await question.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('A client is disconnected.').waitFor();
      await page.goto(at('/agents'));
      await page.getByText('No agents yet').waitFor();
      const again = await token(gateway, { ...refresh, refresh_token: issued.body.refresh_token });
      expect(again.body.error).toBe('invalid_grant');
      await close();
    });
  });
}
