// Tests how an administrator connects for the team and says who may use it, and what the others see of it.
import { describe, expect, it } from 'vitest';
import { ask, connectDatadog, seedMember, visitAs } from '../members.ts';
import { expectSoundInEveryLook, LOW } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

export function itConnectsForTheTeam(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('The connection of the team', () => {
    it('is made, opened to people and ended by an administrator', async () => {
      const member = await seedMember(subject, 'bob@example.com');
      const { page, settled, complaints, close } = await signIn(subject);
      await page.goto(at('/integrations/datadog?show=settings'));
      const panel = page.getByRole('region', { name: 'For the whole team' });
      await panel.getByText('Nobody has connected it for the team yet.').waitFor();
      await panel.getByRole('button', { name: 'Connect for the team' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Datadog for the team' });
      await dialog.getByText('Nobody can use it before you say who may.').waitFor();
      await dialog.getByLabel('Site').selectOption('datadoghq.eu');
      await dialog.getByLabel('API key').fill('the-team-key');
      await dialog.getByLabel('Application key').fill('another-team-key');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await dialog.waitFor({ state: 'detached' });
      await panel.getByText('Connected by').waitFor();
      expect(await panel.getByRole('radio', { name: 'Nobody' }).isChecked()).toBe(true);
      await page.getByText('Agents can’t use Datadog until you connect it.').waitFor();

      await panel.getByRole('radio', { name: 'Some people' }).check();
      await panel.getByRole('button', { name: 'Save' }).click();
      await panel.getByText('Enter at least one e-mail address.').waitFor();
      await panel.getByLabel('E-mail addresses').fill('nobody@example.com');
      await panel.getByRole('button', { name: 'Save' }).click();
      await panel.getByText('Nobody here is called').waitFor();
      await panel.getByLabel('E-mail addresses').fill('bob@example.com');
      await panel.getByRole('button', { name: 'Save' }).click();
      await panel.getByText('Saved. It applies from the next call to Datadog.').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'team-panel');

      await page.goto(at('/gateway'));
      const list = page.getByRole('list', { name: 'Team accounts' });
      await list.getByText('1 person · Read').waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'team-gateway');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });

      const visitor = await visitAs(subject, member, '/integrations/datadog?show=settings');
      await visitor.page.getByText('You use the team’s account of Datadog').waitFor();
      await visitor.page.getByText('Agents may only read with it.').waitFor();
      expect(await visitor.page.getByRole('region', { name: 'For the whole team' }).count()).toBe(0);
      await expectSoundInEveryLook(visitor.page, 'team-member');
      await connectDatadog(subject, member.session);
      await visitor.page.reload();
      await visitor.page.getByText('You may also use the team’s account').waitFor();
      await visitor.page.getByRole('button', { name: 'Use the team’s account by default' }).click();
      await visitor.page.getByText('when they name no account').waitFor();
      await expectSoundInEveryLook(visitor.page, 'team-member-beside');
      await visitor.page.getByRole('button', { name: 'Use my own account by default' }).click();
      await visitor.page.getByText('You may also use the team’s account').waitFor();
      expect(visitor.complaints).toEqual([]);
      await visitor.close();

      await page.goto(at('/integrations/datadog?show=settings'));
      await panel.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await panel.getByText('Nobody has connected it for the team yet.').waitFor();
      expect((await ask(subject, '/api/admin/team-connections/datadog')).status).toBe(404);
      expect(await page.content()).not.toContain('the-team-key');
      // The browser writes down that the gateway knows no such person.
      expect(complaints.filter((line) => !line.includes('400'))).toEqual([]);
      await close();
    });
  });
}
