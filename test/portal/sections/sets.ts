// Tests the pages of sets: making one, choosing its tools, who uses it, and the lines to paste. reference: Sets
import { describe, expect, it } from 'vitest';
import { axeViolations, LOOKS, photograph, scrollsSideways } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsSets(subject: Subject): void {
  const keyed = () => ({
    'x-service-api-key': subject.gateway().apiKey,
    'content-type': 'application/json',
  });
  const api = (path: string, body?: object) =>
    subject.gateway().request(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: keyed(),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  async function makeWork(): Promise<void> {
    const tools = ['time_now', 'github_list_issues', 'github_create_issue', 'hackernews_search'];
    const description = 'Looks through new issues every morning, and says what time it is.';
    const made = await api('/api/sets', { name: 'work', title: 'Work', description, tools });
    expect(made.status).toBe(201);
    const call = { name: 'time_now', arguments: {} };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    expect((await api('/mcp/sets/work', message)).status).toBe(200);
  }

  describe.each(LOOKS)('Sets, $theme, $width', (look) => {
    it('shows a sound list and a sound set', async () => {
      await makeWork();
      const { page, complaints, settled, close } = await signIn(subject, look);
      for (const [name, path, heading] of [
        ['sets-list', '/sets', 'Sets'],
        ['sets-form', '/sets?new=set', 'Sets'],
        ['set-page', '/sets/work', 'Work'],
        ['set-page-curl', '/sets/work?client=curl', 'Work'],
      ] as const) {
        await page.goto(subject.gateway().base + path);
        await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
        await settled();
        expect(await axeViolations(page), name).toEqual([]);
        expect(await scrollsSideways(page), name).toBe(false);
        await photograph(page, `${name}-${look.theme}-${look.width}`);
      }
      await page.getByLabel('Say what should be done').fill('list pull requests');
      await page.getByRole('button', { name: 'Add github_list_pull_requests' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `set-search-${look.theme}-${look.width}`);
      await page.goto(`${subject.gateway().base}/integrations/time`);
      await page.getByRole('button', { name: 'Add to a set' }).click();
      await page.getByRole('dialog').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, `set-dialog-${look.theme}-${look.width}`);
      expect(complaints).toEqual([]);
      await page.goto(`${subject.gateway().base}/sets/none`);
      await page.getByRole('heading', { name: 'Set not found', level: 1 }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await close();
    });
  });

  it('makes a set, adds tools from the search, and takes one out', async () => {
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/agents`);
    await page.getByRole('link', { name: 'Sets', exact: true }).click();
    await page.getByRole('button', { name: 'Make a set' }).click();
    await page.getByLabel('Name').fill('My Triage');
    await page.getByRole('button', { name: 'Make the set' }).click();
    await page.getByRole('heading', { name: 'my-triage', level: 1 }).waitFor();
    await page.getByText('No tools yet').waitFor();
    const search = page.getByLabel('Say what should be done');
    await search.fill('current time');
    await page.getByRole('button', { name: 'Add time_now', exact: true }).click();
    await page.getByText('time_now is in the set.').waitFor();
    await search.fill('convert time');
    await page.getByRole('button', { name: 'Add time_convert', exact: true }).click();
    await page.getByText('time_convert is in the set.').waitFor();
    await page.getByText(/2 tools, about \d+ tokens/).waitFor();
    await page.getByRole('button', { name: 'Remove time_now' }).click();
    await page.getByText('time_now is out of the set.').waitFor();
    const { sets } = await (await api('/api/sets')).json();
    expect(sets).toMatchObject([{ name: 'my-triage', tools: ['time_convert'] }]);
    expect(await page.getByText(`/mcp/sets/my-triage`).count()).toBeGreaterThan(1);
    await page.getByRole('button', { name: 'Delete the set' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the set' }).click();
    await page.getByText('No sets yet').waitFor();
    await close();
  });

  it('adds tools of an integration to a set, and begins one with what an agent used last week', async () => {
    await makeWork();
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/integrations/hackernews`);
    await page.getByRole('button', { name: 'Add to a set' }).click();
    await page.getByLabel('Which set').selectOption('work');
    await page.getByRole('checkbox', { name: 'hackernews_get_item' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1 tool added to Work.').waitFor();
    await page.goto(`${subject.gateway().base}/sets?new=set`);
    await page.getByLabel('Name').fill('used');
    await page.getByRole('radio', { name: /used last week/ }).check();
    await page.getByRole('button', { name: 'Make the set' }).click();
    await page.getByRole('heading', { name: 'used', level: 1 }).waitFor();
    const { sets } = await (await api('/api/sets')).json();
    expect(sets.map(({ tools }: { tools: string[] }) => tools)).toEqual([
      ['time_now'],
      ['time_now', 'github_list_issues', 'github_create_issue', 'hackernews_search', 'hackernews_get_item'],
    ]);
    await close();
  });

  it('makes a key that may call the tools of the set only', async () => {
    await makeWork();
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/sets/work`);
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = await page.getByLabel('The key Set Work').first().inputValue();
    await page
      .getByText(/claude mcp add .*\/mcp\/sets\/work/)
      .first()
      .waitFor();
    const run = async (tool: string) =>
      (
        await subject.gateway().request(`/rest/time/${tool}`, {
          method: 'POST',
          headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status;
    expect([await run('time_now'), await run('time_convert')]).toEqual([200, 403]);
    await close();
  });

  it('binds a new key to a set in the form of its limits', async () => {
    await makeWork();
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/agents`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Bound');
    await page.getByLabel('Only the tools of a set').selectOption('work');
    await page.locator('form').getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('The key Bound').first().waitFor();
    const { keys } = await (await api('/api/agent-keys')).json();
    expect(keys).toMatchObject([{ name: 'Bound', set: 'work' }]);
    await close();
  });

  it('says who used a set, and what is not connected', async () => {
    await makeWork();
    const { page, close } = await signIn(subject);
    await page.goto(`${subject.gateway().base}/sets/work`);
    await page.getByText('Last used').waitFor();
    expect(await page.getByText('Not connected: the first call').count()).toBe(2);
    await close();
  });
}
