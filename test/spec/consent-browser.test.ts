// Tests the choices of the consent page in a real browser. reference: Consent page
import { expect, it } from 'vitest';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { openConsentStand } from '../support/consent-stand.ts';
import { startHttpServer } from '../support/http-server.ts';
import { authorizeQuery, CALLBACK, registered } from '../support/oauth-client.ts';
import { problemsOf } from '../support/page-problems.ts';

const DAY = 86_400;

describeInChromium('the choices in Chromium, without JavaScript', () => {
  it('are shown in both themes and widths, and reach the grant', async () => {
    const stand = await openConsentStand();
    const server = await startHttpServer();
    const base = `http://localhost:${server.port}`;
    const local = await stand.open({ SERVER_PUBLIC_URL: base, OAUTH_CONSENT: 'always' });
    const { getRequestListener } = await import('@hono/node-server');
    const listener = getRequestListener(local.fetch, { overrideGlobalObjects: false });
    server.answer((request, response) => void listener(request, response));
    const chromium = await openChromium();
    const client = await registered(local);
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [390, 'dark'],
    ] as const) {
      const context = await chromium.newContext({
        javaScriptEnabled: false,
        viewport: { width, height: 900 },
        colorScheme,
      });
      const page = await context.newPage();
      const problems = problemsOf(page);
      await page.goto(`${base}${authorizeQuery(client)}`);
      expect(await page.isVisible('text=All, including new ones')).toBe(true);
      expect(await page.isVisible('text=GitHub')).toBe(false);
      await page.getByLabel('Read only').check();
      await page.click('summary');
      for (const name of ['Echo', 'Jots']) await page.getByLabel(name, { exact: true }).check();
      expect(await page.isVisible('text=All, including new ones')).toBe(false);
      expect(await page.isVisible('text=Only those chosen here')).toBe(true);
      const { width: shown = 0 } = (await page.locator('main').boundingBox()) ?? {};
      expect(shown).toBeLessThanOrEqual(width);
      await page.getByLabel('Expires').selectOption({ label: 'in 7 days' });
      expect(problems).toEqual([]);
      await page.click('button');
      await page.waitForURL(`${stand.provider.issuer}/auth?**`);
      const { searchParams } = new URL(page.url());
      stand.nonce = searchParams.get('nonce') ?? '';
      const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
      const callback = `${base}/api/auth/hosted/callback?code=x&state=${searchParams.get('state')}`;
      await Promise.all([back, page.goto(callback).catch(() => {})]);
      const user = await local.deps.store.users.byEmail('person@example.com');
      const [grant] = await local.deps.store.policies.grants(user?.id ?? '');
      expect(JSON.parse(grant?.limits ?? '')).toEqual({ access: 'read', integrations: ['echo', 'jots'] });
      expect(grant?.expires_at).toBe(local.clock.now() + 7 * DAY);
      await context.close();
    }
    await chromium.close();
    await server.close();
    await local.close();
    await stand.close();
  });
});
