// Tests that the explorer asks before a tool deletes, and what it shows of a call that a rule stops.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAskingAgent } from '../asking-agent.ts';
import { axeViolations, expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

const DELETE = { tool: 'delete_file' };

export function itAsksInTheExplorer(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  /** Keeps a file, and returns its reference. */
  async function keepFile(): Promise<string> {
    const agent = openAskingAgent(subject.gateway());
    const { body } = await agent.upload('Hello');
    return `file:${/f-[0-9a-z]+-[0-9a-z]+-[0-9a-f]{32}/.exec(JSON.stringify(body))?.[0] ?? ''}`;
  }

  async function openDeletion(page: Page, reference: string): Promise<void> {
    await page.goto(at('/tools?tool=delete_file'));
    await page.getByRole('textbox', { name: 'file' }).fill(reference);
    await page.getByRole('button', { name: 'Run' }).click();
  }

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Run delete_file?' });
  const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Run' }).click();
  const succeeded = (page: Page) => page.getByText('Succeeded');

  describe('A tool that deletes, in the explorer', () => {
    it('names what it would do, and runs only after a yes', async () => {
      const reference = await keepFile();
      const { page, complaints, close } = await signIn(subject);
      let sent = 0;
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/rest/files')) sent += 1;
      });
      await openDeletion(page, reference);
      await dialog(page).getByText(`Delete file “${reference}” in Files.`).waitFor();
      await dialog(page).getByText(reference, { exact: true }).waitFor();
      await expectSoundInEveryLook(page, 'tools-confirm');
      // The safe button has the focus.
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
      await page.keyboard.press('Enter');
      await dialog(page).waitFor({ state: 'detached' });
      expect(sent).toBe(0);

      await page.getByRole('button', { name: 'Run' }).dblclick();
      await dialog(page).waitFor();
      expect(sent).toBe(0);
      await confirm(page);
      await succeeded(page).waitFor();
      expect(sent).toBe(1);
      expect(complaints).toEqual([]);
      await close();
    });

    it('asks nothing before a raw request that only reads', async () => {
      const { page, close } = await signIn(subject);
      await page.route('**/rest/github', (route) =>
        route.request().method() === 'GET' ? route.continue() : route.fulfill({ json: { result: {} } }),
      );
      await page.goto(at('/tools?tool=github_request'));
      await page.getByRole('textbox', { name: 'path' }).fill('/user');
      await page.getByRole('button', { name: 'Run' }).click();
      await succeeded(page).waitFor();
      await page.getByLabel('method').selectOption('POST');
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('dialog').getByText('This can change or delete in GitHub.').waitFor();
      await close();
    });
  });

  describe('A call that a rule stops, in the explorer', () => {
    it('runs after the person has approved it in its result', async () => {
      const agent = openAskingAgent(subject.gateway());
      const reference = await keepFile();
      await agent.setRules([{ ...DELETE, decision: 'ask' }]);
      const { page, close } = await signIn(subject);
      await openDeletion(page, reference);
      // The rule asks, so nothing else does.
      await page.getByText('This call needs your approval.').waitFor();
      expect(await dialog(page).count()).toBe(0);
      // The question is beside the button, so the navigation does not call for it.
      await page.waitForResponse(/\/api\/approvals\?/);
      expect(await page.getByText('waits for you').count()).toBe(0);
      const link = page.getByRole('link', { name: 'Open the approval' });
      const id = ((await link.getAttribute('href')) ?? '').slice('/approvals/'.length);
      expect(await agent.stateOf(id)).toBe('pending');
      await expectSoundInEveryLook(page, 'tools-asked');
      await page.getByRole('button', { name: 'Approve and run' }).click();
      await succeeded(page).waitFor();
      expect(await agent.stateOf(id)).toBe('done');
      // The button has disappeared, and the focus is on the result.
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Result');
      await close();
    });

    it('runs when the question was approved on its own page meanwhile', async () => {
      const agent = openAskingAgent(subject.gateway());
      const reference = await keepFile();
      await agent.setRules([{ ...DELETE, decision: 'ask' }]);
      const { page, close } = await signIn(subject);
      await openDeletion(page, reference);
      await page.getByRole('link', { name: 'Open the approval' }).click();
      await page.getByRole('heading', { name: /^Delete file .*in Files$/ }).waitFor();
      await page.getByText('You asked').waitFor();
      await page.getByRole('button', { name: 'Approve once' }).click();
      await page.getByText('You approved it once.').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Approve and run' }).click();
      await succeeded(page).waitFor();
      await close();
    });

    it('says why it is blocked or denied, and leads to the rules', async () => {
      const agent = openAskingAgent(subject.gateway());
      const reference = await keepFile();
      const { page, close } = await signIn(subject);
      await openDeletion(page, reference);
      await agent.setRules([{ ...DELETE, decision: 'block' }]);
      await confirm(page);
      await page.getByText('Blocked', { exact: true }).waitFor();
      await page.getByRole('paragraph').filter({ hasText: 'does not allow delete_file' }).waitFor();
      const rules = page.getByRole('link', { name: 'Open your rules' });
      expect(await rules.getAttribute('href')).toBe('/rules');
      expect(await axeViolations(page)).toEqual([]);

      // A tool that is blocked from the beginning has no form.
      for (const rule of [DELETE, { integration: 'files' }]) {
        await agent.setRules([{ ...rule, decision: 'block' }]);
        await page.reload();
        await page.getByText('A rule blocks this tool, so you cannot run it.').waitFor();
        expect(await page.getByRole('button', { name: 'Run' }).count()).toBe(0);
        expect(await rules.getAttribute('href')).toBe('/rules');
      }
      expect(await axeViolations(page)).toEqual([]);

      await agent.setRules([{ ...DELETE, decision: 'ask' }]);
      await openDeletion(page, reference);
      const link = page.getByRole('link', { name: 'Open the approval' });
      const id = ((await link.getAttribute('href')) ?? '').slice('/approvals/'.length);
      await agent.decide(id, { decision: 'deny', reason: 'Keep it.' });
      await page.getByRole('button', { name: 'Run' }).first().click();
      await page.getByText('Denied', { exact: true }).waitFor();
      await page.getByRole('paragraph').filter({ hasText: 'They say: Keep it.' }).waitFor();
      await rules.waitFor();
      await close();
    });
  });
}
