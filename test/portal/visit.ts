// Opens a person's browser window on the portal, and collects its errors and warnings.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { APIResponse, Browser, Page, Request, Route } from 'playwright-core';
import { expect } from 'vitest';

const SCREENSHOTS = join(import.meta.dirname, '../../screenshots');
/** Resolves in the page's next frame. */
export const FRAME = 'new Promise((resolve) => requestAnimationFrame(() => resolve(null)))';
const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export interface Look {
  theme: 'light' | 'dark';
  width: number;
}

export interface Visit {
  page: Page;
  /** Console errors, page errors and refusals of the content security policy. */
  complaints: string[];
  /** Waits until every request has ended. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

export async function visit(browser: Browser, { theme, width }: Look): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: width < 760 ? 844 : 800 },
    colorScheme: theme,
    reducedMotion: 'reduce',
    hasTouch: width < 760,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // Shorter than the timeout of a test, so that a failure names the step.
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    complaints.push(`${message.text()} ${message.location().url}`);
  });
  const asked = new Set<Request>();
  page.on('request', (request) => {
    // It ends when an event comes.
    if (!request.url().includes('/api/events/next')) asked.add(request);
  });
  page.on('requestfinished', (request) => asked.delete(request));
  page.on('requestfailed', (request) => asked.delete(request));
  async function settled(): Promise<void> {
    // Waits for three quiet frames, because a response may lead to another request.
    for (let quiet = 0; quiet < 3; quiet = asked.size === 0 ? quiet + 1 : 0) await page.evaluate(FRAME);
    await untilLoaded(page);
  }

  async function close(): Promise<void> {
    // A route handler may still run when the page closes.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  }

  return { page, complaints, settled, close };
}

/** Fetches what the page asks for, also where the page has it already: a test changes the whole answer. */
export async function fetchWhole(route: Route): Promise<APIResponse> {
  const { 'if-none-match': _, ...headers } = route.request().headers();
  return route.fetch({ headers });
}

/** Waits until every part of the page has its data: several parts may load at once. */
export async function untilLoaded(page: Page): Promise<void> {
  await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
}

/** The rows of a list are alike, so the first ones stand for all. Axe takes seconds for 900 tools. */
const HIDE_LATER_ROWS = `const later = [...document.querySelectorAll('ul, ol, tbody')]
  .flatMap((list) => [...list.children].slice(30))
  .filter((row) => row.style.display === '');
for (const row of later) row.style.display = 'none';`;

/** Returns what axe finds wrong, a line each. */
export async function axeViolations(page: Page): Promise<string[]> {
  // A document keeps axe until the next one replaces it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(AXE);
  return page.evaluate<string[]>(`(async () => {
    ${HIDE_LATER_ROWS}
    // To name every element by a selector takes half the time.
    const { violations } = await axe.run({ resultTypes: ['violations'], selectors: false });
    for (const row of later) row.style.display = '';
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
  })()`);
}

/** Tells whether the page is wider than the window. */
export function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

/** Lists the controls that are less than 44 pixels high, including the area around them that fingers can press. */
export const LOW = `[...document.querySelectorAll('a, button, select, textarea, input:not([type=radio], [type=checkbox])')]
  .filter((each) => each.checkVisibility() && !each.closest('.visually-hidden, .skip'))
  .map((each) => {
    const around = getComputedStyle(each, '::after');
    const own = each.getBoundingClientRect().height;
    const more = around.position === 'absolute' ? Number.parseFloat(around.height) || 0 : 0;
    return [each.getAttribute('aria-label') ?? each.textContent.trim(), Math.round(Math.max(own, more))];
  })
  // Controls far below the window have no layout yet.
  .filter(([, height]) => height > 0 && height < 44)`;

/** Photographs the page if SCREENSHOTS=1 asks for pictures: nothing checks them. */
export async function photograph(page: Page, name: string): Promise<void> {
  if (process.env['SCREENSHOTS'] === '1') await photographFailure(page, name);
}

/** Photographs the page of a failed test. */
export async function photographFailure(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

const WIDE: Look = { theme: 'light', width: 1280 };
const NARROW: Look = { theme: 'dark', width: 390 };

/** Each theme and each width once; with SCREENSHOTS=1 all four, which costs twice the time. */
export const LOOKS: readonly Look[] =
  process.env['SCREENSHOTS'] === '1'
    ? [WIDE, { theme: 'dark', width: 1280 }, { theme: 'light', width: 390 }, NARROW]
    : [WIDE, NARROW];

/** Checks the current page with axe and for sideways scrolling, and photographs it, in each of the looks. */
export async function expectSoundInEveryLook(page: Page, name: string): Promise<void> {
  for (const { theme, width } of LOOKS) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: width < 760 ? 844 : 800 });
    await page.evaluate(FRAME);
    expect(await axeViolations(page), `${name}, ${theme}, ${width}`).toEqual([]);
    expect(await scrollsSideways(page), `${name}, ${theme}, ${width}`).toBe(false);
    await photograph(page, `${name}-${theme}-${width}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1280, height: 800 });
}
