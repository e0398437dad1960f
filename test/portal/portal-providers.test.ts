// Tests the portal of a gateway with sign-in providers.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { openProvidedGateway, type ProvidedGateway } from './providers.ts';
import { itFollowsProviders } from './sections/providers.ts';

// A test visits many pages and takes many screenshots.
vi.setConfig({ testTimeout: 120_000 });

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
