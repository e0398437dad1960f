// Tests that a person connects a real MediaWiki in the live view, and that a tool edits a page with that session.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { call } from '../support/mcp.ts';
import {
  describeWithMediawiki,
  startMediawiki,
  type Wiki,
  WIKI_PASSWORD,
  WIKI_USER,
} from '../support/real-mediawiki.ts';
import { axeViolations, photograph } from './visit.ts';
import { DESKTOP, signIn } from './sections/subject.ts';

const LIT = /button-primary/;

describeWithMediawiki('Live view of MediaWiki', () => {
  describePersonInChromium('in the portal', () => {
    let browser: Browser;
    let home: Site;
    let gateway: Gateway & Banner;
    let wiki: Wiki;

    beforeAll(async () => {
      home = await openSite();
      [browser, gateway, wiki] = await Promise.all([
        openChromium(),
        home.start({ command: START }),
        startMediawiki(),
      ]);
    }, 120_000);

    afterAll(async () => {
      gateway.signal('SIGTERM', 'group');
      await Promise.all([browser.close(), gateway.exited, wiki.stop()]);
      await home.close();
    });

    const key = () => ({ 'x-service-api-key': gateway.apiKey });

    /** Signs in by keyboard alone, up to the wiki's own page. */
    async function signInToWiki(page: Page): Promise<void> {
      const finish = page.getByRole('button', { name: 'I’m signed in' });
      await page.getByText('Live', { exact: true }).waitFor();
      // The wiki focuses its first field.
      await page.getByRole('textbox', { name: 'Username' }).waitFor();
      expect(await finish.getAttribute('class')).not.toMatch(LIT);
      await page.keyboard.type(WIKI_USER);
      await page.keyboard.press('Tab');
      await page.getByLabel('Password').waitFor();
      await page.keyboard.type(WIKI_PASSWORD);
      await page.keyboard.press('Enter');
      // The button lights up once the person has left the wiki's login.
      await page.locator('.live-finish.button-primary').waitFor();
      await photograph(page, 'live-wiki-light-1280');
      expect(await axeViolations(page)).toEqual([]);
      await finish.click();
      await page.getByText('MediaWiki is connected.').waitFor();
      expect(page.url()).toBe(`${gateway.base}/integrations/mediawiki`);
    }

    async function edit(title: string, text: string): Promise<unknown> {
      const executions = [
        { tool: 'mediawiki_edit_page', args: { title, text } },
        { tool: 'mediawiki_get_page', args: { title } },
        { tool: 'mediawiki_whoami', args: {} },
      ];
      const answers: unknown[] = [];
      // The second call reads what the first call has written.
      for (const execution of executions) {
        const { results } = await call(gateway, key(), 'execute_tools', { executions: [execution] });
        answers.push(results[0]);
      }
      return answers;
    }

    it('lets a person connect the wiki and a tool edit a page as them', async () => {
      const { page, close } = await signIn({ browser: () => browser, gateway: () => gateway }, DESKTOP);
      onTestFinished(close);
      await page.getByRole('button', { name: 'Connect MediaWiki' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect MediaWiki' });
      const address = dialog.getByLabel('Address of your MediaWiki');
      await address.fill('http://169.254.169.254/w');
      await dialog.getByRole('button', { name: 'Open the sign-in' }).click();
      await dialog.getByText('Connecting to 169.254.169.254 is not allowed').waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'connect-live-light-1280');
      await address.fill(wiki.url);
      await dialog.getByRole('button', { name: 'Open the sign-in' }).click();
      await page.getByRole('heading', { name: 'Sign in to MediaWiki', level: 1 }).waitFor();
      expect(page.url()).toBe(`${gateway.base}/live/mediawiki`);
      await signInToWiki(page);
      const answers = JSON.stringify(await edit('By hand', 'Written with a session of a person.'));
      expect(answers).not.toContain('"error"');
      expect(answers).toContain('Written with a session of a person.');
      expect(answers).toContain(WIKI_USER);
    }, 60_000);

    it('connects the wiki by an agent’s link, and answers CONNECTED to wait_for_connection', async () => {
      const asked = await call(gateway, key(), 'connect', { integration: 'mediawiki' });
      expect(asked.type).toBe('cookie');
      const waiting = call(gateway, key(), 'wait_for_connection', {
        connectionId: asked.connectionId,
        timeoutSec: 55,
      });
      const { page, close } = await signIn({ browser: () => browser, gateway: () => gateway }, DESKTOP);
      onTestFinished(close);
      await page.goto(asked.url);
      await page.getByRole('heading', { name: 'Connect MediaWiki', level: 1 }).waitFor();
      expect(page.url()).toBe(`${gateway.base}/connect`);
      await page.getByText('in a private browser on this gateway').waitFor();
      // The gateway knows the wiki's address from the first connection.
      await page.getByText('Leave empty to keep the current address').waitFor();
      await page.getByRole('button', { name: 'Continue', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in to MediaWiki', level: 1 }).waitFor();
      // The wiki still knows this browser, so it asks for no password.
      await page.getByText('Live', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'I’m signed in' }).click();
      await page.getByText('MediaWiki is connected.').waitFor();
      expect(await waiting).toEqual({ status: 'CONNECTED' });
      const answers = JSON.stringify(await edit('By link', 'Written after a link.'));
      expect(answers).not.toContain('"error"');
      expect(answers).toContain('Written after a link.');
    }, 90_000);
  });
});
