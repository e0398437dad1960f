// Tests how people say what agents may do in general, and for everyone.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../portal/api/policy.ts';
import { callTool, countWaiting, readRules, setRules } from '../gateway-calls.ts';
import { seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, LOW, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itSetsRules(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(path = '/rules'): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    await visitor.page.getByRole('heading', { name: 'Exceptions' }).waitFor();
    await visitor.settled();
    return visitor;
  }

  const preset = (page: Page, name: string) =>
    page.getByRole('group', { name: 'In general' }).getByRole('radio', { name: new RegExp(`^${name}`) });

  async function save(page: Page, name: string): Promise<void> {
    await preset(page, name).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. The new rules apply now.').waitFor();
  }

  describe('The rules', () => {
    it('sets a preset that the gateway follows, and keeps the exceptions', async () => {
      const exceptions: Rule[] = [
        { integration: 'time', tool: 'time_now', decision: 'block' },
        { integration: 'web', decision: 'ask' },
      ];
      await setRules(subject, exceptions);
      const { page, complaints, close } = await open();
      expect(await preset(page, 'Everything').isChecked()).toBe(true);
      await save(page, 'Ask before deletions');
      expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
      expect(await readRules(subject)).toEqual([{ access: 'destroy', decision: 'ask' }, ...exceptions]);
      expect(await callTool(subject, 'delete_jot', { args: { name: 'a' } })).toEqual({
        status: 409,
        error: 'APPROVAL_REQUIRED',
      });
      expect((await callTool(subject, 'list_jots')).status).toBe(200);
      expect((await callTool(subject, 'time_now', { integration: 'time' })).error).toBe('BLOCKED');

      await save(page, 'Read only');
      expect((await callTool(subject, 'delete_jot', { args: { name: 'a' } })).error).toBe('BLOCKED');
      await page.reload();
      await page.getByRole('heading', { name: 'Exceptions' }).waitFor();
      expect(await preset(page, 'Read only').isChecked()).toBe(true);
      expect(complaints).toEqual([]);
      await close();
    });

    it('asks after content from outside, and says so beside each tool', async () => {
      await setRules(subject, [{ integration: 'web', decision: 'ask' }]);
      const { page, complaints, close } = await open();
      const outside = page.getByRole('group', { name: 'After content from outside' });
      await outside.getByRole('radio', { name: /^Ask before changes/ }).check();
      await page.getByText('Saved. The new rules apply now.').waitFor();
      await page.getByRole('combobox', { name: 'From' }).selectOption('jots');
      await page.locator('.outside-rules').getByRole('button', { name: 'Add' }).click();
      await page.getByText('Keys, tokens and cards are taken out').waitFor();
      await page.locator('.outside-rules').getByRole('heading', { name: 'Jots', exact: true }).waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'web', decision: 'ask' },
        { access: 'write', after: 'outside', decision: 'ask' },
        { access: 'destroy', after: 'outside', decision: 'ask' },
        { integration: 'jots', redact: 'secrets', decision: 'allow' },
      ]);
      await expectSoundInEveryLook(page, 'rules-outside');
      await callTool(subject, 'list_jots');
      expect((await callTool(subject, 'delete_jot', { args: { name: 'a' } })).error).toBe(
        'APPROVAL_REQUIRED',
      );
      await page.goto(at('/integrations/jots'));
      const row = page.getByRole('listitem').filter({ hasText: 'delete_jot' });
      await row.getByText('asks after outside content').waitFor();
      await row
        .getByRole('button', { name: /delete_jot/ })
        .last()
        .click();
      await page.getByText('Asks after content from outside.').waitFor();
      expect(complaints).toEqual([]);
      await setRules(subject, []);
      await close();
    });

    it('says before and after a change that it ends the calls that wait', async () => {
      await setRules(subject, [{ access: 'destroy', decision: 'ask' }]);
      await callTool(subject, 'delete_jot', { args: { name: 'a' } });
      await callTool(subject, 'delete_jot', { args: { name: 'b' } });
      expect(await countWaiting(subject)).toBe(2);
      const { page, close } = await open();
      await preset(page, 'Read only').check();
      await page.getByText('2 calls wait for your approval').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      expect(await preset(page, 'Ask before deletions').isChecked()).toBe(true);
      await save(page, 'Read only');
      await page.getByText('2 waiting calls were cancelled. Agents have to ask again.').waitFor();
      expect(await countWaiting(subject)).toBe(0);
      await close();
    });

    it('shows general rules that fit no preset as the person’s own, level by level', async () => {
      await setRules(subject, [
        { access: 'write', decision: 'ask' },
        { access: 'destroy', decision: 'block' },
      ]);
      const { page, close } = await open();
      const own = preset(page, 'Your own rules');
      expect(await own.isChecked()).toBe(true);
      await page.getByText('agents read freely, ask before they change, and cannot delete').waitFor();
      const deletes = page.getByRole('group', { name: 'Deletes' });
      expect(await deletes.getByRole('radio', { name: 'Block' }).isChecked()).toBe(true);
      await deletes.getByText('Ask').click();
      expect(await preset(page, 'Ask before changes').isChecked()).toBe(true);
      // What is stored stays a choice.
      expect(await own.isChecked()).toBe(false);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved. The new rules apply now.').waitFor();
      expect(await own.count()).toBe(0);
      await close();
    });

    it('adds, changes and removes an exception, and takes the removal back', async () => {
      const { page, complaints, close } = await open();
      const form = page.getByRole('form', { name: 'Add an exception' });
      await form.getByRole('button', { name: 'Add' }).click();
      await form.getByText('Choose an integration first.').waitFor();
      await form.getByLabel('Integration').selectOption('Jots');
      await form.getByLabel('Tools').selectOption('delete_jot');
      await form.getByLabel('Decision').selectOption('Block');
      await form.getByRole('button', { name: 'Add' }).click();
      await page.getByText('Blocked from now on: delete_jot.').waitFor();
      expect((await callTool(subject, 'delete_jot', { args: { name: 'a' } })).error).toBe('BLOCKED');

      const row = page
        .getByRole('listitem')
        .filter({ has: page.getByRole('heading', { name: 'delete_jot' }) });
      await row.getByRole('button', { name: /^delete_jot, Jots: Blocked/ }).click();
      await page.getByRole('menuitemradio', { name: /^Ask/ }).click();
      await page.getByText('Asks from now on: delete_jot.').waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'jots', tool: 'delete_jot', decision: 'ask' },
      ]);

      await row.getByRole('button', { name: /^Remove/ }).click();
      await page.getByText('The exception for delete_jot is removed.').waitFor();
      expect(await readRules(subject)).toEqual([]);
      await page.getByRole('button', { name: 'Undo' }).click();
      await row.waitFor();
      expect(await readRules(subject)).toEqual([
        { integration: 'jots', tool: 'delete_jot', decision: 'ask' },
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('lets an administrator set rules for everyone, which nobody can loosen', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      const { page, close } = await open();
      await page.getByRole('tab', { name: 'For everyone' }).click();
      await save(page, 'Ask before deletions');
      await page.getByText('Waiting calls of all people were cancelled').waitFor();
      expect(await readRules(subject, '/api/admin/policy')).toEqual([{ access: 'destroy', decision: 'ask' }]);
      expect(await readRules(subject)).toEqual([]);
      await close();

      const { page: member, settled, close: leave } = await visitAs(subject, ben, '/rules');
      const forEveryone = member.getByRole('region', { name: 'For everyone on this gateway' });
      await forEveryone.getByText('agents read freely, change freely, and ask before they delete').waitFor();
      expect(await member.getByRole('tab').count()).toBe(0);
      await member.getByRole('group', { name: 'Deletes' }).getByText('For everyone: asks').waitFor();
      await settled();
      await expectSoundInEveryLook(member, 'rules-for-everyone');

      await member.goto(at('/integrations/jots'));
      await member.getByText('The rules for everyone are stricter for one tool').waitFor();
      await member.getByRole('button', { name: 'delete_jot: Asks, for everyone. Change' }).click();
      const allow = member.getByRole('menuitemradio', { name: /^Allow/ });
      expect(await allow.getAttribute('aria-disabled')).toBe('true');
      await member.getByText('The rules for everyone allow no more than this.').waitFor();
      await member.getByRole('menuitemradio', { name: /^Block/ }).click();
      await member.getByRole('button', { name: 'delete_jot: Blocked, set here. Change' }).waitFor();
      await leave();
    });

    it('makes a rule for a group, offers those that are known, and says when nobody knows one', async () => {
      await setRules(
        subject,
        [
          { groups: ['contractors'], access: 'write', decision: 'ask' },
          { groups: ['contractors', 'guests'], perMinute: 60, decision: 'allow' },
          { groups: ['guests'], after: 'outside', access: 'destroy', decision: 'block' },
        ],
        '/api/admin/policy',
      );
      const { page, settled, complaints, close } = await open('/rules?for=everyone');
      const section = page.getByRole('region', { name: 'For groups' });
      await section.getByText('Asks: Every integration · Tools that change').waitFor();
      await section.getByText('Allowed: at most 60 calls a minute').waitFor();
      const form = section.getByRole('form', { name: 'Add a rule for a group' });
      await form.getByRole('button', { name: 'Add' }).click();
      await form.getByText('Choose a group, or type its name').waitFor();
      expect(
        await form
          .locator('datalist option')
          .evaluateAll((all) => all.map((each) => each.getAttribute('value'))),
      ).toEqual(['contractors', 'guests']);
      await form.getByLabel('Group').fill('plattform');
      await form.getByLabel('Integration').selectOption('Jots');
      await form.getByLabel('Tools').selectOption('delete_jot');
      await form.getByLabel('Decision').selectOption('Allow');
      await form.getByRole('button', { name: 'Add' }).click();
      await section.getByText('Nobody has been seen in “plattform” yet').waitFor();
      await section.getByText('Allowed: delete_jot · Jots').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'rules-for-groups');
      await section
        .getByRole('button', { name: /^Remove the rule: Asks: Every integration · Tools that change/ })
        .click();
      await section.getByText('Asks: Every integration').waitFor({ state: 'detached' });
      expect(await readRules(subject, '/api/admin/policy')).toEqual([
        { groups: ['contractors', 'guests'], perMinute: 60, decision: 'allow' },
        { groups: ['guests'], after: 'outside', access: 'destroy', decision: 'block' },
        { integration: 'jots', tool: 'delete_jot', groups: ['plattform'], decision: 'allow' },
      ]);
      // The other parts of the page do not take them for theirs.
      const outside = page.getByRole('group', { name: 'After content from outside' });
      await outside.getByRole('radio', { name: /^Ask before changes/ }).check();
      await page.getByText('Saved. The new rules apply now.').first().waitFor();
      expect((await readRules(subject, '/api/admin/policy')).slice(0, 3)).toEqual([
        expect.objectContaining({ perMinute: 60 }),
        expect.objectContaining({ groups: ['guests'], after: 'outside' }),
        expect.objectContaining({ groups: ['plattform'] }),
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows many exceptions with long names, and is sound in every look', async () => {
      await setRules(subject, [
        { access: 'write', decision: 'ask' },
        { access: 'destroy', decision: 'block' },
        ...['allow', 'ask', 'block'].flatMap((decision) =>
          Array.from({ length: 20 }, (_, index) => ({
            integration: `service_${index}`,
            tool: `service_${index}_${decision}_${'long_name_'.repeat(4)}`.slice(0, 64),
            // One of the three words of the list above.
            decision: decision as Rule['decision'],
          })),
        ),
        { integration: 'jots', access: 'destroy', decision: 'ask' },
        { integration: 'time', decision: 'allow' },
      ]);
      const { page, settled, complaints, close } = await open();
      await page.getByText('62 exceptions', { exact: true }).waitFor();
      await page.getByRole('searchbox', { name: 'Search exceptions' }).fill('jots delete');
      await page.getByText('1 of 62 exceptions').waitFor();
      await page.getByRole('listitem').getByRole('link', { name: 'Jots', exact: true }).last().waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByText('62 exceptions', { exact: true }).waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'rules');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
}
