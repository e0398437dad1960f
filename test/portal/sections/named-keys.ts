// Tests keys for single agents: making one, what it may do, and deleting it.
import { describe, expect, it } from 'vitest';
import { callTool } from '../gateway-calls.ts';
import { manyAgents, manyKeys } from '../pretended-policy.ts';
import { expectSoundInEveryLook, LOW, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const CLIPBOARD = 'navigator.clipboard.readText()';

export function itMakesKeys(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(path = '/agents?show=keys'): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    await visitor.page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
    await visitor.settled();
    return visitor;
  }

  describe('A key for an agent', () => {
    it('does only what the person chose, is shown once, and ends when it is deleted', async () => {
      const { page, settled, complaints, close } = await open();
      await page.getByText('No keys yet').waitFor();
      await expectSoundInEveryLook(page, 'keys-none');
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByLabel('Name').fill('Reader');
      await page.getByRole('radio', { name: 'Only some' }).check();
      await page.getByRole('searchbox', { name: 'Search integrations' }).fill('jot');
      await page.getByRole('checkbox', { name: 'Jots' }).check();
      await page.getByText('1 chosen').waitFor();
      await page.getByLabel('Calls a minute').fill('30');
      await expectSoundInEveryLook(page, 'keys-form');
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('heading', { name: 'The key for Reader is ready' }).waitFor();
      const key = await page.getByRole('textbox', { name: 'The key Reader' }).inputValue();
      expect(key).toMatch(/^agk_[0-9a-f]{64}$/);
      await page.getByText(/^Only reads · Jots · 30 calls a minute · until /).waitFor();
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
      expect(page.url()).toBe(at('/agents?show=keys'));
      await page.getByRole('tab', { name: 'Clients' }).click();
      await page.getByRole('tab', { name: 'Keys' }).click();
      await page.getByRole('heading', { name: 'Reader', exact: true }).waitFor();
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
      await page.getByRole('button', { name: 'Make a key' }).click();
      await page.getByLabel('Name').fill('Clock');
      await page.getByRole('radio', { name: /^Only these tools/ }).check();
      const search = page.getByRole('searchbox', { name: 'Search tools' });
      await search.waitFor();
      await page.getByRole('button', { name: 'Make the key' }).click();
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
      await page.getByRole('button', { name: 'Make the key' }).click();
      const key = await page.getByRole('textbox', { name: 'The key Clock' }).inputValue();
      await page.getByText(/^Only reads · Only time_now · until /).waitFor();

      expect((await callTool(subject, 'time_now', { key, integration: 'time' })).status).toBe(200);
      expect(await callTool(subject, 'list_jots', { key })).toEqual({ status: 403, error: 'BLOCKED' });
      const rest = await subject.gateway().request('/rest', { headers: { 'x-service-api-key': key } });
      expect(await rest.json()).toMatchObject({ integrations: [{ name: 'time', toolCount: 1 }] });
      expect(complaints).toEqual([]);
      await close();
    });

    it('keeps what was typed, and says what is missing beside the field', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/clients'));
      await page.getByRole('link', { name: 'Make a key for an agent' }).click();
      await page.getByRole('radio', { name: 'Only some' }).check();
      await page.getByLabel('Ends').selectOption('On a day');
      await page.getByLabel('Calls a minute').fill('lots');
      await page.getByRole('button', { name: 'Make the key' }).click();
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
      await page.getByRole('radio', { name: /^Read and write/ }).check();
      await page.getByLabel('Last day').fill('2099-03-01');
      await page.getByLabel('Calls a minute').fill('');
      await page.getByRole('button', { name: 'Make the key' }).click();
      await page.getByRole('heading', { name: 'The key for Nightly is ready' }).waitFor();
      await page.getByText('Reads and writes · until 1 March 2099').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      expect(await page.getByRole('textbox', { name: 'The key Nightly' }).count()).toBe(0);
      await close();
    });

    it('is counted, and shown first to a person without clients', async () => {
      const { page, close } = await signIn(subject);
      await page.route('**/api/agent-keys', (route) => route.fulfill({ json: { keys: manyKeys(3) } }));
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents: [] } }));
      await page.goto(at('/agents'));
      await page.getByRole('tab', { name: 'Keys (3)', selected: true }).waitFor();
      await page.getByRole('tab', { name: 'Clients (0)' }).click();
      await page.getByText('No agent has signed in yet').waitFor();
      // The address keeps what the person chose.
      await page.reload();
      await page.getByRole('tab', { name: 'Clients (0)', selected: true }).waitFor();
      await close();
    });

    it('stays readable among many keys and applications with long names', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      await page.route('**/api/agent-keys', (route) => route.fulfill({ json: { keys: manyKeys(60) } }));
      await page.route('**/api/agents', (route) => route.fulfill({ json: { agents: manyAgents(30) } }));
      for (const [path, count] of [
        ['/agents?show=keys', '60 keys'],
        ['/agents', '30 agents'],
      ] as const) {
        await page.goto(at(path));
        await page.getByText(count, { exact: true }).waitFor();
        await settled();
        await expectSoundInEveryLook(page, count.replace(' ', '-'));
        await page.setViewportSize({ width: 390, height: 844 });
        expect(await page.evaluate(LOW), path).toEqual([]);
        await page.setViewportSize({ width: 1280, height: 800 });
      }
      // The scope of this application allows less than its limits.
      const reader = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'Client 2', exact: true }) });
      await reader.getByText(/^Only reads · until/).waitFor();
      await reader.getByRole('button', { name: 'Change limits of Client 2' }).click();
      const dialog = page.getByRole('dialog', { name: 'What Client 2 may do' });
      await dialog.getByText('It asked only to read when it signed in').waitFor();
      await expectSoundInEveryLook(page, 'agents-change');
      await dialog.getByRole('button', { name: 'Cancel' }).click();

      // Rules that the form cannot show stay as they are.
      const sent: unknown[] = [];
      await page.route('**/api/agents/*', (route) => {
        sent.push(route.request().postDataJSON());
        return route.fulfill({ json: manyAgents(30)[3] });
      });
      await page.getByRole('button', { name: 'Change limits of Client 3' }).click();
      const ruled = page.getByRole('dialog', { name: 'What Client 3 may do' });
      expect(await ruled.getByRole('radio', { name: /^Its own rules/ }).isChecked()).toBe(true);
      await ruled.getByRole('radio', { name: 'All integrations' }).check();
      await ruled.getByRole('button', { name: 'Save' }).click();
      await ruled.waitFor({ state: 'detached' });
      expect(sent).toEqual([{ rules: [{ access: 'destroy', decision: 'ask' }] }]);

      await page.getByRole('button', { name: 'Change limits of Client 5' }).click();
      const tools = page.getByRole('dialog', { name: 'What Client 5 may do' });
      expect(await tools.getByRole('checkbox', { name: 'time_now' }).isChecked()).toBe(true);
      await tools.getByText('No longer on this gateway').waitFor();
      await tools.getByText('delete_jot is chosen, but the choices above block it.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'agents-tools');
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
