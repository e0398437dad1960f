// Drives the live view as a person does: finds places in the picture, and clicks and types there.
import type { Browser, Locator, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import type { Banner, Gateway } from '../support/gateway-process.ts';
import type { LoginSite } from '../support/login-site.ts';
import { ROW } from '../support/login-site-pages.ts';
import { DESKTOP, signIn } from './sections/subject.ts';
import { FRAME, type Look, photographFailure, type Visit } from './visit.ts';

// The gateway's browser may take half of this to start.
const PATIENCE_MS = 60_000;

export interface LiveSubject {
  browser: () => Browser;
  gateway: () => Gateway & Banner;
  site: () => LoginSite;
}

export interface Place {
  x: number;
  y: number;
}

export interface Stage extends Visit {
  /** Converts a place of the site's page into a place of the portal's window. */
  at: (place: Place) => Promise<Place>;
  click: (place: Place) => Promise<void>;
  /** Waits until the picture shows a control with its left edge at the place. */
  sees: (place: Place) => Promise<void>;
  /** Waits until the picture shows no control there. */
  misses: (place: Place) => Promise<void>;
  /** Opens a path of the site with the address bar. */
  go: (path: string) => Promise<void>;
  address: Locator;
  /** Waits until the address bar shows the address. */
  arrives: (url: string) => Promise<void>;
  /** Leaves the live view, and waits until the gateway has detached it. */
  leave: () => Promise<void>;
}

/** Returns the left edge of the page's nth control. */
export function edgeOf(row: number): Place {
  return { x: ROW.left + 1, y: ROW.top + row * ROW.step + ROW.height / 2 };
}

/** Follows a link to the person's browser at a page of the login site. */
export async function openStage(
  subject: LiveSubject,
  path: string,
  { look = DESKTOP, sees = edgeOf(0) }: { look?: Look; sees?: Place } = {},
): Promise<Stage> {
  const visit = await signIn(subject, look);
  // A window that stays open after a failure would block the browser for the next tests.
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      await photographFailure(visit.page, `failed ${task.name.slice(0, 40)}`);
    await visit.close();
  });
  const stage = stageOf(visit, subject);
  await visit.page.goto(await browserLink(subject, path));
  await visit.page.getByRole('button', { name: 'Continue' }).click();
  await stage.sees(sees);
  return stage;
}

export async function browserLink({ gateway, site }: LiveSubject, path: string): Promise<string> {
  const answer = await gateway().request('/api/browser-session/live-url', {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway().session}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: site().url + path }),
  });
  const { url }: { url: string } = await answer.json();
  return url;
}

/** Polls until the expression holds, because the pages' policy forbids waiting inside the page. */
async function holds(page: Page, expression: string): Promise<void> {
  const latest = performance.now() + PATIENCE_MS;
  while (!(await page.evaluate<boolean>(expression))) {
    if (performance.now() > latest) throw new Error(`it never held: ${expression}`);
    await page.evaluate(FRAME);
  }
}

export function stageOf(visit: Visit, subject: Pick<LiveSubject, 'site'>): Stage {
  const { page } = visit;
  const canvas = page.getByRole('img', { name: 'Picture of the site' });
  const address = page.getByRole('textbox', { name: 'Address' });

  const isDrawn = ({ x, y }: Place) =>
    `(() => {
      const canvas = document.querySelector('canvas');
      if (canvas === null || canvas.clientWidth === 0) return false;
      const scale = canvas.width / canvas.clientWidth;
      const around = [${x - 2}, ${y - 20}, 12, 40].map((length) => Math.round(length * scale));
      const [, , width, height] = around;
      const copy = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
      copy.drawImage(canvas, ...around, 0, 0, width, height);
      const { data } = copy.getImageData(0, 0, width, height);
      return data.some((value, index) => index % 4 !== 3 && data[index - index % 4 + 3] === 255 && value < 215);
    })()`;

  const stage: Stage = {
    ...visit,
    address,
    arrives: (url) =>
      holds(page, `document.querySelector('.live-address input')?.value === ${JSON.stringify(url)}`),
    async at({ x, y }) {
      const box = await canvas.boundingBox();
      return { x: (box?.x ?? 0) + x, y: (box?.y ?? 0) + y };
    },
    async click(place) {
      const { x, y } = await stage.at(place);
      await page.mouse.click(x, y);
    },
    async sees(place) {
      await holds(page, isDrawn(place));
    },
    async misses(place) {
      await holds(page, `!${isDrawn(place)}`);
    },
    async go(path) {
      await address.fill(subject.site().url + path);
      await address.press('Enter');
    },
    async leave() {
      // The next test must not see the page that this test leaves.
      await address.fill('about:blank');
      await address.press('Enter');
      await stage.misses(edgeOf(0));
      const detached = page.waitForResponse(/\/detach$/);
      await page.getByRole('button', { name: /^(Done|Cancel)$/ }).click();
      await detached;
    },
  };
  return stage;
}
