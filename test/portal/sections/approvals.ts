// Tests the way from an agent's question to the person's decision and the agent's call, on a real gateway.
import { describe, expect, it } from 'vitest';
import { ASK, openAskingAgent } from '../asking-agent.ts';
import { axeViolations, visit } from '../visit.ts';
import { DESKTOP, signIn, type Subject } from './subject.ts';

export function itDecides(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function openAgent() {
    const agent = openAskingAgent(subject.gateway());
    await agent.setRules(ASK);
    return agent;
  }

  describe('An approval', () => {
    it('leads from the question to the call, which runs once', async () => {
      const agent = await openAgent();
      const { page, complaints, close } = await signIn(subject);
      await page.getByText('0 of 3 done').waitFor();
      const id = await agent.ask('Hello');
      // The navigation and the tab say it on any page.
      await page.getByRole('link', { name: 'Approvals 1 waits for you' }).click();
      await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
      expect(await page.title()).toBe('(1) Approvals · Gateway');
      const row = page.getByRole('list', { name: 'Approvals' }).getByRole('listitem');
      await row.getByRole('heading', { name: /^Upload file .*in Files$/ }).waitFor();
      await row.getByText('Your personal key asked').waitFor();
      await row.getByRole('group', { name: 'Arguments' }).getByText('Hello', { exact: true }).waitFor();
      expect(await axeViolations(page)).toEqual([]);

      await row.getByRole('button', { name: 'Approve once' }).click();
      await page.getByText(/Approved once\. Upload file .*in Files\./).waitFor();
      await page.getByText('Nothing to approve').waitFor();
      expect(await page.title()).toBe('Approvals · Gateway');
      // The focus is on what has happened, and not on a button that approves something else.
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Approved once.');
      expect(await agent.stateOf(id)).toBe('approved');

      expect((await agent.upload('Hello')).status).toBe(200);
      expect((await agent.upload('Hello')).body.error).toBe('APPROVAL_REQUIRED');
      await page.getByRole('tab', { name: 'Decided' }).click();
      await page.getByText('You approved it, and it ran.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('covers the same call for an hour', async () => {
      const agent = await openAgent();
      const id = await agent.ask('Hello');
      const { page, close } = await signIn(subject);
      await page.goto(at('/approvals'));
      await page.getByRole('button', { name: /^Approve for an hour: Upload file .*in Files$/ }).click();
      await page.getByText(/Approved for an hour\. Upload file .*in Files\./).waitFor();
      for (let time = 0; time < 2; time++) expect((await agent.upload('Hello')).status).toBe(200);
      await page.goto(at(`/approvals/${id}`));
      await page.getByText('The agent may send the same call any number of times').waitFor();
      await close();
    });

    it('is denied with a word that the agent reads', async () => {
      const agent = await openAgent();
      await agent.ask('Hello');
      const { page, close } = await signIn(subject);
      await page.goto(at('/approvals'));
      await page.getByRole('button', { name: /^Deny/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Deny this call?' });
      await dialog.getByText(/^Upload file .*in Files$/).waitFor();
      await page.keyboard.type('Use the shared folder.');
      // What was typed is still there after the dialog was closed.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^Deny/ }).click();
      await page.keyboard.press('Enter');
      await page.getByText(/Denied\. Upload file .*in Files\./).waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toContain('Denied.');
      const { status, body } = await agent.upload('Hello');
      expect(status).toBe(403);
      expect(body.message).toContain('Use the shared folder.');
      await page.getByRole('tab', { name: 'Decided' }).click();
      await page.getByText('You told the agent: “Use the shared folder.”').waitFor();
      await close();
    });

    it('is decided together with others, each by itself', async () => {
      const agent = await openAgent();
      const [first, second, third] = [await agent.ask('a'), await agent.ask('b'), await agent.ask('c')];
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      await page.goto(at('/approvals'));
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.getByText('3 selected').waitFor();
      const last = page.locator('.approval').filter({ has: page.getByText('c', { exact: true }) });
      await last.getByRole('checkbox').uncheck();
      await page.getByText('2 selected').waitFor();
      // One of the two is denied in another window meanwhile.
      await page.route('**/api/approvals?*', (route) => route.abort());
      await agent.decide(second, { decision: 'deny' });
      const bar = page.getByRole('group', { name: 'Selected calls' });
      await bar.getByRole('button', { name: 'Approve once' }).click();
      const dialog = page.getByRole('dialog', { name: 'Approve 2 calls once?' });
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
      await page.unroute('**/api/approvals?*');
      await dialog.getByRole('button', { name: 'Approve once' }).click();
      await page
        .getByText('1 call approved once. 1 call could not be decided: This call is denied already')
        .waitFor();
      await page.getByRole('checkbox').first().waitFor({ state: 'detached' });
      expect(await Promise.all([first, second, third].map((id) => agent.stateOf(id)))).toEqual([
        'approved',
        'denied',
        'pending',
      ]);
      await close();
    });

    it('says kindly that it was decided in another window', async () => {
      const agent = await openAgent();
      const id = await agent.ask('Hello');
      const { page, close } = await signIn(subject);
      await page.goto(at('/approvals'));
      const button = page.getByRole('button', { name: /^Approve once/ });
      await button.waitFor();
      await page.route('**/api/approvals?*', (route) => route.abort());
      await agent.decide(id, { decision: 'deny', reason: 'Not today.' });
      await button.click();
      await page.getByText('This call no longer waits for you.').waitFor();
      await page.getByText('You denied it.').waitFor();
      expect(await button.count()).toBe(0);
      expect(await agent.stateOf(id)).toBe('denied');
      await close();
    });

    it('is decided with the keyboard alone', async () => {
      const agent = await openAgent();
      const [first, second] = [await agent.ask('a'), await agent.ask('b')];
      const { page, close } = await signIn(subject);
      await page.goto(at('/approvals'));
      await page
        .getByRole('button', { name: /^Approve once/ })
        .nth(1)
        .waitFor();
      const focused = () => page.evaluate<string>("document.activeElement.ariaLabel ?? ''");
      async function tabTo(name: string): Promise<void> {
        for (let stop = 0; stop < 60 && !(await focused()).startsWith(name); stop++)
          await page.keyboard.press('Tab');
        expect(await focused()).toContain(name);
      }
      await tabTo('Approve once');
      await expect.poll(() => page.evaluate('document.activeElement.ariaDisabled')).toBe('false');
      await page.keyboard.press('Enter');
      await page.getByText('Approved once.').waitFor();
      // A second press of the key approves nothing.
      await page.keyboard.press('Enter');
      await page.keyboard.press('Space');
      const states = async () => Promise.all([first, second].map((id) => agent.stateOf(id)));
      expect((await states()).toSorted()).toEqual(['approved', 'pending']);
      // The next stop is in the next row.
      await tabTo('Deny');
      await expect.poll(() => page.evaluate('document.activeElement.ariaDisabled')).toBe('false');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Denied.').waitFor();
      expect((await states()).toSorted()).toEqual(['approved', 'denied']);
      await close();
    });
  });

  describe('The link to an approval', () => {
    it('signs the person in, and returns to the approval', async () => {
      const agent = await openAgent();
      const id = await agent.ask('Hello');
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(at(`/approvals/${id}`));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: /^Upload file .*in Files$/ }).waitFor();
      expect(page.url()).toBe(at(`/approvals/${id}`));
      await page.getByRole('heading', { name: 'Approve this call?', level: 1 }).waitFor();
      await page.getByRole('button', { name: 'Approve once' }).click();
      await page.getByRole('heading', { name: 'Approval', exact: true, level: 1 }).waitFor();
      await page.getByText('It runs when the agent sends the same call again').waitFor();
      // The page follows what becomes of the call.
      expect((await agent.upload('Hello')).status).toBe(200);
      await page.getByText('You approved it, and it ran.').waitFor();
      await close();
    });

    it('shows another person nothing, and says who is signed in', async () => {
      const agent = await openAgent();
      const id = await agent.ask('A secret');
      const seeded = await subject.seed(['--email', 'ben@example.com', '--json']);
      const { session }: { session: string } = JSON.parse(seeded.stdout);
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(at(`/approvals/${id}#token=${session}`));
      await page.getByRole('heading', { name: 'Approval not found here' }).waitFor();
      await page.getByText('You are signed in as ben@example.com.').waitFor();
      expect(await page.getByText('A secret').count()).toBe(0);
      expect(await axeViolations(page)).toEqual([]);
      await close();
    });

    it('shows a denial where it is given', async () => {
      const agent = await openAgent();
      const id = await agent.ask('Hello');
      const { page, close } = await signIn(subject, { theme: 'dark', width: 390 });
      await page.goto(at(`/approvals/${id}`));
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Deny' }).click();
      await page.getByText('You denied it.').waitFor();
      await expect
        .poll(() => page.evaluate('document.activeElement.textContent'))
        .toContain('You denied it.');
      expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
      expect(await agent.stateOf(id)).toBe('denied');
      await close();
    });
  });
}
