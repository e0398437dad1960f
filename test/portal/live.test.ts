// Tests the live view in the portal with two Chromiums: the person's own, and the one that the live view shows.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { type LoginSite, startLoginSite } from '../support/login-site.ts';
import { itNamesAccounts } from './sections/live-accounts.ts';
import { itFitsPhones } from './sections/live-phone.ts';
import { itHasStates } from './sections/live-states.ts';
import { itShowsPages } from './sections/live-pages.ts';
import { itTypes } from './sections/live-typing.ts';

vi.setConfig({ testTimeout: 120_000 });

describePersonInChromium('Live view', () => {
  let browser: Browser;
  let home: Site;
  let gateway: Gateway & Banner;
  let site: LoginSite;

  beforeAll(async () => {
    home = await openSite();
    [browser, gateway, site] = await Promise.all([
      openChromium(),
      home.start({ command: START }),
      startLoginSite(),
    ]);
  });

  afterAll(async () => {
    // The gateway closes its browsers on a signal. npm does not pass the signal on.
    gateway.signal('SIGTERM', 'group');
    await Promise.all([browser.close(), gateway.exited, site.close()]);
    await home.close();
  });

  const subject = { browser: () => browser, gateway: () => gateway, site: () => site };
  itTypes(subject);
  itShowsPages(subject, () => home.dataDir);
  itFitsPhones(subject);
  itNamesAccounts(subject);
  itHasStates(subject);
});
