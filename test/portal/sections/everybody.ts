// Tests that administrators see the calls of everybody, and who made them.
import { describe, expect, it } from 'vitest';
import { callTool } from '../gateway-calls.ts';
import { seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, fetchWhole } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsEverybodysActivity(subject: Subject): void {
  describe('The activity of everybody', () => {
    it('names who made a call, and shows one person only', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      await callTool(subject, 'list_jots');
      await callTool(subject, 'time_now', { integration: 'time', key: ben.apiKey });
      const { page, settled, complaints, close } = await signIn(subject);
      await page.goto(`${subject.gateway().base}/activity`);
      const calls = page.getByRole('list', { name: 'Activity' }).getByRole('listitem');
      await calls.filter({ hasText: 'List jots' }).waitFor();
      expect(await calls.filter({ hasText: 'NowTime' }).count()).toBe(0);

      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByRole('button', { name: 'Everybody', exact: true }).click();
      await calls.filter({ hasText: 'NowTime' }).getByText('ben@example.com').waitFor();
      await calls.filter({ hasText: 'List jots' }).getByText('owner@localhost').waitFor();
      await settled();
      await page.keyboard.press('Escape');
      await expectSoundInEveryLook(page, 'activity-everybody');
      await page.getByRole('button', { name: 'ben@example.com: show only these calls' }).click();
      await calls.filter({ hasText: 'List jots' }).waitFor({ state: 'detached' });
      // The list is empty until the answer is there.
      await calls.filter({ hasText: 'NowTime' }).waitFor();
      expect(await calls.count()).toBe(1);
      await page.getByRole('button', { name: 'Remove filter: ben@example.com' }).waitFor();
      // The address carries the choice.
      await page.reload();
      await calls.filter({ hasText: 'NowTime' }).waitFor();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      expect(await page.getByLabel(/^Person/).inputValue()).toBe(ben.userId);
      await page.getByLabel(/^Person/).selectOption('All people');
      await calls.filter({ hasText: 'List jots' }).waitFor();

      await page.route('**/api/admin/audit?*', async (route) => {
        const response = await fetchWhole(route);
        const { entries }: { entries: object[] } = await response.json();
        const nobodys = entries.map((each) => ({ ...each, user: { id: 'gone', email: null } }));
        await route.fulfill({ response, json: { entries: nobodys } });
      });
      await page.reload();
      await calls.filter({ hasText: 'Former member' }).first().waitFor();
      await page.getByRole('button', { name: 'Remove filter: Everybody' }).click();
      await calls.filter({ hasText: 'Jots' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('is not offered to members', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      const { page, settled, close } = await visitAs(subject, ben, '/activity');
      await page.getByText('No calls yet').waitFor();
      await settled();
      await page.getByRole('button', { name: 'Filter', exact: true }).click();
      await page.getByLabel('Outcome').waitFor();
      expect(await page.getByRole('button', { name: 'Everybody' }).count()).toBe(0);
      await close();
    });
  });
}
