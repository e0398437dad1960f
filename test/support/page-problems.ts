// Collects what a page of the gateway itself writes to the console of its browser.
import type { Page } from 'playwright-core';

export function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // The typeface is the portal's, which these tests do not build.
    if (!message.location().url.endsWith('/assets/inter.woff2')) problems.push(message.text());
  });
  return problems;
}
