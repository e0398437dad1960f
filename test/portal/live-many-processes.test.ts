// Tests the live view on several gateways: every request of a person reaches the gateway that has their browser.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openChromium, describeInChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { type LoginSite, startLoginSite } from '../support/login-site.ts';
import { describeNginx, startNginx } from '../support/nginx.ts';
import { openStage } from './stage.ts';

vi.setConfig({ testTimeout: 120_000 });

describeInChromium('Live view', () => {
  describeNginx('with three gateways behind nginx', () => {
    let browser: Browser;
    let home: Site;
    let gateways: [Gateway, Gateway, Gateway];
    let site: LoginSite;
    let nginx: Awaited<ReturnType<typeof startNginx>>;
    let base: string;

    beforeAll(async () => {
      home = await openSite();
      const port = await freePort();
      base = `http://localhost:${port}`;
      const env = { SERVER_PUBLIC_URL: base, PENDING_STORE: 'database' };
      // The first gateway makes the secrets that all gateways share.
      const first = await home.start({ env });
      gateways = [first, await home.start({ env }), await home.start({ env })];
      [browser, site, nginx] = await Promise.all([
        openChromium(),
        startLoginSite(),
        startNginx(
          gateways.map((gateway) => gateway.port),
          port,
        ),
      ]);
    });

    afterAll(async () => {
      await Promise.all([browser.close(), nginx.stop(), site.close(), ...gateways.map(({ stop }) => stop())]);
      await home.close();
    });

    // The key picks the gateway at random. Three people hardly ever all get the gateway that was asked first.
    it.each(['ana', 'ben', 'cyd'])('shows %s their own browser', async (name) => {
      const { stdout, code } = await home.seed(['--email', `${name}@example.com`, '--json'], {
        SERVER_PUBLIC_URL: base,
      });
      expect(code).toBe(0);
      const { session, apiKey }: Pick<Banner, 'session' | 'apiKey'> = JSON.parse(stdout);
      const person = {
        ...gateways[0],
        portalLink: `${base}/#token=${session}`,
        session,
        apiKey,
      };
      const stage = await openStage(
        { browser: () => browser, gateway: () => person, site: () => site },
        '/login',
      );
      expect(stage.complaints).toEqual([]);
      await stage.leave();
    });
  });
});
