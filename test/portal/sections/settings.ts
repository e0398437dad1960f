// Tests the settings page: profile, theme, key, notifications, limits, export and deletion.
import { describe, expect, it } from 'vitest';
import { seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, fetchWhole, LOW } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsSettings(subject: Subject): void {
  describe('The settings', () => {
    it('show the profile, the theme, the key, the limits, and notices to owners', async () => {
      const { page, settled, complaints, close } = await signIn(subject);
      const notice = 'You have not said who may sign in. To change that, set SIGN_IN_ALLOW.';
      await page.route('**/api/me', async (route) => {
        const response = await fetchWhole(route);
        const mine: { limits: { name: string; used: number | null; limit: number | null }[] } =
          await response.json();
        const limits = mine.limits.map((each) =>
          each.name === 'jots' ? { ...each, used: each.limit } : each,
        );
        await route.fulfill({ response, json: { ...mine, limits, notices: [notice] } });
      });
      await page.getByRole('button', { name: /Account/ }).click();
      await page.getByRole('link', { name: 'Settings' }).click();
      const profile = page.getByRole('region', { name: 'Profile' });
      await profile.getByText('owner@localhost').waitFor();
      await profile.getByText('Owner', { exact: true }).waitFor();
      await page.getByText(notice).waitFor();
      const jots = page.getByRole('meter', { name: 'Jots', exact: true });
      expect(await jots.getAttribute('aria-valuenow')).toBe(await jots.getAttribute('aria-valuemax'));
      await page
        .getByRole('region', { name: 'Personal key' })
        .getByRole('button', { name: 'Reveal' })
        .waitFor();
      await page.getByRole('region', { name: 'Notifications' }).getByRole('button').waitFor();
      await page.getByRole('region', { name: 'Theme' }).getByText('Dark', { exact: true }).click();
      expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
      await page.getByRole('region', { name: 'Theme' }).getByText('System', { exact: true }).click();
      await settled();
      await expectSoundInEveryLook(page, 'settings');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('delete the account once the address is typed, which signs the person out', async () => {
      const ben = await seedMember(subject, 'ben@example.com');
      const { page, close } = await visitAs(subject, ben, '/settings');
      const bodies: unknown[] = [];
      await page.route('**/api/me', (route) => {
        if (route.request().method() !== 'DELETE') return route.fallback();
        bodies.push(route.request().postDataJSON());
        return bodies.length === 1
          ? route.fulfill({ status: 409, json: { error: 'You are the last owner.' } })
          : route.fulfill({ status: 202, json: { status: 'deleting' } });
      });
      await page.getByText('Member', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Delete my account' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await dialog.getByRole('textbox').fill('ben@example.com');
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
      await dialog.getByText('You are the last owner.').waitFor();
      await expectSoundInEveryLook(page, 'settings-delete');
      await dialog.getByRole('button', { name: 'Delete my account' }).click();
      await page.getByRole('heading', { name: 'Get a sign-in link' }).waitFor();
      expect(bodies).toEqual([{ email: 'ben@example.com' }, { email: 'ben@example.com' }]);
      await close();
    });
  });
}
