// Describes portal tests. Each test gets a gateway of its own, started as `npm start` does; all share one browser.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import type { Subject } from './sections/subject.ts';

// No test asks a real provider about a made-up key.
const NOBODY = [
  'https://api.datadoghq.eu',
  'https://sentry.io',
  'https://us.sentry.io',
  'https://de.sentry.io',
]
  .map((origin) => `${origin}=http://127.0.0.1:9`)
  .join();

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
      gateway = await site.start({ command: START, env: { UPSTREAM_MAP: NOBODY } });
    });
    afterEach(async () => {
      // A page that still asks through a test's route must not see its gateway go. A failed test leaves its windows open.
      const contexts = browser.contexts();
      const pages = contexts.flatMap((context) => context.pages());
      await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
      await Promise.all(contexts.map((context) => context.close()));
      await site.close();
    });
    afterAll(() => browser.close());

    sections({
      browser: () => browser,
      gateway: () => gateway,
      async restart() {
        gateway = await site.start({ command: START, env: { UPSTREAM_MAP: NOBODY }, port: gateway.port });
      },
      seed: (args, env) => site.seed(args, env),
    });
  });
}
