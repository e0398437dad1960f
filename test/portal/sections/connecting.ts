// Tests connecting with a key and with an imported session, including refusals and repeated connects.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations, expectSoundInEveryLook, photograph, scrollsSideways } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const DAY = 86_400;
const isInvalid = (page: Page, label: string) =>
  page.getByRole('textbox', { name: label }).getAttribute('aria-invalid');

export function itConnects(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('Connecting with an API key', () => {
    it.each([
      { theme: 'light', width: 1280 },
      { theme: 'dark', width: 390 },
    ] as const)('asks for every field, and shows errors beside the fields, $theme, $width', async (look) => {
      const { page, complaints, close } = await signIn(subject, look);
      await page.getByRole('button', { name: 'Connect Datadog' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Datadog' });
      // The fields load a little later than the dialog. The first field then takes the focus.
      await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('site');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      expect(await dialog.getByText('This is required.').count()).toBe(3);
      expect(await page.evaluate('document.activeElement.name')).toBe('site');
      await dialog.getByLabel('Site').selectOption('datadoghq.eu');
      await dialog.getByLabel('API key').fill('the key');
      expect(await dialog.getByText('This is required.').count()).toBe(1);
      expect(await dialog.getByLabel('API key').getAttribute('type')).toBe('password');
      expect(await axeViolations(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await photograph(page, `connect-key-${look.theme}-${look.width}`);
      await dialog.getByLabel('Application key').fill('the other key');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await page.getByRole('status').getByText('Datadog is connected.').waitFor();
      await page.getByRole('heading', { name: 'Connected 1' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `connected-toast-${look.theme}-${look.width}`);

      await page.getByRole('link', { name: 'Datadog' }).click();
      await page.getByText('Datadog is connected.').waitFor({ state: 'hidden' });
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('the key you entered still works').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('closes the dialog once another window has connected', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('button', { name: 'Connect Sentry' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Sentry' });
      await dialog.getByLabel('Auth token').fill('half of it');
      const other = await page.context().newPage();
      await other.goto(at('/integrations/sentry?show=settings'));
      await other.getByRole('button', { name: 'Connect', exact: true }).click();
      await other.getByLabel('Auth token').fill('a token');
      await other.keyboard.press('Enter');
      await other.getByText('Sentry is connected.').waitFor();
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await page.getByRole('status').getByText('Sentry is connected.').waitFor();
      await dialog.waitFor({ state: 'detached' });
      await close();
    });

    it('shows a refusal beside its field, and keeps the typed values', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/redmine?show=settings'));
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const address = page.getByLabel('Address of your Redmine');
      await address.fill('http://169.254.169.254/redmine');
      await page.getByLabel('API access key').fill('the key');
      await page.keyboard.press('Enter');
      await page.getByText('Connecting to 169.254.169.254 is not allowed').waitFor();
      expect(await isInvalid(page, 'Address of your Redmine')).toBe('true');
      expect(await page.getByLabel('API access key').getAttribute('aria-invalid')).toBe('false');
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      expect(await address.inputValue()).toBe('http://169.254.169.254/redmine');
      expect(await page.getByLabel('API access key').inputValue()).toBe('the key');
      await address.fill('http://127.0.0.1:9/redmine');
      await page.keyboard.press('Enter');
      await page.getByText('Redmine is connected.').waitFor();
      await page.getByText('Agents can act as you in Redmine. Not tested yet').waitFor();
      await close();
    });
  });

  describe('Importing a session', () => {
    const session = (value: string, days: number) => [
      {
        name: 'remember-me',
        value,
        domain: '127.0.0.1',
        path: '/',
        expires: Math.floor(Date.now() / 1000) + days * DAY,
      },
    ];

    it('imports pasted cookies, and asks for new cookies before they expire', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/jenkins?show=settings'));
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Import a session for Jenkins' });
      const other = page.getByRole('button', { name: 'Import a session instead' });
      await other.click();
      await dialog.getByText('the gateway uses a browser session').waitFor();
      await dialog.getByLabel('Address of your Jenkins').fill('http://127.0.0.1:9/jenkins');
      await dialog.getByLabel('Session as JSON').fill('[{');
      await dialog.getByRole('button', { name: 'Import' }).click();
      await dialog.getByText('Paste valid JSON.').waitFor();
      await dialog.getByLabel('Session as JSON').fill('[{"name": "a", "value": "b"}]');
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.waitForFunction(`document.querySelector('.connect-problem:not(:empty)')
        ?.textContent !== 'Paste valid JSON.'`);
      expect(await isInvalid(page, 'Session as JSON')).toBe('true');
      expect(await isInvalid(page, 'Address of your Jenkins')).toBe('false');
      await expectSoundInEveryLook(page, 'connect-session');
      await dialog.getByLabel('Session as JSON').fill(JSON.stringify(session('one', 1)));
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByText('Jenkins is connected.').waitFor();
      await page.getByText('The sign-in expires in 1 day').waitFor();

      // Reconnects from the gallery without the address, which the gateway knows.
      await page.getByRole('link', { name: 'Integrations', exact: true }).first().click();
      await page.getByRole('heading', { name: 'Needs attention 1' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Reconnect Jenkins' }).click();
      await other.click();
      await dialog.getByLabel('Session as JSON').fill(JSON.stringify(session('two', 30)));
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByText('Jenkins is connected.').waitFor();
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor({ state: 'detached' });
      await close();
    });

    it('exports the session as a file after a question, and imports that file', async () => {
      const { page, complaints, close } = await signIn(subject);
      const imported = await subject.gateway().request('/api/integrations/jenkins/session/import', {
        method: 'POST',
        headers: { Authorization: `Bearer ${subject.gateway().session}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ session: session('two', 30), instanceUrl: 'http://127.0.0.1:9/jenkins' }),
      });
      expect(imported.status).toBe(200);
      await page.goto(at('/integrations/jenkins?show=settings'));
      const panel = page.getByRole('region', { name: 'Session' });
      await panel.getByRole('button', { name: 'Export' }).click();
      const question = page.getByRole('dialog', { name: 'Export your Jenkins session?' });
      await question.getByText('Anyone who has the file can act as you in Jenkins').waitFor();
      await expectSoundInEveryLook(page, 'session-export');
      const saved = page.waitForEvent('download');
      await question.getByRole('button', { name: 'Download file' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe('jenkins-session.json');
      await panel.getByText('jenkins-session.json is in your downloads.').waitFor();
      const text = await readFile(await file.path(), 'utf8');
      expect(JSON.parse(text)).toMatchObject({
        integration: 'jenkins',
        session: { v: 1, cookies: [{ name: 'remember-me', value: 'two' }] },
      });

      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByText('still works for anyone who has its cookies').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      // Without a connection there is no session to look after.
      expect(await panel.count()).toBe(0);
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByRole('button', { name: 'Import a session instead' }).click();
      const dialog = page.getByRole('dialog', { name: 'Import a session for Jenkins' });
      await dialog.getByLabel('Address of your Jenkins').fill('http://127.0.0.1:9/jenkins');
      await dialog.getByLabel('Session as JSON').fill(text);
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByText('Jenkins is connected.').waitFor();
      await page.getByText('Agents can act as you in Jenkins. Not tested yet').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  });

  describe('A login that was cancelled while the browser started', () => {
    it('does not take the person away from their page, and ends on the gateway', async () => {
      const { page, close } = await signIn(subject);
      const started = Promise.withResolvers<void>();
      await page.route('**/api/auth/jenkins*', async (route) => {
        await started.promise;
        await route.fulfill({ json: { loginUrl: 'http://127.0.0.1:9/login' } });
      });
      await page.goto(at('/integrations/jenkins?show=settings'));
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await page.getByLabel('Address of your Jenkins').fill('http://127.0.0.1:9');
      const asked = page.waitForRequest('**/api/auth/jenkins*');
      await page.getByRole('button', { name: 'Open the sign-in' }).click();
      await asked;
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor();
      const ended = Promise.all([
        page.waitForRequest('**/api/auth/cookie/jenkins/cancel'),
        page.waitForRequest('**/api/auth/cookie/jenkins/cdp/detach'),
      ]);
      started.resolve();
      await ended;
      expect(page.url()).toBe(at('/tools'));
      await close();
    });
  });
}
