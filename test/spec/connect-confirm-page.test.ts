// Looks at the question of connect-confirm.test.ts in a real browser. decision: 025, a flow that returns without its browser
import { expect, it } from 'vitest';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { openConnectStand } from '../support/connect-stand.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';

describeInChromium('the question in Chromium', () => {
  it('fits narrow and wide windows in both themes, and one click connects', async () => {
    const stand = await openConnectStand();
    const server = await startHttpServer();
    const base = `http://localhost:${server.port}`;
    await stand.reopen({ SERVER_PUBLIC_URL: base, CONNECT_CONFIRM: 'unbound' });
    const { getRequestListener } = await import('@hono/node-server');
    const listener = getRequestListener(stand.app.fetch, { overrideGlobalObjects: false });
    server.answer((request, response) => void listener(request, response));
    const chromium = await openChromium();
    const longUser = await stand.app.user(`${'long-name-'.repeat(6)}@a-long-company-name.example`);
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [320, 1280]) {
        const page = await chromium.newPage({ colorScheme, viewport: { width, height: 800 } });
        const problems: string[] = [];
        page.on('console', (message) => problems.push(message.text()));
        const { url } = await call(stand.app, longUser.keyHeader, 'connect', { integration: 'vaulted' });
        const authorize = new URL(url);
        stand.provider.expect('code-1', authorize.searchParams.get('code_challenge') ?? '');
        const state = authorize.searchParams.get('state');
        await page.goto(`${base}/api/auth/plugin/vaulted/callback?code=code-1&state=${state}`);
        expect(await page.textContent('h1')).toBe('Connect Vaulted?');
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(
          0,
        );
        const colours = await page.evaluate(
          "[...document.querySelectorAll('.choice button')].map((one) => getComputedStyle(one).backgroundColor)",
        );
        expect(new Set(colours as string[]).size).toBe(2);
        if (process.env['SHOTS'] !== undefined)
          await page.screenshot({
            path: `${process.env['SHOTS']}/${colorScheme}-${width}.png`,
            fullPage: true,
          });
        // Some people double-click everything.
        await page.dblclick('text=Connect to', { delay: 50 });
        await page.waitForURL(`${base}/#connected=vaulted`);
        expect(problems.filter((text) => !text.includes('404'))).toEqual([]);
        await page.close();
      }
    }
    expect(await stand.connected('vaulted', longUser.keyHeader)).toBe(true);

    // A script of the portal begins, and the same browser comes back.
    const page = await chromium.newPage();
    await page.goto(`${base}/api/health`);
    const begun = await page.evaluate(
      `fetch('/api/auth/vaulted', { headers: ${JSON.stringify(stand.ana.sessionHeader)} }).then((one) => one.json())`,
    );
    const authorize = new URL((begun as { url: string }).url);
    stand.provider.expect('code-2', authorize.searchParams.get('code_challenge') ?? '');
    const state = authorize.searchParams.get('state');
    await page.goto(`${base}/api/auth/plugin/vaulted/callback?code=code-2&state=${state}`);
    expect(page.url()).toBe(`${base}/#connected=vaulted`);
    expect(await stand.connected('vaulted')).toBe(true);
    await chromium.close();
    await server.close();
    await stand.close();
  });
});
