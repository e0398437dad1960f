// Tests how an administrator finds, invites, changes, disables and deletes people.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Person } from '../../../portal/api/people.ts';
import { callTool } from '../gateway-calls.ts';
import { ask, connectDatadog, seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, LOW, type Visit } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const CLIPBOARD = 'navigator.clipboard.readText()';
const NOW = Math.floor(Date.now() / 1000);
const DAY = 86_400;
const STATUSES = ['active', 'active', 'invited', 'disabled', 'deleting'] as const;

/** People with looks that a fresh gateway cannot have. */
function manyPeople(count: number, from = 0): Person[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `person-${from + index}`,
    email:
      index === 1
        ? `${'a.very.long.name.'.repeat(4)}end@department.example.com`
        : `person-${from + index}@example.com`,
    role: index === 0 ? 'owner' : index === 3 ? 'administrator' : 'member',
    status: STATUSES[index % STATUSES.length] ?? 'active',
    createdAt: NOW - index * 9 * DAY,
    ...(index % 5 === 2 ? {} : { signedInAt: NOW - index * DAY }),
    ...(index % 3 === 0 ? { calledAt: NOW - index * 500 } : {}),
    connections: index * 3,
    agents: index % 4,
    keys: 1,
  }));
}

export function itLooksAfterPeople(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function open(path: string, heading: string): Promise<Visit> {
    const visitor = await signIn(subject);
    await visitor.page.goto(at(path));
    await visitor.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await visitor.settled();
    return visitor;
  }
  const row = (page: Page, email: string) =>
    page.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: email });

  describe('The people of the gateway', () => {
    it('are reached from the navigation, searched and opened', async () => {
      await seedMember(subject, 'ben@example.com');
      const { page, settled, complaints, close } = await signIn(subject);
      await page
        .getByRole('navigation', { name: 'Administration' })
        .getByRole('link', { name: 'People' })
        .click();
      await page.getByText('3 people', { exact: true }).waitFor();
      expect(await row(page, 'owner@localhost').innerText()).toContain('Owner');
      expect(await row(page, 'ann@example.com').innerText()).toContain('1 key');
      await settled();
      await expectSoundInEveryLook(page, 'people');

      await page.getByRole('searchbox', { name: 'Search people by address' }).fill('BEN');
      await page.getByText('1 person', { exact: true }).waitFor();
      expect(new URL(page.url()).search).toBe('?q=BEN');
      await page.getByRole('searchbox').fill('nobody here');
      await page.getByText('Nobody matches “nobody here”').waitFor();
      await page.getByRole('button', { name: 'Show all' }).click();
      await row(page, 'ben@example.com').getByRole('link').press('Enter');
      await page.getByRole('heading', { name: 'ben@example.com', level: 1 }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows hundreds of people in every state, page by page', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      await page.route('**/api/admin/people?*', (route) =>
        route.fulfill({
          json: route.request().url().includes('cursor=')
            ? { people: manyPeople(30, 100) }
            : { people: manyPeople(100), nextCursor: 'next' },
        }),
      );
      await page.goto(at('/people'));
      await page.getByText('The first 100 people').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'people-many');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.getByText('130 people', { exact: true }).waitFor();
      expect(await page.getByRole('list', { name: 'People' }).getByRole('listitem').count()).toBe(130);
      expect(complaints).toEqual([]);
      await close();
    });

    it('grow by an invitation, which the administrator sends, and refuse a second one', async () => {
      const { page, settled, close } = await open('/people', 'People');
      await page.route('**/api/auth/providers*', (route) => route.fulfill({ json: { providers: ['idp'] } }));
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite a person' });
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByText('Enter an e-mail address, such as').waitFor();
      await dialog.getByLabel('E-mail address').fill('cleo@ex@ample');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('E-mail address').fill('Cleo@Example.com');
      await expectSoundInEveryLook(page, 'people-invite');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('heading', { name: 'cleo@example.com is invited' }).waitFor();
      await row(page, 'cleo@example.com').getByText('Invited', { exact: true }).first().waitFor();
      expect(await page.getByRole('textbox', { name: 'Sign-in address' }).inputValue()).toBe(at('/'));
      await page.getByRole('button', { name: 'Copy: Sign-in address' }).click();
      await page.getByRole('button', { name: 'Copied: Sign-in address' }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(at('/'));
      await settled();
      await expectSoundInEveryLook(page, 'people-invited');

      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await dialog.getByLabel('E-mail address').fill('cleo@example.com');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      const refused: { error: string } = await (
        await ask(subject, '/api/admin/people', { method: 'POST', body: { email: 'cleo@example.com' } })
      ).json();
      await dialog.getByText(refused.error).waitFor();
      await close();
    });

    it('says that an invitation leads nowhere without a provider, and how to print a link instead', async () => {
      const { page, settled, complaints, close } = await open('/people', 'People');
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Invite a person' });
      await dialog.getByLabel('E-mail address').fill('cleo@example.com');
      await dialog.getByRole('button', { name: 'Invite' }).click();
      const panel = page.getByRole('region', { name: 'cleo@example.com is invited' });
      await panel.getByText('This gateway has no sign-in provider yet').waitFor();
      const command = 'npm run seed -- --email cleo@example.com';
      await panel.getByRole('button', { name: `Copy: ${command}` }).click();
      await panel.getByRole('button', { name: `Copied: ${command}` }).waitFor();
      expect(await page.evaluate(CLIPBOARD)).toBe(command);
      expect(await panel.getByRole('textbox', { name: 'Sign-in address' }).count()).toBe(0);
      await settled();
      await expectSoundInEveryLook(page, 'people-invited-without-provider');
      expect(complaints).toEqual([]);
      await close();
    });

    it('tell a member kindly that the pages are for administrators', async () => {
      const member = await seedMember(subject, 'ben@example.com');
      const { page, close } = await visitAs(subject, member, '/people');
      await page.getByText('Only for administrators').waitFor();
      await page.getByText('Ask an administrator of this gateway').waitFor();
      expect(await page.getByRole('navigation', { name: 'Administration' }).count()).toBe(0);
      await expectSoundInEveryLook(page, 'people-member');
      for (const path of [`/people/${member.userId}`, '/gateway']) {
        await page.goto(at(path));
        await page.getByText('Only for administrators').waitFor();
      }
      await close();
    });

    it('are reached from the account menu on phones', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      expect(await page.getByRole('navigation', { name: 'Administration' }).isVisible()).toBe(false);
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('dialog', { name: 'Account' }).getByRole('link', { name: 'People' }).click();
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
      expect(await page.getByRole('dialog', { name: 'Account' }).isVisible()).toBe(false);
      await close();
    });
  });

  describe('A person', () => {
    it('shows what they have here, and gets and loses a role', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      await connectDatadog(subject, ben.session);
      await ask(subject, '/api/agent-keys', {
        method: 'POST',
        body: { name: 'Reader' },
        session: ben.session,
      });
      const { page, settled, complaints, close } = await open(`/people/${ben.userId}`, 'ben@example.com');
      await page
        .getByRole('region', { name: /^Accounts/ })
        .getByText('Datadog')
        .waitFor();
      await page
        .getByRole('region', { name: /^Agents that signed in/ })
        .getByText('No agent has')
        .waitFor();
      await page.getByRole('region', { name: /^Keys/ }).getByText('Reader').waitFor();
      const keys = page.getByRole('meter', { name: 'Named keys' });
      expect(await keys.getAttribute('aria-valuenow')).toBe('1');
      await settled();
      await expectSoundInEveryLook(page, 'person');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);

      await page.getByRole('radio', { name: 'Administrator' }).check();
      await page.getByRole('button', { name: 'Save role' }).click();
      await page.getByText('ben@example.com is now: Administrator.').waitFor();
      expect((await ask(subject, '/api/admin/people', { session: ben.session })).status).toBe(200);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('ben@example.com is now: Member.').waitFor();
      expect((await ask(subject, '/api/admin/people', { session: ben.session })).status).toBe(403);
      expect(complaints).toEqual([]);
      await close();
    });

    it('loses every access at once when disabled, and may come back', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      expect((await callTool(subject, 'list_jots', { key: ben.apiKey })).status).toBe(200);
      const { page, close } = await open(`/people/${ben.userId}`, 'ben@example.com');
      await page.getByRole('button', { name: 'Disable' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable ben@example.com?' });
      await expectSoundInEveryLook(page, 'person-disable');
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('ben@example.com is disabled. All keys, tokens').waitFor();
      expect((await callTool(subject, 'list_jots', { key: ben.apiKey })).status).toBe(401);
      expect((await ask(subject, '/api/auth/me', { session: ben.session })).status).toBe(401);
      await expectSoundInEveryLook(page, 'person-disabled');
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('ben@example.com may sign in again').waitFor();
      const again = await seedMember(subject, 'ben@example.com');
      expect((await callTool(subject, 'list_jots', { key: again.apiKey })).status).toBe(200);
      await close();
    });

    it('is exported, and deleted only once the address is typed', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      const { page, close } = await open(`/people/${ben.userId}`, 'ben@example.com');
      // The rows go minutes later, so the end of the deletion is pretended.
      let isGone = false;
      await page.route(`**/api/admin/people/${ben.userId}`, (route) =>
        isGone
          ? route.fulfill({ status: 404, json: { error: 'There is no such person.' } })
          : route.fallback(),
      );
      const statusOf = async () => (await ask(subject, `/api/admin/people/${ben.userId}`)).json();
      await page.getByRole('button', { name: 'Export data' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download file' }).click(),
      ]);
      expect(file.suggestedFilename()).toBe('ben@example.com.json');
      expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
        person: { email: 'ben@example.com' },
      });
      await page.getByText('ben@example.com.json is in your downloads.').waitFor();

      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete ben@example.com?' });
      await dialog.getByLabel('Type ben@example.com to confirm').fill('ben');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByText('This is not the address.').waitFor();
      expect(await statusOf()).toMatchObject({ status: 'active' });
      await expectSoundInEveryLook(page, 'person-delete');
      await dialog.getByRole('textbox').fill('BEN@example.com');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('ben@example.com is being deleted.').waitFor();
      expect(await statusOf()).toMatchObject({ status: 'deleting' });
      expect((await callTool(subject, 'list_jots', { key: ben.apiKey })).status).toBe(401);
      expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
      isGone = true;
      await page.getByText('ben@example.com is deleted. Activity stays under a pseudonym.').waitFor();
      await close();
    });

    it('shows in the words of the gateway why a change is refused', async () => {
      const { page, close } = await open('/people', 'People');
      await row(page, 'owner@localhost').getByRole('link').click();
      await page.getByText('This is you.').waitFor();
      expect(await page.getByRole('button', { name: 'Disable' }).count()).toBe(0);
      const words = 'This person is the last owner. Make somebody else an owner first.';
      await page.route('**/api/admin/people/*', (route) =>
        route.request().method() === 'PATCH'
          ? route.fulfill({ status: 409, json: { error: words } })
          : route.fallback(),
      );
      await page.getByRole('radio', { name: 'Member' }).check();
      await page.getByRole('button', { name: 'Save role' }).click();
      await page.getByRole('alert').getByText(words).waitFor();
      await close();
    });

    it('says that nobody has the address', async () => {
      const { page, close } = await open('/people/none', 'Person not found');
      await page.getByRole('link', { name: 'People' }).first().waitFor();
      await close();
    });
  });
}
