// One person's browser window on the portal, and everything it complained about.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const SCREENSHOTS = join(import.meta.dirname, '../../screenshots');
const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export interface Look {
  theme: 'light' | 'dark';
  width: number;
}

export interface Visit {
  page: Page;
  /** Console errors, page errors and refusals of the content security policy. */
  complaints: string[];
  close(): Promise<void>;
}

export async function visit(browser: Browser, { theme, width }: Look): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: width < 760 ? 844 : 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: width < 760,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    complaints.push(`${message.text()} ${message.location().url}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** What axe finds wrong, a line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run({resultTypes: ['violations']}).then(({violations}) => violations
    .flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) => id + ': ' + html + ' ' + failureSummary)))`);
}

/** True when the page is wider than the window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

export async function photograph(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}
