// Describes portal tests. Each test gets a gateway of its own, started with `npm start`; all share one browser.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import type { Subject } from './sections/subject.ts';

export function describePortal(name: string, sections: (subject: Subject) => void): void {
  // A test visits many pages and takes many screenshots.
  vi.setConfig({ testTimeout: 120_000 });

  describePersonInChromium(name, () => {
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

    sections({
      browser: () => browser,
      gateway: () => gateway,
      seed: (args, env) => site.seed(args, env),
    });
  });
}
