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
      await calls.nth(5).waitFor();
      expect((await calls.first().boundingBox())?.height).toBe(40);
      await settled();
      await expectSoundInEveryLook(page, 'activity');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      expect((await calls.first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
      await page.setViewportSize({ width: 1440, height: 800 });

      // The search begins with "/", and knows errors as well as names.
      await page.keyboard.press('/');
      await page.keyboard.type('grafana connected');
      await expect.poll(tools).toEqual(['grafana_whoami', 'grafana_whoami', 'grafana_whoami']);
      expect(new URL(page.url()).search).toBe('?q=grafana+connected');
      await page.getByRole('searchbox').fill('grafna whoami');
      await page.getByText('No calls match', { exact: true }).waitFor();
      await settled();
      expect(await axeViolations(page)).toEqual([]);
      await page
        .getByRole('group', { name: 'Tools:' })
        .getByRole('button', { name: 'grafana_whoami' })
        .click();
      await expect.poll(tools).toEqual(['grafana_whoami', 'grafana_whoami', 'grafana_whoami']);
      await choose('Time').selectOption('Last hour');
      await choose('Agent').selectOption('Your API key');
      await choose('Outcome').selectOption('Did not succeed');
      expect(new URL(page.url()).search).toBe('?tool=grafana_whoami&range=1h&client=key&success=false');
      await expect.poll(tools).toHaveLength(3);

      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'NDJSON' }).click();
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
      expect(await choose('Agent').inputValue()).toBe('key');
      await choose('Agent').selectOption('You, in the portal');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expect.poll(tools).toHaveLength(6);
      expect(new URL(page.url()).search).toBe('');

      await choose('Time').selectOption('From … to …');
      await page.getByLabel('To', { exact: true }).fill('2020-01-01T10:00');
      await page.getByText('No calls match', { exact: true }).waitFor();
      await page.getByLabel('To', { exact: true }).fill('');
      await page.getByLabel('From', { exact: true }).fill('2020-01-01T10:00');
      await expect.poll(tools).toHaveLength(6);
      expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2020-01-01T10:00');

      await page.getByRole('button', { name: 'Failures, grouped' }).click();
      const groups = page.getByRole('list', { name: 'Failures, grouped' });
      const group = groups.getByRole('button', {
        name: /^3 calls.*grafana_whoami.*Grafana was not connected/,
      });
      await group.waitFor();
      expect(await groups.locator('> li').count()).toBe(2);
      expect((await group.boundingBox())?.height).toBe(40);
      await group.focus();
      await page.keyboard.press('Enter');
      const alike = page.getByRole('list', { name: 'Calls of grafana_whoami that failed alike' });
      await alike.getByRole('listitem').nth(2).waitFor();
      expect(await group.getAttribute('aria-expanded')).toBe('true');
      await settled();
      await expectSoundInEveryLook(page, 'activity-failures');
      await page.keyboard.press('Enter');
      await alike.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
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
              entries: Array.from({ length: 50 }, (_, at) => callAt(newest - at)),
              nextCursor: String(newest - 49),
            },
          });
        // The rare call is the only one of the twelfth look.
        const before = Number(query.get('cursor') ?? 12_001);
        if (before === 1_001) return route.fulfill({ json: { entries: [callAt(7)] } });
        const below = { nextCursor: String(before - 1_000), searchedUntil: 1_700_000_000 + before };
        return route.fulfill({ json: { entries: [], ...below } });
      });
      await page.goto(at('/activity'));
      await page.getByText('call_60', { exact: true }).waitFor();
      newest = 61;
      await page.clock.runFor(5000);
      // Nobody is in the list, so the call joins it.
      await page.getByText('call_61', { exact: true }).waitFor();

      const read = page.getByText('call_20', { exact: true });
      await read.scrollIntoViewIfNeeded();
      const before = (await read.boundingBox())?.y;
      newest = 64;
      await page.clock.runFor(5000);
      const pill = page.getByRole('button', { name: '3 new calls' });
      await pill.waitFor();
      expect(await page.getByText('call_64', { exact: true }).count()).toBe(0);
      expect((await read.boundingBox())?.y).toBe(before);
      expect(await axeViolations(page)).toEqual([]);
      await pill.click();
      await page.getByText('call_64', { exact: true }).waitFor();
      expect(await page.evaluate('window.scrollY')).toBe(0);
      expect(await pill.count()).toBe(0);

      await page.goto(at('/activity?tool=call_7'));
      await page.getByText(/^No calls match so far\. Searched until Nov 1\d, 2023/).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Continue' }).press('Enter');
      await page.locator('.call-tool', { hasText: 'call_7' }).waitFor();
      await page.getByText('End of log').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
