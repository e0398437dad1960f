// Tests the overview: the first page once something was called, its figures, charts, lists, and what needs attention.
import { describe, expect, it } from 'vitest';
import type { Usage } from '../../../portal/api/usage.ts';
import { callTool } from '../gateway-calls.ts';
import { seedMember } from '../members.ts';
import { axeViolations, expectSoundInEveryLook, fetchWhole, LOW, visit } from '../visit.ts';
import { DESKTOP, signIn, type Subject } from './subject.ts';

/** A day with every kind of figure. */
function busyDay(usage: Usage): Usage {
  const series = usage.series.map(({ at }, index) => ({
    at,
    ok: index % 5 === 0 ? 0 : 20 + ((index * 7) % 30),
    failed: index % 4,
    refused: index % 6 === 2 ? 5 : 0,
    latency: index % 5 === 0 ? null : { p50: 80 + index, p95: 400 + index * 9, p99: 1_500 - index * 8 },
  }));
  const calls = { ok: 900, failed: 36, refused: 20 };
  return {
    ...usage,
    series,
    totals: { ok: 1_800, failed: 36, refused: 20 },
    before: { ok: 900, failed: 0, refused: 0 },
    latency: { p50: 90, p95: 640, p99: 1_500 },
    integrations: ['github', 'slack', 'jira'].map((integration) => ({ integration, ...calls })),
    tools: [
      { integration: 'github', tool: 'github_list_issues', ...calls },
      { integration: '*', tool: '*', ...calls },
    ],
    agents: [
      { actor: 'client:a', kind: 'client', name: 'Claude\u202ECode', ...calls },
      { actor: 'key:1', kind: 'agent-key', name: null, ...calls },
    ],
    causes: [
      { cause: 'not-found', calls: 30 },
      { cause: 'blocked', calls: 20 },
    ],
    isBehind: true,
  };
}

