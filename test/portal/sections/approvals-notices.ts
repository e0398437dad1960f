// Tests how the portal tells a person that an agent asks: in the navigation, by a message, and by notifications.
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ASK, openAskingAgent } from '../asking-agent.ts';
import { expectSoundInEveryLook } from '../visit.ts';
import { signIn, type Subject } from './subject.ts';

/** Records the notifications, and answers the question for the permission. */
const NOTIFICATIONS = (answer: string) => `
  window.shown = [];
  window.asked = 0;
  window.Notification = class extends EventTarget {
    static permission = sessionStorage.getItem('permission') ?? 'default';
    static async requestPermission() {
      window.asked += 1;
      sessionStorage.setItem('permission', '${answer}');
      return (window.Notification.permission = '${answer}');
    }
    constructor(title, options) {
      super();
      window.shown.push({ title, ...options, notification: this });
    }
    close() {}
  };
  document.hasFocus = () => window.isLookedAt ?? true;
`;

export function itTellsOfApprovals(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  async function openAgent() {
    const agent = openAskingAgent(subject.gateway());
    await agent.setRules(ASK);
    return agent;
  }

  const shown = (page: Page) =>
    page.evaluate<object[]>('window.shown.map(({ title, body, tag }) => ({ title, body, tag }))');

  describe('A new question', () => {
    it('is announced on the page that the person is on, until it is decided', async () => {
      const agent = await openAgent();
      await agent.ask('before');
      const { page, complaints, close } = await signIn(subject);
      await page.getByRole('link', { name: 'Approvals 1 waits for you' }).waitFor();
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      const id = await agent.ask('after');
      const toast = page.getByRole('status').getByText('Your personal key asks to run upload_file.');
      await toast.waitFor();
      expect(await page.title()).toBe('(2) Agents · Gateway');
      await expectSoundInEveryLook(page, 'approval-asked');
      await agent.decide(id, { decision: 'deny' });
      await toast.waitFor({ state: 'detached' });
      await agent.ask('once more');
      await toast.waitFor();
      await page.getByRole('link', { name: 'Look' }).click();
      await page.getByText('once more', { exact: true }).waitFor();
      expect(await toast.count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    });

    it('is asked for less often while nobody touches the page, and not while nobody sees it', async () => {
      const { page, close } = await signIn(subject);
      let asked = 0;
      const open = new Set<Request>();
      page.on('request', (request) => {
        if (!request.url().includes('/api/approvals?')) return;
        asked += 1;
        open.add(request);
      });
      page.on('requestfinished', (request) => open.delete(request));
      const start = new Date();
      await page.clock.install({ time: start });
      await page.goto(at('/agents'));
      await page.getByRole('heading', { name: 'Agents', level: 1 }).waitFor();
      await page.clock.pauseAt(new Date(start.getTime() + 3_600_000));
      async function countInMinute(): Promise<number> {
        const before = asked;
        for (let second = 0; second < 60; second++) {
          await page.clock.runFor(1000);
          await expect.poll(() => open.size).toBe(0);
        }
        return asked - before;
      }
      // Nobody has touched the page for an hour.
      const idle = await countInMinute();
      expect(idle).toBeGreaterThanOrEqual(2);
      expect(idle).toBeLessThanOrEqual(4);
      await page.mouse.move(100, 100);
      // Twelve, but for one that falls on the edge.
      expect(await countInMinute()).toBeGreaterThanOrEqual(11);
      await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
      // One may have been on its way.
      expect(await countInMinute()).toBeLessThanOrEqual(1);
      expect(await countInMinute()).toBe(0);
      await close();
    });
  });

  describe('Notifications', () => {
    it('come only after the person has asked for them, and say no arguments', async () => {
      const agent = await openAgent();
      const { page, close } = await signIn(subject);
      await page.addInitScript(NOTIFICATIONS('granted'));
      await page.goto(at('/approvals'));
      await page.getByText('Nothing to approve').waitFor();
      expect(await page.evaluate('window.asked')).toBe(0);
      await page.getByRole('button', { name: 'Notify me' }).click();
      await page.getByText('This browser tells you when an agent asks').waitFor();
      await expectSoundInEveryLook(page, 'approvals-notify');
      expect(await shown(page)).toMatchObject([{ title: 'Notifications are on' }]);

      // Nothing is shown to a person who looks at the page.
      await agent.ask('A secret');
      await page.getByText('A secret', { exact: true }).waitFor();
      expect(await shown(page)).toHaveLength(1);

      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.evaluate('window.isLookedAt = false');
      const id = await agent.ask('Another secret');
      await expect
        .poll(() => shown(page))
        .toMatchObject([
          {},
          { title: 'Approve upload_file?', body: 'Your personal key asks', tag: `/approvals/${id}` },
        ]);
      await page.evaluate("window.shown.at(-1).notification.dispatchEvent(new Event('click'))");
      await page.getByText('Another secret', { exact: true }).waitFor();
      expect(page.url()).toBe(at(`/approvals/${id}`));

      await page.getByRole('link', { name: 'All approvals' }).click();
      await page.getByRole('button', { name: 'Stop notifying me' }).click();
      await page.getByText('This browser no longer notifies you.').waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Notify me' }).waitFor();
      await close();
    });

    it('stay off when the browser blocks them, and the page says what to do', async () => {
      const { page, close } = await signIn(subject);
      await page.addInitScript(NOTIFICATIONS('denied'));
      await page.goto(at('/approvals'));
      await page.getByRole('button', { name: 'Notify me' }).click();
      await page.getByText('Allow them in its site settings.').waitFor();
      expect(await shown(page)).toEqual([]);
      await close();
    });

    it('are taken back where the browser shows none', async () => {
      const { page, close } = await signIn(subject);
      await page.addInitScript(`${NOTIFICATIONS('granted')}
        window.Notification = class { constructor() { throw new TypeError('Illegal constructor'); } };
        window.Notification.requestPermission = async () => (window.Notification.permission = 'granted');
      `);
      await page.goto(at('/approvals'));
      await page.getByRole('button', { name: 'Notify me' }).click();
      await page.getByText('This browser shows no notifications of web pages.').waitFor();
      await page.getByRole('button', { name: 'Notify me' }).waitFor();
      await close();
    });
  });
}
