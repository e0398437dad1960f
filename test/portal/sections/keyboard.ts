// Tests every action with the keyboard alone: Tab to a control, then press it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pretendJot } from '../pretended-jots.ts';
import { signIn, type Subject } from './subject.ts';

// Returns the accessible name, closely enough for the controls of the portal.
const FOCUSED = `(() => {
  const it = document.activeElement;
  const label = it.labels?.[0]?.innerText ?? '';
  return it.getAttribute('aria-label') ?? (label !== '' ? label : it.innerText.trim());
})()`;
// Tells whether the focused element lies under the tabs.
const IS_HIDDEN = `(() => {
  const it = document.activeElement;
  const tabs = document.querySelector('.nav');
  return !tabs.contains(it) && it.getBoundingClientRect().top >= tabs.getBoundingClientRect().top;
})()`;
const MAX_STOPS = 160;

export function itNeedsNoMouse(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const focused = (page: Page): Promise<string> => page.evaluate<string>(FOCUSED);

  /** Presses Tab until the focused element has this name. Returns the names that it passed. */
  async function tabTo(page: Page, name: RegExp): Promise<string[]> {
    const passed: string[] = [];
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      await page.keyboard.press('Tab');
      const here = await focused(page);
      if (name.test(here)) return passed;
      passed.push(here);
    }
    throw new Error(`no stop is called ${name}: ${passed.join(' | ')}`);
  }

  async function press(page: Page, name: RegExp, key = 'Enter'): Promise<void> {
    await tabTo(page, name);
    await page.keyboard.press(key);
  }

  describe('By keyboard alone', () => {
    it('moves through a page in reading order', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('link', { name: 'Time', exact: true }).waitFor();
      const passed = await tabTo(page, /^Time$/);
      const order = [
        /^Skip to content$/,
        /^Gateway$/,
        /^Integrations$/,
        /^Tools$/,
        /^Approvals$/,
        /^Activity$/,
        /^Agents$/,
        /^Jots$/,
        /^Connect an agent$/,
        /Account$/,
        /^Search integrations$/,
        /^All$/,
        /^Connect \w+$/,
      ];
      const places = order.map((each) => passed.findIndex((stop) => each.test(stop)));
      expect(places, passed.join(' | ')).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      // "Skip to content" works: the next stop is in the page.
      await page.reload();
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      await press(page, /^Skip to content$/);
      await page.keyboard.press('Tab');
      expect(await focused(page)).not.toBe('Gateway');
      await close();
    });

    it('connects and disconnects an integration, and returns the focus', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/grafana?show=settings'));
      await page.getByRole('heading', { name: 'Grafana', level: 1 }).waitFor();
      const token = page.getByRole('dialog').getByLabel('Service account token');
      await press(page, /^Connect$/);
      await token.waitFor();
      await expect.poll(() => focused(page)).toBe('Address of your Grafana');
      await page.keyboard.type('http://127.0.0.1:9');
      await tabTo(page, /Service account token/);
      await page.keyboard.type('a token');
      // The typed text is still there after the dialog closes and opens again.
      await page.keyboard.press('Escape');
      // Waits until the dialog is removed, because it is hidden a moment before its page knows.
      await page.locator('.connect-form').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Connect');
      await page.keyboard.press('Enter');
      await token.waitFor();
      await tabTo(page, /Service account token/);
      expect(await token.inputValue()).toBe('a token');
      await page.keyboard.press('Enter');
      await page.getByText('Grafana is connected.').waitFor();
      await press(page, /^Disconnect$/);
      await press(page, /^Disconnect$/);
      await page.getByRole('button', { name: 'Connect', exact: true }).waitFor();
      await expect.poll(() => focused(page)).toMatch(/^Grafana is disconnected\./);
      await press(page, /^Connect$/);
      await page.getByRole('dialog').waitFor();
      await close();
    });

    it('keeps the focus in the dialog when the person switches the connect method', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations/jenkins?show=settings'));
      await page.getByRole('heading', { name: 'Jenkins', level: 1 }).waitFor();
      await press(page, /^Connect$/);
      await press(page, /^Import a session instead$/);
      await page.getByRole('dialog', { name: 'Import a session for Jenkins' }).waitFor();
      await expect.poll(() => focused(page)).toBe('Address of your Jenkins');
      await press(page, /^Sign in here instead$/);
      await page.getByRole('dialog', { name: 'Connect Jenkins' }).waitFor();
      await expect.poll(() => focused(page)).toBe('Address of your Jenkins');
      await close();
    });

    it('hides no focused element under the tabs of a narrow window', async () => {
      const { page, settled, close } = await signIn(subject);
      await page.setViewportSize({ width: 640, height: 400 });
      for (const path of ['/', '/clients', '/tools?tool=time_convert']) {
        await page.goto(at(path));
        await page.getByRole('heading', { level: 1 }).waitFor();
        await settled();
        await tabTo(page, /^Jots$/);
        const hidden: string[] = [];
        for (let stop = 0; stop < 25; stop++) {
          await page.keyboard.press('Tab');
          if (await page.evaluate<boolean>(IS_HIDDEN)) hidden.push(await focused(page));
        }
        expect(hidden, path).toEqual([]);
      }
      await close();
    });

    it('reveals, rotates and copies the API key, and chooses another client with the arrow keys', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/clients'));
      await tabTo(page, /^Claude Code$/);
      await page.keyboard.press('ArrowRight');
      expect(await focused(page)).toBe('Claude');
      await page.keyboard.press('End');
      await press(page, /^Create the key for curl$/);
      await expect.poll(() => focused(page)).toBe('curl has a key of its own');
      await press(page, /^Copy: Call a tool/);
      await page.getByRole('button', { name: /^Copied: Call a tool/ }).waitFor();
      await page.goto(at('/settings'));
      await page.getByRole('textbox', { name: 'Your personal key' }).waitFor();
      await press(page, /^Reveal$/);
      await page.getByRole('button', { name: 'Hide' }).waitFor();
      await press(page, /^Rotate$/);
      await press(page, /^Rotate key$/);
      await page.getByText('The new key is ready to copy').waitFor();
      await close();
    });

    it('keeps the focus on a pressed button, or passes it on when the button disappears', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/settings'));
      await page.getByRole('textbox', { name: 'Your personal key' }).waitFor();
      await press(page, /^Reveal$/);
      await page.getByRole('button', { name: 'Hide' }).waitFor();
      expect(await focused(page)).toBe('Hide');

      const call = { integration: 'time', tool: 'time_now', success: true, error: null, duration_ms: 1 };
      const pages: Record<string, unknown> = {
        '': { entries: [{ ...call, id: 3, created_at: 3 }], nextCursor: '3' },
        '3': { entries: [{ ...call, id: 2, created_at: 2 }], nextCursor: '2' },
        '2': { entries: [{ ...call, id: 1, created_at: 1 }] },
      };
      await page.route('**/api/audit?*', (route) =>
        route.fulfill({ json: pages[new URL(route.request().url()).searchParams.get('cursor') ?? ''] }),
      );
      await page.goto(at('/activity'));
      await press(page, /^Load more$/);
      await expect.poll(() => page.locator('li.call').count()).toBe(2);
      expect(await focused(page)).toBe('Load more');
      await page.keyboard.press('Enter');
      await expect.poll(() => focused(page)).toBe('End of log');

      const jot = pretendJot('one');
      await page.route('**/api/jots', (route) => route.fulfill({ json: { jots: [jot] } }));
      await page.route('**/api/jots/one', (route) =>
        route.fulfill({ json: { ...jot, ...route.request().postDataJSON() } }),
      );
      await page.goto(at('/jots'));
      await press(page, /^Settings of one$/);
      await page.getByRole('dialog').waitFor();
      await press(page, /^Allow scripts/, 'Space');
      await press(page, /^Save$/);
      await page.getByText('Settings of one are saved.').waitFor();
      await press(page, /^Undo$/);
      await expect.poll(() => focused(page)).toBe('Settings of one are restored.');
      await close();
    });

    it('moves the focus to the page when the pressed button disappears', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/integrations'));
      await press(page, /^Connect Sentry$/);
      await page.getByRole('dialog').getByLabel('Auth token').fill('a token');
      await page.keyboard.press('Enter');
      await page.getByText('Sentry is connected.').waitFor();
      await expect.poll(() => focused(page)).toBe('Sentry');
      await press(page, /^Close$/);
      await expect.poll(() => focused(page)).toBe('Integrations');
      await press(page, /^Hide these steps$/);
      await expect.poll(() => focused(page)).toBe('Integrations');

      await page.goto(at('/activity?success=false'));
      await press(page, /^Clear filters$/);
      await expect.poll(() => focused(page)).toBe('Activity');

      await page.route('**/api/agents', (route) => route.fulfill({ status: 500, json: { error: 'Away.' } }));
      await page.goto(at('/agents'));
      await tabTo(page, /^Try again$/);
      await page.unroute('**/api/agents');
      await page.keyboard.press('Enter');
      await page.getByText('Away.').waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe('Agents');
      await close();
    });

    it('does not announce the age of the last call every minute', async () => {
      const { page, close } = await signIn(subject);
      const call = {
        id: 1,
        integration: 'time',
        tool: 'time_now',
        success: true,
        error: null,
        duration_ms: 1,
      };
      await page.route('**/api/audit?*', (route) =>
        route.fulfill({ json: { entries: [{ ...call, created_at: 1 }] } }),
      );
      await page.goto(at('/clients'));
      await page.getByRole('status').getByText('Last call: time_now').waitFor();
      expect(await page.locator('[role=status] time').count()).toBe(0);
      await close();
    });

    it('filters calls, and locks and deletes a jot', async () => {
      const { page, close } = await signIn(subject);
      const token: string = await page.evaluate("localStorage.getItem('svc_token')");
      await subject.gateway().request('/rest/jots', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          tool: 'deploy_jot',
          args: { name: 'by-keyboard', files: [{ path: 'index.html', content: 'x' }] },
        }),
      });
      await page.goto(at('/activity'));
      await page.getByRole('list', { name: 'Activity' }).waitFor();
      await press(page, /^Filter$/);
      await tabTo(page, /^Outcome/);
      await page.keyboard.type('Succ');
      await page.waitForURL(/success=true/);

      await page.goto(at('/jots'));
      await page.getByRole('link', { name: 'by-keyboard', exact: true }).waitFor();
      await press(page, /^Settings of by-keyboard$/);
      await page.getByRole('dialog').waitFor();
      await tabTo(page, /^Anyone with the link/);
      await page.keyboard.press('ArrowDown');
      await tabTo(page, /^Password/);
      await page.keyboard.type('secret');
      await page.keyboard.press('Enter');
      await page.getByText('Settings of by-keyboard are saved.').waitFor();
      expect(await focused(page)).toBe('Settings of by-keyboard');
      await press(page, /^Delete by-keyboard$/);
      await press(page, /^Delete$/);
      await page.getByText('by-keyboard is deleted.').waitFor();
      await close();
    });

    it('chooses a theme and signs out', async () => {
      const { page, close } = await signIn(subject);
      await press(page, /Account$/);
      await tabTo(page, /^System$/);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      // The browser's bars follow the page's theme.
      const bars = `[...document.querySelectorAll('meta[name="theme-color"]')]
        .find(({ media }) => matchMedia(media).matches).content`;
      expect(await page.evaluate(bars)).toBe('#131211');
      await press(page, /^Sign out$/);
      await page.getByText('You are signed out').waitFor();
      await close();
    });
  });
}
