// The portal in a real browser, before a real gateway. Pictures of every page go to screenshots/.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { openProvidedGateway, type ProvidedGateway } from './providers.ts';
import { itLivesThroughBadDays } from './sections/bad-days.ts';
import { itConnects } from './sections/connecting.ts';
import { itHasSoundPages } from './sections/pages.ts';
import { itShowsManyIntegrations } from './sections/gallery.ts';
import { itFollowsProviders } from './sections/providers.ts';
import { itKeepsApiKeys } from './sections/api-keys.ts';
import { itKeepsSecrets } from './sections/secrets.ts';
import { itManagesJots } from './sections/jots-page.ts';
import { itNeedsNoMouse } from './sections/keyboard.ts';
import { itRunsTools } from './sections/explorer.ts';
import { itSignsPeopleIn } from './sections/signing-in.ts';
import type { Subject } from './sections/subject.ts';

// Many pages and pictures in one test.
vi.setConfig({ testTimeout: 120_000 });

describePersonInChromium('Portal', () => {
  let browser: Browser;
  let site: Site;
  let gateway: Gateway & Banner;

  beforeAll(async () => {
    browser = await openChromium();
  });
  beforeEach(async () => {
    site = await openSite();
    gateway = await site.start({ command: ['npm', 'start'] });
  });
  afterEach(() => site.close());
  afterAll(() => browser.close());

  const subject: Subject = {
    browser: () => browser,
    gateway: () => gateway,
    seed: (args, env) => site.seed(args, env),
  };
  itSignsPeopleIn(subject);
  itHasSoundPages(subject);
  itShowsManyIntegrations(subject);
  itKeepsApiKeys(subject);
  itRunsTools(subject);
  itConnects(subject);
  itManagesJots(subject);
  itLivesThroughBadDays(subject);
  itNeedsNoMouse(subject);
  itKeepsSecrets(subject);
});

describePersonInChromium('Portal of a gateway with providers', () => {
  let browser: Browser;
  let provided: ProvidedGateway;

  beforeAll(async () => {
    browser = await openChromium();
  });
  beforeEach(async () => {
    provided = await openProvidedGateway();
  });
  afterEach(() => provided.close());
  afterAll(() => browser.close());

  itFollowsProviders({ browser: () => browser, provided: () => provided });
});