export function itShowsTheOverview(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('The overview', () => {
    it('is the first page once something was called, and counts the calls of this person or of everybody', async () => {
      const { page, settled, complaints, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      const main = page.getByRole('navigation', { name: 'Main' });
      await main
        .getByRole('link', { name: 'Integrations', exact: true })
        .and(page.locator('[aria-current]'))
        .waitFor();
      await main.getByRole('link', { name: 'Overview' }).click();
      await page.getByText('0 of 3 done').waitFor();
      await page.getByText('Nothing needs you right now.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'overview-new');

      const ben = await seedMember(subject, 'ben@example.com');
      await callTool(subject, 'list_jots');
      await callTool(subject, 'list_jots');
      await callTool(subject, 'time_now', { integration: 'time', key: ben.apiKey });
      await page.goto(at('/'));
      await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      await main.getByRole('link', { name: 'Overview' }).and(page.locator('[aria-current]')).waitFor();
      const calls = page.locator('.figure-value').first();
      expect(await calls.innerText()).toBe('2');
      // The steps stay beside the figures until they are done or closed.
      await page.getByText('2 of 3 done').waitFor();
      await page.getByRole('button', { name: 'Hide these steps' }).click();
      await page.getByText('2 of 3 done').waitFor({ state: 'detached' });
      await page.reload();
      await calls.waitFor();
      await settled();
      expect(await page.getByText('of 3 done').count()).toBe(0);
      // The table behind the chart has the same numbers.
      const table = page.getByRole('table', { name: 'Calls over time' });
      const cells = await table.getByRole('cell').allInnerTexts();
      expect(cells.filter((cell) => cell !== '0')).toEqual(['2']);
      await page.getByRole('list', { name: 'Latest calls' }).getByText('List jots').first().waitFor();

      await page.getByText('Everybody', { exact: true }).click();
      await expect.poll(() => calls.innerText()).toBe('3');
      await page
        .getByRole('list', { name: 'Latest calls' })
        .getByText(/ben@example\.com/)
        .waitFor();
      await page.getByText('30 days', { exact: true }).click();
      await table.getByRole('columnheader', { name: 'Day' }).waitFor();
      expect(new URL(page.url()).search).toBe('?of=everybody&range=30d');

      // The gallery stays within reach.
      await main.getByRole('link', { name: 'Integrations', exact: true }).click();
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('draws a busy day that people read by pointer, by keyboard and without seeing it', async () => {
      await callTool(subject, 'list_jots');
      const { page, settled, complaints, close } = await signIn(subject);
      await page.route('**/api/usage?*', async (route) => {
        const response = await fetchWhole(route);
        await route.fulfill({ response, json: busyDay(await response.json()) });
      });
      await page.route('**/api/connections', async (route) => {
        const response = await fetchWhole(route);
        const { connections }: { connections: { name: string }[] } = await response.json();
        const broken = connections.map((each) =>
          each.name === 'github' ? { ...each, connected: true, status: 'reconnect' } : each,
        );
        await route.fulfill({ response, json: { connections: broken } });
      });
      await page.goto(at('/overview'));
      await page.getByText('Older calls are still being counted.').waitFor();
      await page.getByText('106% more than the 24 hours before').waitFor();
      await page.getByRole('link', { name: 'Connect GitHub again' }).waitFor();
      await page.getByText('Claude Code').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'overview');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });

      const chart = page.getByRole('slider', { name: 'Calls over time' });
      await chart.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowRight');
      expect(await chart.getAttribute('aria-valuetext')).toMatch(/: Succeeded 27, Failed 1, Refused 0$/);
      const tip = page.locator('.chart-tip');
      await tip.getByText('27', { exact: true }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await tip.waitFor({ state: 'detached' });
      await chart.hover({ position: { x: 4, y: 50 } });
      await tip.waitFor();

      await page.getByRole('list', { name: 'Top tools' }).getByText('github_list_issues').click();
      await page.getByRole('button', { name: /^Remove filter: .*github_list_issues/ }).waitFor();
      const chosen = new URL(page.url()).searchParams;
      expect([chosen.get('integration'), chosen.get('tool')]).toEqual(['github', 'github_list_issues']);
      expect(complaints).toEqual([]);
      await close();
    });

    it('says in words what fails often, in few lines that stand below each other', async () => {
      await callTool(subject, 'list_jots');
      const { page, settled, close } = await signIn(subject);
      const fails = (tool: string, calls: number) => ({
        integration: 'github',
        tool: `github_${tool}`,
        cause: 'service',
        calls,
        of: calls,
      });
      const problems = [
        { ...fails('list_pull_requests', 57), tool: 'github_list_pull_requests' },
        ...Array.from({ length: 6 }, (_, index) => fails(`get_thing_${index}`, 20 - index)),
      ];
      await page.route('**/api/usage/agents', async (route) => {
        const response = await fetchWhole(route);
        await route.fulfill({ response, json: { ...(await response.json()), problems } });
      });
      await page.goto(at('/overview'));
      const panel = page.getByRole('region', { name: 'Needs attention' });
      await panel.getByText('GitHub: List pull requests failed 57 times').waitFor();
      await settled();
      const lines = panel.locator('.attention-noticed');
      expect(await lines.count()).toBe(4);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      // The head, the marks and the texts have one left edge each.
      const lefts = (selector: string) =>
        panel
          .locator(selector)
          .evaluateAll((all) => [...new Set(all.map((each) => each.getBoundingClientRect().x))]);
      expect(await lefts('h2, .attention-noticed > .logo')).toHaveLength(1);
      expect(await lefts('.attention-noticed > p')).toHaveLength(1);
      await page.setViewportSize({ width: 1280, height: 800 });
      await panel.getByRole('button', { name: 'Show 3 more' }).click();
      expect(await lines.count()).toBe(7);
      await expectSoundInEveryLook(page, 'overview-attention');
      await panel.getByRole('button', { name: /^Ignore: GitHub: List pull requests/ }).click();
      expect(await lines.count()).toBe(6);
      await close();
    });

    it('says what could not be loaded, and loads it again', async () => {
      await callTool(subject, 'list_jots');
      const { page, close } = await signIn(subject);
      let isDown = true;
      await page.route('**/api/usage?*', (route) =>
        isDown ? route.fulfill({ status: 500, json: { error: 'The store is full.' } }) : route.fallback(),
      );
      await page.goto(at('/overview'));
      await page.getByRole('alert').getByText('The store is full.').waitFor();
      isDown = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('slider', { name: 'Calls over time' }).waitFor();
      await close();
    });
  });
}
