// The portal in a real browser, before a real gateway. Pictures of every page go to screenshots/.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { type RunningGateway, startGateway } from './gateway.ts';
import { itHasSoundPages } from './sections/pages.ts';
import { itShowsManyIntegrations } from './sections/gallery.ts';
import { itKeepsApiKeys } from './sections/api-keys.ts';
import { itRunsTools } from './sections/explorer.ts';
import { itSignsPeopleIn } from './sections/signing-in.ts';

describeInChromium('Portal', () => {
  let browser: Browser;
  let gateway: RunningGateway;

  beforeAll(async () => {
    [browser, gateway] = await Promise.all([openChromium(), startGateway()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), gateway?.stop()]);
  });

  const subject = { browser: () => browser, gateway: () => gateway };
  itSignsPeopleIn(subject);
  itHasSoundPages(subject);
  itShowsManyIntegrations(subject);
  itKeepsApiKeys(subject);
  itRunsTools(subject);
});
