// Tests searching, narrowing and grouping calls in Activity, and new calls that arrive while somebody reads.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { callTool } from '../gateway-calls.ts';
import { axeViolations, expectSoundInEveryLook, LOW } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsActivity(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('Activity', () => {
    it('searches and groups calls, keeps the choice in the address and exports what it shows', async () => {
      for (let calls = 0; calls < 3; calls++)
        await callTool(subject, 'grafana_whoami', { integration: 'grafana' });
      await callTool(subject, 'time_convert', { integration: 'time' });
      await callTool(subject, 'time_now', { integration: 'time' });
      await callTool(subject, 'list_jots');
      const { page, complaints, settled, close } = await signIn(subject, { theme: 'light', width: 1440 });
      await page.goto(at('/activity'));
      const calls = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
      const tools = () => page.locator('ul[aria-label=Activity] .call-tool').allTextContents();
      const choose = (name: string) => page.getByRole('combobox', { name, exact: true });
      const filter = () => page.getByRole('button', { name: 'Filter', exact: true }).click();
      const remove = (name: string) => page.getByRole('button', { name: `Remove filter: ${name}` });
      const WHOAMI = 'Whoami';
      await calls.nth(5).waitFor();
      expect((await calls.first().boundingBox())?.height).toBe(40);
      // What the call was about stands beside the tool.
      await calls.filter({ hasText: 'Convert' }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'activity');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      const first = await calls.first().boundingBox();
      expect(first?.height).toBeGreaterThanOrEqual(44);
      expect(first?.y).toBeLessThan(844 / 3);
      await page.setViewportSize({ width: 1440, height: 800 });

      // The search begins with "/", and knows errors as well as names.
      await page.keyboard.press('/');
      await page.keyboard.type('grafana connected');
      await expect.poll(tools).toEqual([WHOAMI, WHOAMI, WHOAMI]);
      expect(new URL(page.url()).search).toBe('?q=grafana+connected');
      await page.getByRole('searchbox').fill('grafna whoami');
      await page.getByText('No calls match', { exact: true }).waitFor();
      await settled();
      expect(await axeViolations(page)).toEqual([]);
      await page
        .getByRole('group', { name: 'Tools:' })
        .getByRole('button', { name: 'grafana_whoami' })
        .click();
      await expect.poll(tools).toEqual([WHOAMI, WHOAMI, WHOAMI]);
      await filter();
      await choose('Time').selectOption('Last hour');
      await choose('Agent').selectOption('Your personal key');
      await choose('Outcome').selectOption('Not successful');
      await settled();
      await expectSoundInEveryLook(page, 'activity-filters');
      await page.keyboard.press('Escape');
      expect(new URL(page.url()).search).toBe('?tool=grafana_whoami&range=1h&client=key&success=false');
      await expect.poll(tools).toHaveLength(3);
      await remove('Agent: Your personal key').waitFor();

      const more = page.getByRole('button', { name: 'More about these calls' });
      await more.click();
      const downloading = page.waitForEvent('download');
      await page.getByRole('menuitem', { name: 'Export as NDJSON' }).click();
      const file = await readFile(await (await downloading).path(), 'utf8');
      const rows = file
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(rows.map(({ tool, actor }) => `${tool} by ${actor}`)).toEqual(
        Array(3).fill('grafana_whoami by key'),
      );

      // The choice survives a reload, and the way back from another page.
      await page.reload();
      await expect.poll(tools).toHaveLength(3);
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await page.goBack();
      await expect.poll(tools).toHaveLength(3);
      await remove('Last hour').click();
      expect(new URL(page.url()).searchParams.get('range')).toBeNull();
      expect(await page.evaluate('document.activeElement.type')).toBe('search');
      await filter();
      await choose('Agent').selectOption('You, in the portal');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(tools).toHaveLength(6);
      expect(new URL(page.url()).search).toBe('');

      await filter();
      await choose('Time').selectOption('Yesterday');
      await page.getByText('No calls match', { exact: true }).waitFor();
      await choose('Time').selectOption('From … to …');
      await page.getByLabel('To', { exact: true }).fill('2020-01-01T10:00');
      await page.getByText('No calls match', { exact: true }).waitFor();
      await page.getByLabel('To', { exact: true }).fill('');
      await page.getByLabel('From', { exact: true }).fill('2020-01-01T10:00');
      await expect.poll(tools).toHaveLength(6);
      expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01T10:00');
      await page.keyboard.press('Escape');

      await more.click();
      await page.getByRole('menuitem', { name: 'Group failures' }).click();
      const groups = page.getByRole('list', { name: 'Failures, grouped' });
      const group = groups.getByRole('button', { name: /^3 calls.*Whoami.*Grafana was not connected/ });
      await group.waitFor();
      expect(await groups.locator('> li').count()).toBe(2);
      expect((await group.boundingBox())?.height).toBe(40);
      await group.focus();
      await page.keyboard.press('Enter');
      const alike = page.getByRole('list', { name: 'Calls of grafana_whoami with the same error' });
      await alike.getByRole('listitem').nth(2).waitFor();
      expect(await group.getAttribute('aria-expanded')).toBe('true');
      await settled();
      // The gateway's own code says no more than the sentence.
      expect(await groups.innerText()).not.toContain('NOT_CONNECTED');
      await expectSoundInEveryLook(page, 'activity-failures');
      await page.keyboard.press('Enter');
      await alike.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
      await close();
    });

    it('opens a call beside the list, walks by arrow keys and returns to the row', async () => {
      for (const timezone of ['Asia/Tokyo', 'Europe/Berlin', 'Europe/Paris'])
        await callTool(subject, 'time_now', { integration: 'time', args: { timeZone: timezone } });
      const { page, complaints, settled, close } = await signIn(subject, { theme: 'light', width: 1440 });
      await page.goto(at('/activity'));
      const rows = page.locator('.call-tool');
      await rows.nth(2).waitFor();
      const ids = await rows.evaluateAll((links) => links.map((link) => link.getAttribute('data-call')));
      const drawer = page.getByRole('complementary', { name: 'The chosen call' });
      await rows.first().focus();
      await page.keyboard.press('Enter');
      await drawer.getByRole('heading', { name: 'Now', level: 2 }).waitFor();
      await drawer.getByText('Europe/Paris').first().waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'activity-drawer');
      await page.keyboard.press('ArrowDown');
      await drawer.getByText('Europe/Berlin').first().waitFor();
      expect(new URL(page.url()).searchParams.get('call')).toBe(ids[1]);
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate('document.activeElement.dataset.call')).toBe(ids[1]);
      expect(new URL(page.url()).search).toBe('');

      // The address opens the same call, and on a phone the page of the call.
      await page.goto(at(`/activity?call=${ids[2]}`));
      await drawer.getByText('Asia/Tokyo').first().waitFor();
      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(at(`/activity?call=${ids[2]}`));
      await page.waitForURL(`**/activity/${ids[2]}`);
      expect(complaints).toEqual([]);
      await close();
    });

    it('counts the calls over time, and shows the part that a drag or the keyboard chooses', async () => {
      await callTool(subject, 'time_now', { integration: 'time' });
      await callTool(subject, 'grafana_whoami', { integration: 'grafana' });
      const { page, complaints, close } = await signIn(subject, { theme: 'light', width: 1440 });
      await page.goto(at('/activity?range=today'));
      const plot = page.getByRole('slider', { name: 'Calls over time' });
      await plot.focus();
      await page.keyboard.press('End');
      expect(await plot.getAttribute('aria-valuetext')).toMatch(/: 2 calls, 1 failed$/);
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+End');
      await page.keyboard.press('Enter');
      await page.waitForURL(/range=custom/);
      await expect.poll(() => page.locator('.call-tool').count()).toBe(2);
      const box = await plot.boundingBox();
      const [x = 0, y = 0, width = 0] = [box?.x, box?.y, box?.width];
      const before = new URL(page.url()).searchParams.get('to');
      await page.mouse.move(x + 2, y + 20);
      await page.mouse.down();
      await page.mouse.move(x + width / 3, y + 20);
      await page.mouse.up();
      await expect.poll(() => new URL(page.url()).searchParams.get('to')).not.toBe(before);
      expect(complaints).toEqual([]);
      await close();
    });

    it('says in one sentence what a service refused, with its own words behind it', async () => {
      const { page, settled, close } = await signIn(subject);
      const call = {
        integration: 'github',
        action: 'EXECUTE',
        success: false,
        outcome: 'error',
        actor: 'key',
      };
      const raw = [
        '500: internal: NullPointerException at com.acme.Api.list(Api.java:214)',
        '422: Validation Failed [{"resource":"Issue","field":"title","code":"invalid"}]',
        'AMBIGUOUS_ACCOUNT',
      ];
      await page.route('**/api/audit?*', (route) => {
        const isLater = new URL(route.request().url()).searchParams.has('after');
        const entries = raw.map((error, index) => ({
          ...call,
          id: 9 - index,
          tool: 'github_list_issues',
          error,
          duration_ms: 5,
          created_at: 1_700_000_000 - index,
        }));
        return route.fulfill({ json: { entries: isLater ? [] : entries } });
      });
      await page.goto(at('/activity'));
      await page.getByText('GitHub had an internal error.', { exact: true }).waitFor();
      await settled();
      const errors = page.locator('.call-error');
      expect(await errors.allInnerTexts()).toEqual([
        'GitHub had an internal error.',
        'GitHub did not accept the arguments.',
        'The agent did not say which GitHub account.',
      ]);
      expect(await errors.evaluateAll((all) => all.map((each) => each.getAttribute('title')))).toEqual(raw);
      await expectSoundInEveryLook(page, 'activity-errors');

      await page.goto(at('/overview'));
      const feed = page.getByRole('list', { name: 'Latest calls' });
      await feed.getByText('GitHub did not accept the arguments.', { exact: true }).waitFor();
      await feed.getByText('GitHub · Your personal key').first().waitFor();
      expect(await feed.innerText()).not.toMatch(/NullPointer|Validation|AMBIGUOUS/);
      await close();
    });

    it('keeps at most 300 rows of a long list in the document', async () => {
      const { page, close } = await signIn(subject);
      const call = { integration: 'time', action: 'EXECUTE', success: true, error: null, duration_ms: 1 };
      await page.route('**/api/audit?*', (route) => {
        const query = new URL(route.request().url()).searchParams;
        if (query.has('after')) return route.fulfill({ json: { entries: [] } });
        const before = Number(query.get('cursor') ?? 5_001);
        const entries = Array.from({ length: 500 }, (_, at) => {
          const id = before - 1 - at;
          return { ...call, id, tool: `call_${id}`, created_at: 1_700_000_000 + id * 600 };
        });
        const next = before - 500;
        return route.fulfill({ json: { entries, ...(next > 1 ? { nextCursor: String(next) } : {}) } });
      });
      await page.goto(at('/activity'));
      await page.getByText('Call 5000', { exact: true }).waitFor();
      const rows = page.locator('li.call');
      let most = 0;
      await expect
        .poll(
          async () => {
            await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
            most = Math.max(most, await rows.count());
            return page.getByText('Call 1', { exact: true }).count();
          },
          { timeout: 60_000 },
        )
        .toBe(1);
      expect(most).toBeLessThanOrEqual(300);
      const last = page.locator('li.call', { hasText: 'Call 1Time' });
      expect([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')]).toEqual([
        '5000',
        '5000',
      ]);
      // The day of the rows stays in sight, however far its beginning is.
      expect(await page.locator('.call-day').count()).toBeGreaterThan(0);
      await close();
    });

    it('holds new calls back from a reader, and goes on with a search when asked', async () => {
      const { page, complaints, close } = await signIn(subject);
      const call = { integration: 'time', action: 'EXECUTE', success: true, error: null, duration_ms: 1 };
      const callAt = (id: number) => ({ ...call, id, tool: `call_${id}`, created_at: 1_700_000_000 + id });
      let newest = 60;
      await page.clock.install();
      await page.route('**/api/audit?*', (route) => {
        const query = new URL(route.request().url()).searchParams;
        if (query.get('tool') === null)
          return route.fulfill({
            json: {
              entries: Array.from({ length: 50 }, (_, at) => callAt(newest - at)).filter(
                ({ id }) => id > Number(query.get('after') ?? 0),
              ),
              ...(query.has('after') ? {} : { nextCursor: String(newest - 49) }),
            },
          });
        // The rare call is the only one of the twelfth look.
        const before = Number(query.get('cursor') ?? 12_001);
        if (before === 1_001) return route.fulfill({ json: { entries: [callAt(7)] } });
        const below = { nextCursor: String(before - 1_000), searchedUntil: 1_700_000_000 + before };
        return route.fulfill({ json: { entries: [], ...below } });
      });
      await page.goto(at('/activity'));
      await page.getByText('Call 60', { exact: true }).waitFor();
      newest = 61;
      await page.clock.runFor(5000);
      // Nobody is in the list, so the call joins it.
      await page.getByText('Call 61', { exact: true }).waitFor();

      const read = page.getByText('Call 20', { exact: true });
      await read.scrollIntoViewIfNeeded();
      const before = (await read.boundingBox())?.y;
      newest = 64;
      await page.clock.runFor(5000);
      const pill = page.getByRole('button', { name: '3 new calls' });
      await pill.waitFor();
      expect(await page.getByText('Call 64', { exact: true }).count()).toBe(0);
      expect((await read.boundingBox())?.y).toBe(before);
      expect(await axeViolations(page)).toEqual([]);
      await pill.click();
      await page.getByText('Call 64', { exact: true }).waitFor();
      expect(await page.evaluate('window.scrollY')).toBe(0);
      expect(await pill.count()).toBe(0);

      await page.goto(at('/activity?tool=call_7'));
      await page.getByText(/^No calls match so far\. Searched until Nov 1\d, 2023/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue' }).press('Enter');
      await page.locator('.call-tool', { hasText: 'Call 7' }).waitFor();
      await page.getByText('End of log').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
