// Tests what the pages of approvals show: long and hostile arguments, many rows, and every state.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ASK, openAskingAgent } from '../asking-agent.ts';
import { expectSoundInEveryLook, LOW } from '../visit.ts';
import { pretendApprovals, pretendedApproval } from '../pretended-approvals.ts';
import { signIn, type Subject } from './subject.ts';

export function itShowsApprovals(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;
  const args = (page: Page) => page.getByRole('group', { name: 'Arguments' });

  describe('The arguments of an approval', () => {
    it('are shown exactly, with marks for what is usually invisible', async () => {
      const agent = openAskingAgent(subject.gateway());
      await agent.setRules(ASK);
      const content = `Hello\u202Eolleh ${'\n'.repeat(60)}rm -rf /`;
      const id = await agent.ask(content, 'a\u200B.txt');
      const { page, complaints, close } = await signIn(subject);
      await page.goto(at(`/approvals/${id}`));
      await args(page).getByText('They are marked like this:').waitFor();
      const text = await args(page).innerText();
      expect(text).toContain('HelloU+202Eolleh');
      expect(text).toContain('60 line breaks');
      expect(text).toContain('rm -rf /');
      expect(text).toContain('aU+200B.txt');
      await expectSoundInEveryLook(page, 'approval-hidden');
      await page.getByRole('button', { name: 'Show as JSON' }).click();
      const json = page.getByRole('group', { name: 'Arguments as JSON' });
      expect(await json.innerText()).toContain(`"content": "HelloU+202Eolleh ${'\\n'.repeat(60)}rm -rf /"`);
      await page.getByRole('button', { name: 'Copy JSON' }).click();
      await page.getByText('Copied').first().waitFor();
      expect(JSON.parse(await page.evaluate('navigator.clipboard.readText()'))).toEqual({
        name: 'a\u200B.txt',
        content,
      });
      expect(complaints).toEqual([]);
      await close();
    });

    it('are short at first, and whole after a click', async () => {
      const agent = openAskingAgent(subject.gateway());
      await agent.setRules(ASK);
      const lines = Array.from({ length: 300 }, (_, index) => `This is line ${index}.`);
      const id = await agent.ask(lines.join('\n'));
      const { page, close } = await signIn(subject);
      await page.goto(at(`/approvals/${id}`));
      await args(page).getByText('This is line 0.').waitFor();
      expect(await args(page).innerText()).not.toContain('This is line 299.');
      await page.getByRole('button', { name: /^Show [\d,]+ more characters of content$/ }).click();
      expect(await args(page).innerText()).toContain(lines.join('\n'));
      await expectSoundInEveryLook(page, 'approval-long');
      await page.getByRole('button', { name: 'Show less of content' }).click();
      expect(await args(page).innerText()).not.toContain('This is line 299.');
      await close();
    });

    it('name the files with their sizes', async () => {
      const agent = openAskingAgent(subject.gateway());
      const kept = JSON.stringify((await agent.upload('x'.repeat(2500), 'plan.txt')).body);
      const handle = /f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}/.exec(kept)?.[0] ?? '';
      await agent.setRules(ASK);
      const id = await agent.ask(`file:${handle}`);
      const { page, close } = await signIn(subject);
      await page.goto(at(`/approvals/${id}`));
      await args(page).getByText('plan.txt 2.5 kB, text/plain').waitFor();
      await page.getByText('Files', { exact: true }).last().waitFor();
      await close();
    });
  });

  describe('The inbox', () => {
    it('is sound with calls of every kind, and its controls are large enough for a thumb', async () => {
      const { page, complaints, settled, close } = await signIn(subject);
      await pretendApprovals(page);
      await page.goto(at('/approvals'));
      await page.getByRole('heading', { name: /^Purge .*in wiki$/ }).waitFor();
      await page.getByText('wiki’s description (unverified)').waitFor();
      await page.getByText('What the tool does').first().waitFor();
      await page.getByText('An unnamed agent asked').waitFor();
      await page.getByText('Nightly job asked').waitFor();
      await page.getByRole('heading', { name: 'Read from Datadog: GET /api/v1/hosts?from=1' }).waitFor();
      await page.getByText('so this call cannot be approved').waitFor();
      await page.getByText('This file no longer exists.').first().waitFor();
      await settled();
      await expectSoundInEveryLook(page, 'approvals-every-kind');
      await page
        .getByRole('checkbox', { name: /^Select: / })
        .first()
        .check();
      await expectSoundInEveryLook(page, 'approvals-selected');
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate(LOW)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('shows what became of each call, and filters by it', async () => {
      const { page, close } = await signIn(subject);
      await pretendApprovals(page);
      await page.goto(at('/approvals'));
      await page.getByRole('tab', { name: 'Decided' }).click();
      for (const words of [
        'It runs when the agent sends the same call again, until',
        'The agent may send the same call any number of times, until',
        'You approved it, and it runs now.',
        'You approved it, and it ran.',
        'You approved it. It ran and failed.',
        'We don’t know if this worked: the call was interrupted. Check in GitHub',
        'You denied it. You told the agent: “Use the staging repository.”',
        'Nobody answered in time, so it did not run.',
        'It ended before anybody answered, so it did not run.',
        'You approved it for an hour, and the hour is over.',
        'It was cancelled because',
      ])
        await page.getByText(words).first().waitFor();
      await expectSoundInEveryLook(page, 'approvals-states');
      await page.getByLabel('State').selectOption('Unknown');
      await expect.poll(() => page.locator('.approval').count()).toBe(1);
      expect(new URL(page.url()).search).toBe('?show=decided&state=unknown');
      // A denial whose time is over is still a denial.
      await page.getByLabel('State').selectOption('Denied');
      await expect.poll(() => page.locator('.approval').count()).toBe(2);
      await page.getByRole('tab', { name: /^Waiting/ }).click();
      expect(new URL(page.url()).search).toBe('');
      await close();
    });

    it('is quick with a hundred calls, and counts them', async () => {
      const { page, settled, close } = await signIn(subject);
      const many = Array.from({ length: 100 }, (_, index) => pretendedApproval({ args: { number: index } }));
      await page.route('**/api/approvals?*', (route) => route.fulfill({ json: { approvals: many } }));
      await page.goto(at('/approvals'));
      await expect.poll(() => page.locator('.approval').count()).toBe(100);
      await settled();
      await page.getByRole('link', { name: 'Approvals 100 wait for you' }).waitFor();
      expect(await page.title()).toBe('(100) Approvals · Gateway');
      expect(await page.locator('.badge').innerText()).toContain('99+');
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByText('100 selected').waitFor();
      await close();
    });

    it('keeps the row, and says why, when the gateway does not answer', async () => {
      const { page, close } = await signIn(subject);
      const one = pretendedApproval({});
      await page.route('**/api/approvals?*', (route) => route.fulfill({ json: { approvals: [one] } }));
      await page.route(`**/api/approvals/${one.id}`, (route) => route.abort());
      await page.goto(at('/approvals'));
      await page.getByRole('button', { name: /^Approve once/ }).click();
      await page.getByRole('alert').getByText('The gateway did not answer.').waitFor();
      await page.getByRole('button', { name: /^Deny/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('dialog').getByRole('alert').getByText('The gateway did not answer.').waitFor();
      await close();
    });
  });
}
