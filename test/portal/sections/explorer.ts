// Tests running tools by mouse and by keyboard, with mistakes, and how Activity and the lamps show the calls.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Banner, Gateway } from '../../support/gateway-process.ts';
import { axeViolations, expectSoundInEveryLook, FRAME, photograph, visit } from '../visit.ts';
import { pretendMany } from '../many.ts';
import { DESKTOP, type Subject, galleryLink, signIn } from './subject.ts';

export function itRunsTools(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('First steps', () => {
    it('waits for the first call even when the list of calls loads last', async () => {
      const { page, close } = await signIn(subject);
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route('**/api/audit?*', (route) => promise.then(() => route.continue()));
      await page.goto(at('/clients'));
      await page.getByRole('tab', { name: 'Claude Code' }).waitFor();
      resolve();
      await page.getByText('Waiting for the first tool call').waitFor();
      await callTimeNow(subject.gateway());
      await page.getByText('It works: time_now was just called').waitFor();
      await close();
    });

    it('does not count a call from before the page opened as new', async () => {
      const { page, settled, close } = await signIn(subject);
      await page.getByText('0 of 3 done').waitFor();
      await settled();
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      await expect.poll(() => newestCall(subject.gateway())).toBe('time_now');
      await page.getByRole('link', { name: 'Connect an agent', exact: true }).click();
      await page
        .getByText(/time_now/)
        .first()
        .waitFor();
      await page.getByText('Last call: time_now').waitFor();
      expect(await page.getByText('It works').count()).toBe(0);
      await callTimeNow(subject.gateway());
      await page.getByText('It works: time_now was just called').waitFor();
      await close();
    });

    it('run a tool in place, and tick only for what worked and for whoever did it', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.getByText('0 of 3 done').waitFor();
      await page.getByRole('img', { name: 'The gateway holds your credentials' }).waitFor();
      const github = page.getByRole('list').getByRole('button', { name: 'GitHub', exact: true });
      const offered = await page.locator('.first-connections button').allInnerTexts();
      expect(offered[0]).toBe('GitHub');

      // A run that fails ticks nothing, and says why.
      await page.route('**/rest/time', (route) =>
        route.fulfill({ status: 502, json: { error: 'TOOL_FAILED', message: 'The clock has stopped.' } }),
      );
      const run = page.getByRole('button', { name: 'What time is it?' });
      await run.click();
      await page.getByText('The clock has stopped.').waitFor();
      expect(await page.getByText('0 of 3 done').count()).toBe(1);
      await page.unroute('**/rest/time');
      expect(complaints.splice(0).every((each) => each.includes('502'))).toBe(true);

      await run.click();
      await page.getByText(/^It is \w+day, .+, in .+\.$/).waitFor();
      await page.getByText(/^time_now answered in .+ Agents get the same answer\./).waitFor();
      await page.getByText('1 of 3 done').waitFor();
      await page.getByRole('heading', { name: /^Run your first tool ?: Done$/ }).waitFor();
      await page.getByRole('heading', { name: /^Connect an agent ?: To do$/ }).waitFor();
      await expectSoundInEveryLook(page, 'first-steps-ran');

      await github.click();
      await page.getByRole('dialog', { name: 'Connect GitHub' }).waitFor();
      await page.keyboard.press('Escape');
      expect(complaints).toEqual([]);
      await close();
    });

    it('tick the client when it calls with the copied key, but not when the explorer runs a tool', async () => {
      const { page, close } = await signIn(subject);
      await page.getByText('0 of 3 done').waitFor();
      await page.getByRole('button', { name: 'Copy: Connect an agent' }).click();
      await page.getByRole('button', { name: 'Copied: Connect an agent' }).waitFor();
      const line: string = await page.evaluate('navigator.clipboard.readText()');
      const [, key] = /^claude mcp add .*x-service-api-key: (agk_[0-9a-f]{64})"$/.exec(line) ?? [];
      const clients = await page.context().newPage();
      await clients.goto(at('/clients'));
      await clients.getByText('Waiting for the first tool call').waitFor();
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      await clients.getByText('It works: time_now was just called').waitFor();
      await page.getByRole('link', { name: 'Integrations', exact: true }).click();
      await page.getByText('1 of 3 done').waitFor();
      await page.getByRole('heading', { name: /^Connect an agent ?: To do$/ }).waitFor();

      await callTimeNow({ ...subject.gateway(), apiKey: key ?? '' });
      await page.getByText('2 of 3 done').waitFor();
      await page.getByRole('heading', { name: /^Connect an agent ?: Done$/ }).waitFor();
      await close();
    });
  });

  describe('A failed call', () => {
    it('ticks no step, and has a red lamp', async () => {
      const { page, close } = await signIn(subject);
      await callTimeNow(subject.gateway(), { timeZone: 'Nowhere/Land' });
      await expect.poll(() => newestCall(subject.gateway())).toBe('time_now');
      const steps = page.waitForResponse('**/api/audit?*');
      await page.reload();
      await steps;
      await page.getByText('0 of 3 done').waitFor();
      await page.getByRole('link', { name: 'Connect an agent', exact: true }).click();
      await page.locator('.lamp-red', { hasText: 'Last call: time_now, failed' }).waitFor();
      await close();
    });

    it('is explained in sentences, with the JSON below', async () => {
      const { page, close } = await signIn(subject);
      await page.route('**/rest/time', (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : route.fulfill({
              status: 502,
              json: { error: 'The clock answered 404.', message: 'Wind it up.' },
            }),
      );
      await page.goto(at('/tools?tool=time_now'));
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('The clock answered 404.', { exact: true }).waitFor();
      await page.getByText('Wind it up.', { exact: true }).waitFor();
      const json = page.getByRole('region', { name: 'Result as JSON' });
      expect(await json.isVisible()).toBe(false);
      await page.getByText('Show as JSON').click();
      await json.getByText('"Wind it up."').waitFor();
      await expectSoundInEveryLook(page, 'tools-failed');
      await close();
    });

    it('that the person stopped is not shown as a failure in Activity', async () => {
      const { page, close } = await signIn(subject);
      const stopped = {
        id: 1,
        integration: 'time',
        tool: 'time_now',
        action: 'EXECUTE',
        success: false,
        error: 'Cancelled by the caller',
        duration_ms: 12,
        created_at: 1_795_690_000,
        actor: 'session',
        outcome: 'error',
      };
      await page.route('**/api/audit?*', (route) => route.fulfill({ json: { entries: [stopped] } }));
      await page.goto(at('/activity'));
      const row = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
      await row.locator('.lamp-off', { hasText: 'Stopped' }).waitFor();
      expect(await row.getByText(/Failed|Cancelled/).count()).toBe(0);
      await page.goto(at('/clients'));
      await page.locator('.lamp-off', { hasText: 'Last call: time_now, stopped' }).waitFor();
      await close();
    });
  });

  describe('The explorer', () => {
    it('names the tool in the title of the tab', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools'));
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('heading', { name: 'time_now' }).waitFor();
      expect(await page.title()).toBe('time_now · Gateway');
      await page.getByRole('link', { name: /time_convert/ }).click();
      await page.getByRole('heading', { name: 'time_convert' }).waitFor();
      expect(await page.title()).toBe('time_convert · Gateway');
      await close();
    });

    it('shows a large result in parts, and finds, wraps, copies and downloads it', async () => {
      const { page, complaints, close } = await signIn(subject);
      const items = Array.from({ length: 4000 }, (_, index) => ({
        id: index,
        title: `Item number ${index}`,
        ...(index % 2 === 0 ? { labels: ['bug', 'ci'] } : {}),
        body: 'words '.repeat(70),
      }));
      const result = { total: items.length, items };
      await page.route('**/rest/time', (route) =>
        route.request().method() === 'GET'
          ? route.continue()
          : route.fulfill({ json: { integration: 'time', tool: 'time_now', result } }),
      );
      await page.goto(at('/tools?tool=time_now'));
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText(/^Succeeded in .+\. 4,000 items\.$/).waitFor();
      expect(
        await page
          .getByText(/^[\d.]+ [kM]B$/)
          .filter({ visible: true })
          .allInnerTexts(),
      ).toEqual(['1.9 MB']);

      // A list of like objects is a table, whose columns come in the order of the first items.
      const table = page.getByRole('region', { name: 'Result as a table' });
      expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
        'id',
        'title',
        'labels',
        'body',
      ]);
      expect(await table.getByRole('row').count()).toBe(51);
      expect(await table.getByRole('row').nth(1).getByRole('cell').nth(2).innerText()).toBe('bug, ci');
      await page.getByRole('button', { name: 'Show 50 of 3,950 more rows' }).click();
      expect(await table.getByRole('row').count()).toBe(101);
      await expectSoundInEveryLook(page, 'result-table');

      await page.getByText('JSON', { exact: true }).click();
      const lines = page.getByRole('region', { name: 'Result as JSON' }).getByRole('treeitem');
      await lines.getByText('Show 100 of 3,900 more').waitFor();
      expect(await lines.count()).toBeLessThan(250);

      // A match far below opens its place alone.
      const find = page.getByRole('searchbox', { name: 'Find in the result' });
      await find.fill('NUMBER 39');
      await page.getByText('1 of 111').waitFor();
      const current = page.locator('[data-active]');
      expect(await current.innerText()).toBe('title: "Item number 39"');
      await find.press('Enter');
      await page.getByText('2 of 111').waitFor();
      expect(await current.innerText()).toBe('title: "Item number 390"');
      await page.getByRole('button', { name: 'Previous match' }).click();
      await page.getByRole('button', { name: 'Previous match' }).click();
      await page.getByText('111 of 111').waitFor();
      expect(await current.innerText()).toBe('title: "Item number 3999"');
      expect(await current.getAttribute('aria-level')).toBe('4');
      await lines.getByText('Show 3,900 items before these').waitFor();
      const isInView = () =>
        page.evaluate<boolean>(
          "document.querySelector('[data-active]').getBoundingClientRect().bottom <= innerHeight",
        );
      await expect.poll(isInView).toBe(true);
      expect(await lines.count()).toBeLessThan(250);
      await expectSoundInEveryLook(page, 'result-tree');
      await find.fill('nowhere at all');
      await page.getByText('No match').waitFor();

      const wrap = page.getByRole('button', { name: 'Wrap lines' });
      expect(await wrap.getAttribute('aria-pressed')).toBe('true');
      await wrap.click();
      expect(await page.evaluate("getComputedStyle(document.querySelector('.tree-line')).whiteSpace")).toBe(
        'pre',
      );
      await page.getByRole('button', { name: 'Copy result' }).click();
      await page.getByText('Copied').first().waitFor();
      expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toEqual(result);
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download' }).click();
      const file = await downloading;
      expect(file.suggestedFilename()).toBe('time_now.json');
      expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toEqual(result);
      expect(complaints).toEqual([]);
      await close();
    });

    it('opens and closes a result with the keyboard alone', async () => {
      const { page, close } = await signIn(subject);
      const result = {
        user: { login: 'octocat', plan: { name: 'pro' } },
        text: 'long '.repeat(100),
        none: null,
      };
      await page.route('**/rest/time', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill({ json: { result } }),
      );
      await page.goto(at('/tools?tool=time_now'));
      await page.getByRole('button', { name: 'Run' }).click();
      const tree = page.getByRole('tree');
      await tree.focus();
      const lines = async () =>
        (await tree.getByRole('treeitem').allInnerTexts()).map((line) => line.slice(0, 24));
      const current = async () => (await page.locator('[data-active]').innerText()).slice(0, 24);
      expect(await current()).toBe('3 members');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowLeft');
      expect(await lines()).toEqual([
        '3 members',
        'user: 2 members octocat',
        'text: "long long long lo',
        'none: null',
      ]);
      expect(await page.locator('[data-active]').getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      expect(await current()).toBe('login: "octocat"');
      await page.keyboard.press('ArrowLeft');
      expect(await current()).toBe('user: 2 members');
      await page.keyboard.press('End');
      expect(await current()).toBe('none: null');
      await page.keyboard.press('ArrowUp');
      const text = page.locator('[data-active]');
      expect(await text.innerText()).toContain('500 characters, open to see more');
      await page.keyboard.press('Enter');
      expect(await text.innerText()).toBe(`text: ${JSON.stringify(result.text)}`);
      await page.keyboard.press('Home');
      await page.keyboard.press(' ');
      expect(await lines()).toEqual(['3 members long long long']);
      await close();
    });

    it('fades the last row of the list out instead of cutting it', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools'));
      const list = page.getByRole('navigation', { name: 'Tools' });
      await list.getByRole('link', { name: /time_now/ }).waitFor();
      const [faded, isWhole] = await page.evaluate<[string, boolean]>(`(() => {
        const list = document.querySelector('.finder-list');
        list.scrollTop = list.scrollHeight;
        const last = [...list.querySelectorAll('a')].at(-1);
        const fade = 28;
        return [
          getComputedStyle(list).maskImage,
          last.getBoundingClientRect().bottom <= list.getBoundingClientRect().bottom - fade + 1,
        ];
      })()`);
      expect(faded).toContain('linear-gradient');
      expect(isWhole).toBe(true);
      await close();
    });

    it('stops a call, and starts no other call by that click or by a double click', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=time_now'));
      let asked = 0;
      await page.route('**/rest/time', (route) => {
        if (route.request().method() !== 'POST') return route.continue();
        // This request gets no response.
        asked += 1;
      });
      await page.getByRole('button', { name: 'Run' }).dblclick();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped. The provider may still have received').waitFor();
      await page.evaluate(FRAME);
      await page.getByRole('button', { name: 'Run' }).waitFor();
      expect(asked).toBe(1);
      await close();
    });

    it('runs a tool, and shows the run in Activity', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('textbox', { name: 'timeZone' }).fill('Asia/Tokyo');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      await page.getByRole('region', { name: 'Result as JSON' }).getByText('"Asia/Tokyo"').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      await page.getByText('Copied').first().waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
        '{"tool":"time_now","args":{"timeZone":"Asia/Tokyo"}}',
      );
      await photograph(page, 'tools-ran-light-1280');

      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      const calls = page.getByRole('list', { name: 'Activity' });
      await calls.getByText('Now', { exact: true }).first().waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows the display name of an integration in the result and in Activity', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=hackernews_top_stories'));
      await page.route('**/rest/hackernews', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 409, json: {} }),
      );
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Hacker News is not connected.').waitFor();
      await page.unroute('**/rest/hackernews');
      await page.goto(at('/tools?tool=time_now'));
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Succeeded').waitFor();
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      const calls = page.getByRole('list', { name: 'Activity' });
      await calls.getByText('Time', { exact: true }).first().waitFor();

      await page.goto(at('/tools?tool=grafana_whoami'));
      await page.getByText('Grafana is not connected yet.').waitFor();
      const link = page.getByRole('link', { name: 'Connect', exact: true });
      expect(await link.getAttribute('href')).toBe('/integrations/grafana?connect=new');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Grafana is not connected.', { exact: true }).waitFor();
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await calls.getByText('Grafana was not connected.').waitFor();
      await close();
    });

    it('shows a refusal beside the field, and keeps the typed values', async () => {
      const { page, close } = await signIn(subject, { theme: 'dark', width: 1280 });
      await page.goto(at('/tools?tool=time_convert'));
      await page.getByRole('button', { name: 'Run' }).click();
      const time = page.getByRole('textbox', { name: 'time' }).first();
      // The first required field that is empty takes the focus.
      expect(await page.evaluate('document.activeElement.name')).toBe('time');
      // Correcting a field clears its error.
      await time.fill('2026-03-01T09:30');
      expect(await time.getAttribute('aria-invalid')).toBe('false');
      await page.getByRole('textbox', { name: 'from' }).fill('Europe/Berlin');
      await page.getByRole('textbox', { name: 'to' }).fill('Nowhere/Land');
      await page.keyboard.press('Enter');
      await page.getByText('must be an IANA time zone').first().waitFor();
      expect(await page.getByRole('textbox', { name: 'to' }).getAttribute('aria-invalid')).toBe('true');
      expect(await time.inputValue()).toBe('2026-03-01T09:30');
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'tools-refused-dark-1280');

      await page.getByRole('link', { name: /time_now/ }).click();
      await page.getByRole('heading', { name: 'time_now' }).waitFor();
      await page.getByRole('link', { name: /time_convert/ }).click();
      expect(await page.getByRole('textbox', { name: 'to' }).inputValue()).toBe('Nowhere/Land');

      await page.goto(at('/activity?success=false'));
      await page.getByText('must be an IANA time zone').first().waitFor();
      await photograph(page, 'activity-failed-dark-1280');
      await close();
    });

    it('describes each argument only once', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=github_request'));
      const about = async (name: string) => {
        const field = page.getByLabel(name);
        const [hint = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
        return page.locator(`[id="${hint}"]`).innerText();
      };
      await page.getByRole('heading', { name: 'github_request' }).waitFor();
      expect(await about('body')).toBe(
        'Request body, sent as JSON; file:<handle> sends the bytes of a kept file. Optional.',
      );
      expect(await about('query')).toBe(
        'Query parameters, not yet encoded, such as {"page":"2"}. Write it as JSON. Optional.',
      );
      // The first option names the default.
      expect(await about('method')).toBe('HTTP method.');
      await close();
    });

    it('finds a tool among all shipped tools', async () => {
      const { page, complaints, close } = await signIn(subject);
      await page.goto(at('/tools'));
      const search = page.getByRole('searchbox', { name: /^Search \d{3} tools$/ });
      await search.waitFor();
      const found = page.getByRole('navigation', { name: 'Tools' }).getByRole('link');
      const all = await page.locator('.finder-list li').first().getAttribute('aria-setsize');
      expect(await found.count()).toBeLessThanOrEqual(300);
      expect(await page.getByText(`Search ${all} tools`).count()).toBe(1);
      await search.pressSequentially('sentry search issues');
      await page.getByRole('link', { name: /^sentry_search_issues / }).waitFor();
      expect(await found.count()).toBeLessThan(5);
      await search.fill('');
      await page.locator(`.finder-list li[aria-setsize="${all}"]`).first().waitFor();
      // The keyboard reaches the last of them.
      await found.first().focus();
      await page.keyboard.press('End');
      await expect
        .poll(() => page.evaluate("document.activeElement.closest('li').getAttribute('aria-posinset')"))
        .toBe(all);
      expect(complaints).toEqual([]);
      await close();
    });

    it('brings the result into sight where it lies below the form', async () => {
      const { page, settled, close } = await signIn(subject, { theme: 'light', width: 390 });
      await page.setViewportSize({ width: 390, height: 560 });
      await page.goto(at('/tools?tool=time_convert'));
      await page.locator('[name="time"]').fill('2026-01-01T10:00');
      await page.locator('[name="from"]').fill('Europe/Berlin');
      await page.locator('[name="to"]').fill('Asia/Tokyo');
      await settled();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const status = page.locator('.result-status').getByText(/^(Succeeded|Refused|Failed)/);
      await status.waitFor();
      await expect
        .poll(() => status.evaluate((each) => Math.round(each.getBoundingClientRect().bottom)))
        .toBeLessThan(500);
      await close();
    });

    it('says that a tool does not exist, and leads back to the list, on a phone too', async () => {
      const { page, settled, close } = await signIn(subject, { theme: 'light', width: 390 });
      await page.goto(at('/tools?tool=of_yesterday'));
      await page.getByText('There is no tool called “of_yesterday”.').waitFor();
      await page.getByText('It may have been removed from this gateway.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'tools-missing');
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('link', { name: 'All tools' }).click();
      await page.getByRole('link', { name: /time_now/ }).waitFor();
      await close();
    });

    it('finds and runs a tool with the keyboard alone', async () => {
      const { page, close } = await signIn(subject);
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
      for (const name of ['Gateway', 'Search', 'Overview', 'Integrations', 'Tools']) {
        await page.keyboard.press('Tab');
        expect(await page.evaluate('document.activeElement.innerText')).toContain(name);
      }
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: /time_now/ }).waitFor();
      // The heading of the new page has the focus, and the search field is the next Tab stop.
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Tools');
      await page.keyboard.press('Tab');
      await page.keyboard.type('now');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: 'timeZone' }).waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('time_now');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Europe/Berlin');
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: 'Result as JSON' }).getByText('"Europe/Berlin"').waitFor();
      await close();
    });

    it('makes a field for every kind of argument', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await pretendMany(page);
      await page.goto(galleryLink(subject));
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      await page.goto(at('/tools?tool=github_delete_branch'));
      const field = (name: string) => page.getByLabel(name, { exact: true });
      // Optional arguments lie folded, and Run stays in view.
      const fold = page.getByRole('button', { name: '7 optional arguments' });
      expect(await field('perPage').isVisible()).toBe(false);
      await fold.click();
      await page.setViewportSize({ width: 1280, height: 500 });
      await page.evaluate('scrollTo(0, 0)');
      const bar = await page.getByRole('button', { name: 'Run' }).boundingBox();
      expect((bar?.y ?? 500) + (bar?.height ?? 0)).toBeLessThanOrEqual(500);
      await page.setViewportSize({ width: 1280, height: 800 });
      // What is filled stays when the others are folded again.
      await field('filter').fill('{');
      await fold.click();
      expect(await field('filter').isVisible()).toBe(true);
      expect(await field('perPage').isVisible()).toBe(false);
      await page.getByRole('button', { name: '6 optional arguments' }).click();
      await page.getByLabel('owner').fill("O'Brien");
      await field('state').selectOption('closed');
      await field('perPage').fill('2.5');
      await field('score').fill('0.5');
      await field('draft').selectOption('true');
      await field('labels').fill('bug\nlater');
      await field('filter').fill('{"since": 1');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('Enter a whole number').waitFor();
      await page.getByText('Enter valid JSON').waitFor();
      await field('perPage').fill('25');
      await field('filter').fill('{"since": 1}');
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await page.getByRole('button', { name: 'Run' }).click();
      // The tool deletes, so the explorer asks first.
      await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click();
      expect((await sent).postDataJSON()).toEqual({
        tool: 'github_delete_branch',
        args: {
          owner: "O'Brien",
          state: 'closed',
          perPage: 25,
          score: 0.5,
          draft: true,
          labels: ['bug', 'later'],
          filter: { since: 1 },
        },
      });
      await page.getByText('too many', { exact: true }).waitFor();
      await expectSoundInEveryLook(page, 'tools-every-kind');
      await close();
    });
  });

  describe('Activity', () => {
    it('filters calls, and loads more than one page', async () => {
      const { page, complaints, close } = await signIn(subject);
      const token: string = await page.evaluate("localStorage.getItem('svc_token')");
      const executions = Array.from({ length: 60 }, () => ({ tool: 'time_now', args: {} }));
      await fetch(at('/rest/time'), {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ executions }),
      });
      await page.goto(at('/activity'));
      const calls = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
      await calls.nth(49).waitFor();
      expect(await calls.count()).toBe(50);
      await page.mouse.wheel(0, 5000);
      await calls.nth(59).waitFor();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Outcome').selectOption('Succeeded');
      await page.getByLabel('Integration').selectOption('Time');
      await calls.nth(49).waitFor();
      expect(new URL(page.url()).search).toBe('?success=true&integration=time');

      // A page of the previous filter arrives too late.
      const held = Promise.withResolvers<void>();
      await page.route('**/api/audit?*cursor=*', (route) => held.promise.then(() => route.continue()));
      const more = page.waitForRequest(/cursor=/);
      await page.mouse.wheel(0, 5000);
      await more;
      await page.getByLabel('Outcome').selectOption('Failed');
      await page.getByText('No calls match', { exact: true }).waitFor();
      const answered = page.waitForResponse(/cursor=/);
      held.resolve();
      await (await answered).finished();
      await page.evaluate(FRAME);
      expect(await calls.count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    });

    /** Returns the calls from number 1 to the newest in pages of ten, as a gateway does. */
    async function pretendCalls(page: Page, newest: () => number): Promise<void> {
      const call = { integration: 'time', action: 'EXECUTE', success: true, error: null, duration_ms: 1 };
      await page.route('**/api/audit?*', (route) => {
        const query = new URL(route.request().url()).searchParams;
        const cursor = query.get('cursor');
        const from = cursor === null ? newest() : Number(cursor) - 1;
        const left = Math.max(0, from - Number(query.get('after') ?? 0));
        const entries = Array.from({ length: Math.min(left, 10) }, (_, index) => {
          const id = from - index;
          return { ...call, id, tool: `call_${id}`, created_at: 1_700_000_000 + id };
        });
        const more = left > 10 ? { nextCursor: String(from - 9) } : {};
        return route.fulfill({ json: { entries, ...more } });
      });
    }

    /** Returns the newest and the oldest call of the list, and checks that no call between them is missing. */
    async function ends(page: Page): Promise<[number, number]> {
      const tools = await page.locator('.call-tool').allTextContents();
      const ids = tools.map((tool) => Number(tool.slice('Call '.length)));
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) - index));
      return [ids[0] ?? 0, ids.at(-1) ?? 0];
    }

    const top = async (page: Page, tool: string) =>
      (await page.getByText(tool, { exact: true }).boundingBox())?.y ?? Number.NaN;

    it.each(['by the menu', 'by the way back'])(
      'keeps the loaded calls and the scroll position when the person comes back %s',
      async (way) => {
        const { page, close } = await signIn(subject);
        let newest = 100;
        await page.clock.install();
        await pretendCalls(page, () => newest);
        await page.getByRole('link', { name: 'Activity', exact: true }).click();
        for (const oldest of [91, 81, 71]) {
          await page.getByText(`Call ${oldest}`, { exact: true }).waitFor();
          await page.getByRole('button', { name: 'Load more' }).click();
        }
        await page.getByText('Call 61', { exact: true }).scrollIntoViewIfNeeded();
        await page.evaluate(FRAME);
        const before = await top(page, 'Call 61');

        // More calls have arrived meanwhile than fit on a page.
        await page.getByRole('link', { name: 'Agents', exact: true }).click();
        await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
        newest = 125;
        if (way === 'by the menu') await page.getByRole('link', { name: 'Activity', exact: true }).click();
        else await page.goBack();
        await page.getByRole('button', { name: '25 new calls' }).waitFor();
        // A list that fills the window goes on by itself, and never begins again.
        expect((await ends(page))[0]).toBe(100);
        expect((await ends(page)).at(-1)).toBeLessThanOrEqual(61);
        await expect.poll(async () => Math.abs((await top(page, 'Call 61')) - before)).toBeLessThan(1);

        // Calls keep arriving while the page is open.
        newest = 126;
        await page.clock.runFor(5000);
        await page.getByRole('button', { name: '26 new calls' }).click();
        await page.getByText('Call 126', { exact: true }).waitFor();
        // A list that fills the window goes on by itself, and never begins again.
        expect((await ends(page))[0]).toBe(126);
        expect((await ends(page)).at(-1)).toBeLessThanOrEqual(61);
        await close();
      },
    );

    it('starts the list again when too many calls have arrived', async () => {
      const { page, close } = await signIn(subject);
      let newest = 100;
      await page.clock.install();
      await pretendCalls(page, () => newest);
      await page.goto(at('/activity'));
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('Call 81', { exact: true }).waitFor();
      newest = 900;
      await page.clock.runFor(5000);
      await page.getByText('Call 900', { exact: true }).waitFor();
      expect((await ends(page))[0]).toBe(900);
      expect(await page.getByText('Call 81', { exact: true }).count()).toBe(0);
      await close();
    });

    it('does not move the focus to the end of the list when the person returns', async () => {
      const { page, close } = await signIn(subject);
      await pretendCalls(page, () => 15);
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('End of log').waitFor();
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await page.getByText('End of log').waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Activity');
      await close();
    });
  });

  describe('The theme', () => {
    it('keeps the chosen theme after a reload', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByText('Dark', { exact: true }).click();
      await page.reload();
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
        'rgb(19, 18, 17)',
      );
      await close();
    });
  });
}

async function callTimeNow(
  { request, apiKey }: Pick<Gateway & Banner, 'request' | 'apiKey'>,
  args: { timeZone?: string } = {},
): Promise<void> {
  const response = await request('/rest/time', {
    method: 'POST',
    headers: { 'x-service-api-key': apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool: 'time_now', args }),
  });
  expect(response.status).toBe(args.timeZone === 'Nowhere/Land' ? 400 : 200);
}

/** Waits, because the gateway records calls a moment after it responds. */
async function newestCall({ request, session }: Gateway & Banner): Promise<string | undefined> {
  const answer = await request('/api/audit', { headers: { Authorization: `Bearer ${session}` } });
  const { entries }: { entries: { tool: string }[] } = await answer.json();
  return entries[0]?.tool;
}
