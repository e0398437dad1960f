// Tests keys for single agents: making one, what it may do, and deleting it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callTool } from '../gateway-calls.ts';
import { manyAgents, manyKeys } from '../pretended-policy.ts';
import { expectSoundInEveryLook, LOW, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const CLIPBOARD = 'navigator.clipboard.readText()';

export function itMakesKeys(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(path = '/agents'): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    await visitor.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await visitor.settled();
    return visitor;
  }

  /** The pixels between the end of a link and the end of its panel. */
  async function gapAtTheRight(page: Page, name: string): Promise<number> {
    const link = page.getByRole('link', { name, exact: true });
    const [inner, outer] = [
      await link.boundingBox(),
      await page.locator('.panel', { has: link }).boundingBox(),
    ];
    return (outer?.x ?? 0) + (outer?.width ?? 0) - (inner?.x ?? 0) - (inner?.width ?? 0);
  }

  describe('A key for an agent', () => {
    it('does only what the person chose, is shown once, and ends when it is deleted', async () => {
      const { page, settled, complaints, close } = await open();
      await page.getByText('Give each agent a key of its own').waitFor();
      await expectSoundInEveryLook(page, 'keys-none');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('Reader');
      await page.getByRole('radio', { name: 'Only some' }).check();
      await page.getByRole('searchbox', { name: 'Search integrations' }).fill('jot');
      await page.getByRole('checkbox', { name: 'Jots' }).check();
      await page.getByText('1 chosen').waitFor();
      await page.getByLabel('Rate limit').fill('30');
      await expectSoundInEveryLook(page, 'keys-form');
      await page.locator('form').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'The key for Reader is ready' }).waitFor();
      const key = await page.getByRole('textbox', { name: 'The key Reader' }).inputValue();
      expect(key).toMatch(/^agk_[0-9a-f]{64}$/);
      const card = page.getByRole('listitem').filter({ hasText: 'Reader' });
      await card.getByText('Reads', { exact: true }).waitFor();
      await card.getByText('Jots').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'keys-made');

      expect((await callTool(subject, 'list_jots', { key })).status).toBe(200);
      expect((await callTool(subject, 'delete_jot', { key, args: { name: 'a' } })).status).not.toBe(200);
      expect((await callTool(subject, 'time_now', { key, integration: 'time' })).status).not.toBe(200);

      await page.getByRole('button', { name: 'Copy: The key Reader' }).click();
      await page.getByRole('button', { name: 'Copied: The key Reader' }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(key);
      const line = page.locator('.made-key pre');
      expect(await line.innerText()).not.toContain(key);
      await page.getByRole('button', { name: 'curl', exact: true }).click();
      await page.getByRole('button', { name: 'Copy: List the tools that it may use' }).click();
      await page.getByRole('button', { name: 'Copied: List the tools that it may use' }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(`curl ${at('/rest')} -H 'x-service-api-key: ${key}'`);

      // The key is in no address, and gone when the person leaves the page.
      expect(page.url()).toBe(at('/agents'));
      await page.getByRole('link', { name: 'Reader', exact: true }).click();
      await page.getByRole('heading', { name: 'Reader', level: 1 }).waitFor();
      // A refused call has not failed.
      await expect.poll(() => page.getByText('1 refused').count()).toBe(2);
      expect(await page.getByText('1 failed').count()).toBe(0);
      expect(await gapAtTheRight(page, 'All its calls')).toBeLessThan(24);
      await page.getByText('30 calls a minute').waitFor();
      const pause = page.getByRole('switch', { name: 'Pause Reader' });
      await pause.click();
      await page.getByText('Reader is paused.').waitFor();
      expect(await callTool(subject, 'list_jots', { key })).toEqual({ status: 403, error: 'PAUSED' });
      await expectSoundInEveryLook(page, 'agent-paused');
      await pause.click();
      await page.getByText('Reader works again.').waitFor();
      expect((await callTool(subject, 'list_jots', { key })).status).toBe(200);
      expect(await page.content()).not.toContain(key);

      await page.getByRole('button', { name: 'Delete Reader' }).click();
      await page
        .getByRole('dialog', { name: 'Delete the key “Reader”?' })
        .getByRole('button', { name: 'Delete' })
        .click();
      await page.getByText('The key Reader is deleted.').waitFor();
      expect((await callTool(subject, 'list_jots', { key })).status).toBe(401);
      expect(complaints).toEqual([]);
      await close();
    });

    it('calls only the tools that the person chose', async () => {
      const { page, settled, complaints, close } = await open();
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('Clock');
      await page.getByRole('radio', { name: /^Only these tools/ }).check();
      const search = page.getByRole('searchbox', { name: 'Search tools' });
      await search.waitFor();
      await page.locator('form').getByRole('button', { name: 'Create key' }).click();
      await page.getByText('Choose at least one tool.').waitFor();
      expect(await search.evaluate('document.activeElement.name')).toBe('tools');

      await search.fill('delete jot');
      await page.getByText('The choices above block delete_jot.').waitFor();
      await search.fill('time now');
      await page.getByRole('checkbox', { name: 'time_now' }).press('Space');
      await page.getByText('1 chosen').waitFor();
      await page.getByRole('radio', { name: 'Only some' }).check();
      await page.getByRole('checkbox', { name: 'Jots' }).check();
      await page.getByText('time_now is chosen, but the choices above block it.').waitFor();
      await page.getByRole('radio', { name: 'All integrations' }).check();
      await settled();
      await search.fill('');
      await expectSoundInEveryLook(page, 'keys-tools');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.locator('form').getByRole('button', { name: 'Create key' }).click();
      const key = await page.getByRole('textbox', { name: 'The key Clock' }).inputValue();

      expect((await callTool(subject, 'time_now', { key, integration: 'time' })).status).toBe(200);
      expect(await callTool(subject, 'list_jots', { key })).toEqual({ status: 403, error: 'BLOCKED' });
      const rest = await subject.gateway().request('/rest', { headers: { 'x-service-api-key': key } });
      expect(await rest.json()).toMatchObject({ integrations: [{ name: 'time', toolCount: 1 }] });
      expect(complaints).toEqual([]);
      await close();
    });

    it('keeps what was typed, and says what is missing beside the field', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/agents?new=key'));
      await page.getByRole('radio', { name: 'Only some' }).check();
      await page.getByLabel('Expires').selectOption('On a day');
      await page.getByLabel('Rate limit').fill('lots');
      await page.locator('form').getByRole('button', { name: 'Create key' }).click();
      for (const problem of [
        'Give the key a name.',
        'Choose at least one',
        'Choose a day in',
        'Enter a whole number',
      ])
        await page.getByText(problem).waitFor();
      expect(await page.evaluate('document.activeElement.name')).toBe('name');

      await page.getByLabel('Name').fill('Nightly');
      await page.getByRole('link', { name: 'Activity', exact: true }).click();
      await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
      await page.goBack();
      await page.getByRole('radio', { name: 'All integrations' }).check();
      await page.getByRole('radio', { name: /^Read and change/ }).check();
      await page.getByLabel('Last day').fill('2099-03-01');
      await page.getByLabel('Rate limit').fill('');
      await page.locator('form').getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('heading', { name: 'The key for Nightly is ready' }).waitFor();
      await page.getByText('Reads and changes', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.getByRole('textbox', { name: 'The key Nightly' }).count()).toBe(0);
      await close();
    });

    it('stays readable among many keys and applications with long names', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      await page.route('**/api/agent-keys', (route) => route.fulfill({ json: { keys: manyKeys(60) } }));
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents: manyAgents(30) } }));
      await page.goto(at('/agents'));
      await page.getByText('91 agents', { exact: true }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'agents-many');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });

      // Rules that the form cannot show stay as they are.
      const sent: unknown[] = [];
      await page.route('**/api/agents/*', (route) => {
        sent.push(route.request().postDataJSON());
        return route.fulfill({ json: manyAgents(30)[3] });
      });
      await page.getByRole('link', { name: 'Client 3', exact: true }).click();
      await page.getByRole('button', { name: 'Change what Client 3 may do' }).click();
      expect(await page.getByRole('radio', { name: /^Its own rules/ }).isChecked()).toBe(true);
      await page.getByRole('radio', { name: 'All integrations' }).check();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The new limits of Client 3 apply').waitFor();
      expect(sent).toEqual([{ rules: [{ access: 'destroy', decision: 'ask' }] }]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
