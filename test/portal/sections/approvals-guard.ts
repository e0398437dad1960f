// Tests that no stray click or key approves a call. One pass of these tests by luck would hide a fault, so none is retried.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ASK, openAskingAgent } from '../asking-agent.ts';
import { signIn, type Subject } from './subject.ts';

const ONCE = { retry: 0 };
/** Longer than the buttons are held back. */
const MOMENT_MS = 800;
/** Much shorter. The clock stands still, so rendering needs it too. */
const BLINK_MS = 50;

export function itHoldsApprovalsBack(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  /** Opens the inbox with so many questions, at a clock that stands still. */
  async function openInbox(count: number) {
    const agent = openAskingAgent(subject.gateway());
    await agent.setRules(ASK);
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push(await agent.ask(`number ${index}`));
    const visitor = await signIn(subject);
    const { page } = visitor;
    const decisions: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') decisions.push(request.url());
    });
    const start = new Date();
    await page.clock.install({ time: start });
    await page.goto(at('/approvals'));
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor();
    // The hour that passes next would end a request for the list that is still under way.
    if (count > 0)
      await approve(page)
        .nth(count - 1)
        .waitFor();
    await page.clock.pauseAt(new Date(start.getTime() + 3_600_000));
    return { ...visitor, agent, ids, decisions };
  }

  const approve = (page: Page) => page.getByRole('button', { name: /^Approve once/ });

  async function clickAt(page: Page, place: { x: number; y: number }): Promise<void> {
    await page.mouse.click(place.x, place.y);
    await page.clock.runFor(BLINK_MS);
  }

  async function middleOfFirst(page: Page): Promise<{ x: number; y: number }> {
    const box = await approve(page).first().boundingBox();
    if (box === null) throw new Error('the button has no place');
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  const isOff = (page: Page) => approve(page).first().getAttribute('aria-disabled');

  /** Lets time pass in small steps: the row may appear, and begin its moment, after a step. */
  async function waitUntilOn(page: Page): Promise<void> {
    await expect
      .poll(async () => (await page.clock.runFor(100), isOff(page)), { interval: 20 })
      .toBe('false');
  }

  describe('The buttons of an approval', () => {
    it('ignore a click just after the question has appeared', ONCE, async () => {
      const { page, agent, decisions, close } = await openInbox(0);
      const id = await agent.ask('new');
      // In small steps: the question has just appeared when the buttons are looked at.
      const look = async () => (await page.clock.runFor(100), approve(page).count());
      await expect.poll(look, { interval: 20 }).toBe(1);
      expect(await isOff(page)).toBe('true');
      await clickAt(page, await middleOfFirst(page));
      await approve(page).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Space');
      await page.clock.runFor(BLINK_MS);
      expect(decisions).toEqual([]);
      await page.clock.runFor(MOMENT_MS);
      await clickAt(page, await middleOfFirst(page));
      await expect.poll(() => agent.stateOf(id)).toBe('approved');
      await close();
    });

    it('ignore a click on the row that moves to the place of a decided one', ONCE, async () => {
      const { page, agent, ids, decisions, close } = await openInbox(2);
      await waitUntilOn(page);
      const place = await middleOfFirst(page);
      await page.mouse.dblclick(place.x, place.y);
      await page.getByText('Approved once.').waitFor();
      await expect.poll(() => approve(page).count()).toBe(1);
      await clickAt(page, await middleOfFirst(page));
      expect(decisions).toHaveLength(1);
      const states = await Promise.all(ids.map((id) => agent.stateOf(id)));
      expect(states.toSorted()).toEqual(['approved', 'pending']);
      await close();
    });

    it('ignore the click that brings the window back', ONCE, async () => {
      const { page, decisions, close } = await openInbox(1);
      await waitUntilOn(page);
      await page.evaluate("window.dispatchEvent(new Event('focus'))");
      await expect.poll(() => isOff(page)).toBe('true');
      await clickAt(page, await middleOfFirst(page));
      expect(decisions).toEqual([]);
      await waitUntilOn(page);
      await close();
    });

    it('ignore a double click that was meant for something else', ONCE, async () => {
      const { page, decisions, close } = await openInbox(1);
      await page.clock.runFor(MOMENT_MS);
      // The first click of the double click came before the buttons were ready.
      await page.evaluate("window.dispatchEvent(new Event('focus'))");
      const { x, y } = await middleOfFirst(page);
      await page.mouse.click(x, y);
      await page.clock.runFor(MOMENT_MS);
      await page.mouse.move(x, y);
      await page.mouse.down({ clickCount: 2 });
      await page.mouse.up({ clickCount: 2 });
      await page.clock.runFor(BLINK_MS);
      expect(decisions).toEqual([]);
      await close();
    });

    it('approve several only after one more question', ONCE, async () => {
      const { page, decisions, close } = await openInbox(2);
      await page.getByRole('checkbox', { name: 'Select all' }).check();
      await page.clock.runFor(MOMENT_MS);
      const bar = page.getByRole('group', { name: 'Selected calls' });
      await bar.getByRole('button', { name: 'Approve once' }).dblclick();
      await page.getByRole('dialog', { name: 'Approve 2 calls once?' }).waitFor();
      await page.clock.runFor(BLINK_MS);
      expect(decisions).toEqual([]);
      await close();
    });
  });
}
