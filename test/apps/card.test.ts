// Shows the card of the gateway in a real browser, by a host on the official package: it says what waits, opens the link
// through the host, turns by itself, and decides nothing. reference: Gateway card
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { getRequestListener } from '@hono/node-server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInChromium } from '../support/chromium.ts';
import { describeWith } from '../support/describe-with.ts';
import { startHttpServer } from '../support/http-server.ts';
import { send, setRules } from '../support/policy.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';
import { openStage, type Shown, type Stage, whyNoApps } from './stage.ts';

const AXE = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const THEMES = ['light', 'dark'] as const;
const PHONE = { width: 390, height: 844 };
const ASKED = { tool: 'shout', args: { text: 'Hello to everybody', 'a <b>name</b>': 1 } };

describeWith('the card', whyNoApps(), () => {
  describeInChromium('in a browser', () => {
    let app: TestApp;
    let ana: TestUser;
    let stage: Stage;
    let shown: Shown;
    let server: Awaited<ReturnType<typeof startHttpServer>>;

    beforeAll(async () => {
      app = await createTestApp();
      ana = await app.user('owner@localhost');
      const listener = getRequestListener(app.fetch, { overrideGlobalObjects: false });
      server = await startHttpServer((request, response) => void listener(request, response));
      stage = await openStage();
      await setRules(app, ana, [{ tool: 'shout', decision: 'ask' }]);
    });
    afterAll(async () => {
      await stage.close();
      await server.close();
      await app.close();
    });
    beforeEach(async () => {
      shown = await stage.open(PHONE);
      const address = `http://localhost:${server.port}/mcp`;
      const { forModel } = await stage.connect(shown, { address, headers: ana.keyHeader });
      expect(forModel).not.toContain('card_state');
    });
    afterEach(async () => {
      // The card speaks with its host only.
      expect(shown.outside).toEqual([]);
      expect((await shown.seen()).refused).toEqual([]);
      await shown.close();
    });

    const links = async () => (await shown.seen()).links;
    const text = (words: string | RegExp) => shown.app.getByText(words).first().waitFor();
    const connect = (more: object = {}) =>
      stage.show(shown, { name: 'connect', args: { integration: 'keyed' }, ...more });
    /** Asks for a call that waits, and returns the id of its question. */
    const ask = async (more: object = {}): Promise<string> => {
      const executions = [{ ...ASKED, args: { text: app.deps.random.uuid() } }];
      const { text: answer = '' } = await stage.show(shown, {
        name: 'execute_tools',
        args: { executions },
        ...more,
      });
      return JSON.parse(answer).results[0].approval.id;
    };
    const decide = (id: string, decision: object) =>
      send(app, ana.sessionHeader, 'POST', `/api/approvals/${id}`, decision);
    async function look(name: string): Promise<void> {
      const frame = shown.page.frames().at(-1);
      await frame?.evaluate(AXE);
      const found = await frame?.evaluate<string[]>(
        "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`))",
      );
      expect(found, name).toEqual([]);
      const wide = await frame?.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
      expect(wide, `${name} is too wide`).toBe(false);
      if (process.env['SCREENSHOTS'] === '1')
        await shown.page.screenshot({ path: `screenshots/card-${name}.png` });
    }

    it.each(THEMES)(
      'shows a connection that waits, opens its link through the host, and turns by itself (%s)',
      async (theme) => {
        const { csp } = await connect({ theme });
        expect(csp).toEqual({});
        await text('Your agent asks you to connect Keyed');
        await text('Waiting for you');
        await look(`connect-waiting-${theme}`);
        await shown.app.getByRole('button', { name: 'Connect Keyed' }).click();
        await expect.poll(links).toEqual([expect.stringMatching(/^https?:\/\//)]);
        await app.deps.pending.connect(ana.id, 'keyed');
        await text('Connected. Your agent can go on.');
        await look(`connect-done-${theme}`);
      },
    );

    it.each(THEMES)(
      'shows an approval that waits, with what it sends, and turns by itself (%s)',
      async (theme) => {
        const id = await ask({ theme });
        await text('Your agent wants to run shout');
        await text('Waiting for your answer');
        await shown.app.getByText('What it sends').click();
        await shown.app.locator('pre').waitFor();
        await look(`approval-waiting-${theme}`);
        await shown.app.getByRole('button', { name: 'Look at the question' }).click();
        await expect.poll(links).toEqual([expect.stringContaining(`/approvals/${id}`)]);
        expect((await app.deps.store.approvals.get(ana.id, id))?.state).toBe('pending');
        expect((await decide(id, { decision: 'approve' })).status).toBe(200);
        await text('Approved. Your agent can send the call again.');
        await look(`approval-approved-${theme}`);
        expect(new Set((await shown.seen()).calls)).toEqual(new Set(['card_state']));
      },
    );

    it('says that a question was answered with no, and why', async () => {
      const id = await ask();
      await text('Waiting for your answer');
      await decide(id, { decision: 'deny', reason: 'Not <i>today</i>' });
      await text('Denied. The call does not run.');
      await text('“Not <i>today</i>”');
      await look('approval-denied');
    });

    it('is used by the keyboard, and keeps the focus when it turns to something new', async () => {
      const [first] = [await ask()];
      await text('Waiting for your answer');
      await shown.app.locator('button').focus();
      await shown.page.keyboard.press('Enter');
      await expect.poll(links).toHaveLength(1);
      await shown.page.keyboard.press('Tab');
      await shown.page.keyboard.press('Enter');
      await shown.app.locator('details[open] pre').waitFor();
      await decide(first, { decision: 'approve' });
      await text('Approved. Your agent can send the call again.');
    });

    it('shows the address where the host opens no links', async () => {
      await connect({ opensLinks: false });
      await shown.app.locator('.link').waitFor();
      expect(await shown.app.locator('.link').textContent()).toMatch(/^https?:\/\//);
      expect(await shown.app.locator('button').count()).toBe(0);
      await look('no-links');
    });

    it('says that the person tells the agent where the host lets pages call nothing', async () => {
      await connect({ callsTools: false });
      await text('Tell your agent when you are done.');
      expect((await shown.seen()).calls).toEqual([]);
      await look('no-calls');
    });

    it('is one quiet line where nothing waits', async () => {
      const executions = [
        { tool: 'time_now', args: {} },
        { tool: 'no_such_tool', args: {} },
      ];
      await stage.show(shown, { name: 'execute_tools', args: { executions } });
      await text('Tools: 1 ran, 1 did not run.');
      await look('quiet');
      expect((await shown.page.locator('iframe').boundingBox())?.height).toBeLessThan(80);
    });

    it('writes texts of others as texts', async () => {
      const executions = [{ tool: 'shout', args: { text: '<img src=x onerror=alert(1)>' } }];
      await stage.show(shown, { name: 'execute_tools', args: { executions } });
      await shown.app.getByText('What it sends').click();
      await text(/<img src=x onerror/);
      expect(await shown.app.locator('img').count()).toBe(0);
      expect(shown.errors).toEqual([]);
    });
  });
});
