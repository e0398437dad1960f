// Tests the portal of a gateway that is down, slow or restarting: it says so, retries and loses nothing.
import { describe, expect, it } from 'vitest';
import { pretendJot } from '../pretended-jots.ts';
import { axeViolations, photograph, untilLoaded, visit } from '../visit.ts';
import { DESKTOP, galleryLink, signIn, type Subject } from './subject.ts';

const DOWN = { status: 503, json: { error: 'The database is away.' } };

export function itLivesThroughBadDays(subject: Subject): void {
  const at = (path: string) => subject.gateway().base + path;

  describe('A gateway that is down', () => {
    it('retries by itself, less and less often', async () => {
      const { page, close } = await signIn(subject);
      let asked = 0;
      await page.clock.install();
      await page.route('**/api/jots', (route) => (++asked < 3 ? route.fulfill(DOWN) : route.continue()));
      await page.getByRole('navigation').getByRole('link', { name: 'Jots' }).click();
      await page.getByText('The database is away. Trying again automatically.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'down-light-1280');
      await page.clock.runFor(2000);
      await expect.poll(() => asked).toBe(2);
      await page.clock.runFor(2000);
      expect(asked).toBe(2);
      await page.clock.runFor(2000);
      await page.getByText('The database is away').waitFor({ state: 'detached' });
      await close();
    });

    it('shows the error beside cached data, and promises no retry that does not come', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('button', { name: 'Connect Sentry' }).waitFor();
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.route('**/api/{connections,keys}', (route) =>
        route.fulfill({ status: 500, json: { error: 'Internal Server Error' } }),
      );
      await page.getByRole('link', { name: 'Integrations', exact: true }).click();
      await page.getByRole('alert').getByText('Internal Server Error').waitFor();
      await page.getByRole('button', { name: 'Connect Sentry' }).waitFor();
      await page.getByRole('link', { name: 'Sentry', exact: true }).click();
      await page.getByRole('alert').getByText('Internal Server Error').waitFor();
      await page.goto(at('/settings'));
      await page.getByRole('alert').getByText('Internal Server Error').waitFor();
      await untilLoaded(page);
      const gap = `document.querySelector('.panel').getBoundingClientRect().top
        - document.querySelector('.notice').getBoundingClientRect().bottom`;
      expect(await page.evaluate(gap)).toBe(16);
      await close();
    });

    it('retries after a partial response', async () => {
      const { page, close } = await signIn(subject);
      await page.clock.install();
      await page.route('**/api/agents', (route) =>
        route.fulfill({ status: 200, contentType: 'application/json', body: '{"agents": [' }),
      );
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await page.getByText(/The gateway did not answer.*Trying again automatically\./).waitFor();
      await page.unroute('**/api/agents');
      await page.clock.runFor(2000);
      await page.getByRole('heading', { name: 'Personal key' }).waitFor();
      await close();
    });

    it('opens the requested page when a gateway that was down at the start is back', async () => {
      const { page, close } = await signIn(subject);
      await page.clock.install();
      await page.route('**/api/auth/me', (route) => route.abort());
      await page.goto(at('/activity?success=false'));
      await page.getByRole('heading', { name: 'Can’t reach the gateway' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'out-of-reach-light-1280');
      await page.unroute('**/api/auth/me');
      await page.clock.runFor(2000);
      await page.getByRole('heading', { name: 'Activity' }).waitFor();
      expect(page.url()).toBe(at('/activity?success=false'));
      await close();
    });

    it('handles the error of a request that was sent ahead of its page', async () => {
      const { page, complaints, close } = await signIn(subject);
      const refused = page.waitForResponse('**/api/connections');
      await page.route('**/api/connections', (route) => route.fulfill(DOWN));
      await page.route('**/api/auth/me', async (route) => {
        await (await refused).finished();
        await route.continue();
      });
      await page.goto(at('/integrations'));
      await page.getByText('The database is away.').waitFor();
      expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
      await close();
    });

    it('announces the same error again when the person confirms again', async () => {
      const { page, close } = await signIn(subject);
      await page.route('**/api/jots', (route) => route.fulfill({ json: { jots: [pretendJot('one')] } }));
      let release = () => {};
      await page.route('**/api/jots/one', async (route) => {
        await new Promise<void>((resolve) => (release = resolve));
        await route.fulfill(DOWN);
      });
      await page.goto(at('/jots'));
      for (const [ask, answer] of [
        ['Delete one', 'Delete'],
        ['Settings of one', 'Save'],
      ] as const) {
        await page.getByRole('button', { name: ask }).click();
        const dialog = page.getByRole('dialog');
        const problem = dialog.getByRole('alert');
        if (answer === 'Save') await dialog.getByLabel(/^Allow scripts/).check();
        for (let turn = 0; turn < 2; turn++) {
          const sent = page.waitForRequest('**/api/jots/one');
          await dialog.getByRole('button', { name: answer }).click();
          await sent;
          // A screen reader does not announce an alert that stays in place.
          await problem.waitFor({ state: 'detached' });
          release();
          await problem.waitFor();
        }
        await dialog.getByRole('button', { name: 'Cancel' }).click();
        await dialog.waitFor({ state: 'detached' });
      }
      await close();
    });

    it('lets the person close a dialog whose fields do not load', async () => {
      const { page, close } = await signIn(subject, { theme: 'light', width: 390 });
      const held = Promise.withResolvers<void>();
      await page.route('**/api/auth/datadog', (route) => held.promise.then(() => route.fulfill(DOWN)));
      await page.getByRole('button', { name: 'Connect Datadog' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Datadog' });
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Connect Datadog' }).click();
      held.resolve();
      await dialog.getByText('The database is away.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'connect-down-light-390');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await close();
    });

    it('keeps the typed values of a form, and submits them when the gateway is back', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('button', { name: 'Connect Sentry' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Sentry' });
      const token = dialog.locator('input[type=password]').first();
      await token.fill('the secret');
      await page.route('**/api/auth/apikey/sentry', (route) => route.abort());
      await page.keyboard.press('Enter');
      await dialog.getByText('The gateway did not answer').waitFor();
      expect(await token.inputValue()).toBe('the secret');
      await page.unroute('**/api/auth/apikey/sentry');
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Sentry is connected.').waitFor();
      await close();
    });

    it('keeps the arguments of a tool, and says that no response came', async () => {
      const { page, close } = await signIn(subject);
      await page.goto(at('/tools?tool=time_now'));
      const zone = page.getByRole('textbox', { name: 'timeZone' });
      await zone.fill('Asia/Tokyo');
      await page.route('**/rest/time', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByText('The gateway did not answer').waitFor();
      expect(await zone.inputValue()).toBe('Asia/Tokyo');
      await close();
    });
  });

  describe('A gateway that is slow', () => {
    it('says that the gateway is slow, on the page and in a form, until it responds', async () => {
      const { page, close } = await signIn(subject);
      await page.clock.install();
      const held: (() => void)[] = [];
      const hold = () => new Promise<void>((resolve) => held.push(resolve));
      await page.route('**/api/agents', async (route) => {
        await hold();
        await route.continue();
      });
      await page.getByRole('link', { name: 'Agents', exact: true }).click();
      await expect.poll(() => held.length).toBe(1);
      await page.clock.runFor(4000);
      await page.getByText('The gateway is slow to respond').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'slow-light-1280');
      held.shift()?.();
      await page.getByText('The gateway is slow to respond').waitFor({ state: 'detached' });

      await page.getByRole('link', { name: 'Integrations', exact: true }).click();
      await page.route('**/api/auth/apikey/datadog', async (route) => {
        await hold();
        await route.fulfill({ json: { success: true } });
      });
      await page.getByRole('button', { name: 'Connect Datadog' }).click();
      const dialog = page.getByRole('dialog', { name: 'Connect Datadog' });
      await dialog.getByLabel('Site').selectOption('datadoghq.eu');
      await dialog.getByLabel('API key').fill('one');
      await dialog.getByLabel('Application key').fill('two');
      await dialog.getByRole('button', { name: 'Connect' }).click();
      await expect.poll(() => held.length).toBe(1);
      await page.clock.runFor(4000);
      await dialog.getByText('The gateway is slow to respond').waitFor();
      held.shift()?.();
      await dialog.waitFor({ state: 'detached' });
      await close();
    });
  });

  it('polls only after the last response has arrived', async () => {
    const { page, close } = await signIn(subject);
    await page.clock.install();
    for (const [path, title, calls] of [
      ['/activity', 'Activity', 'audit?*'],
      ['/', 'Integrations', 'connections'],
    ] as const) {
      await page.goto(at(path));
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      await untilLoaded(page);
      const late = Promise.withResolvers<void>();
      let asked = 0;
      await page.route(`**/api/${calls}`, async (route) => {
        asked++;
        await late.promise;
        await route.continue();
      });
      await page.clock.runFor(120_000);
      await expect.poll(() => asked).toBe(1);
      late.resolve();
      await expect.poll(() => page.clock.runFor(31_000).then(() => asked)).toBeGreaterThan(1);
    }
    await close();
  });

  it('does not promise an offline person that their action happens later', async () => {
    const { page, close } = await signIn(subject);
    await page.goto(at('/settings'));
    await page.getByRole('button', { name: 'Reveal' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toBe('You are offline.');
    await close();
  });

  describe('A gateway that stops and starts again', () => {
    it('is said once on every page, and every page recovers by itself', async () => {
      const { page, close } = await signIn(subject);
      await page.getByRole('button', { name: 'Connect Sentry' }).waitFor();
      const said = page.getByText('The gateway does not answer. Reconnecting…');
      await subject.gateway().stop();
      // Nobody touches the page: the poll of the shell notices.
      await said.waitFor();
      expect(await page.locator('.brand .line-lamp').count()).toBe(1);
      expect(await axeViolations(page)).toEqual([]);
      await photograph(page, 'stopped-light-1280');
      // A page whose code is not loaded yet, and a page that has its code and no data.
      await page.getByRole('link', { name: 'People', exact: true }).click();
      await page.getByRole('heading', { name: 'People', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Connect an agent', exact: true }).click();
      await page.getByRole('link', { name: 'People', exact: true }).click();
      expect(await page.getByText(/may have been updated|did not answer/).count()).toBe(0);
      expect(await said.count()).toBe(1);
      await subject.restart();
      await said.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Invite' }).first().waitFor();
      expect(await page.locator('.brand .line-lamp').count()).toBe(0);
      await close();
    });
  });

  describe('A part of the portal that cannot be loaded', () => {
    it('loads by itself when the network is back', async () => {
      const { page, close } = await signIn(subject);
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      const why = 'You are offline. This page loads by itself when the connection is back.';
      await page.getByRole('alert').getByText(why).waitFor();
      await page.context().setOffline(false);
      await page.getByText('Choose a tool').waitFor();
      await close();
    });

    it('appears also when it arrives between the render and what the render has left to do', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(galleryLink(subject));
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      // Effects run after the next frame. A busy machine takes so long until then.
      await page.addInitScript(`const later = window.setTimeout;
        window.setTimeout = (run, ms = 0, ...args) => later(run, ms < 100 ? 2000 : ms, ...args);`);
      const shown = Promise.withResolvers<void>();
      await page.route('**/assets/page-*.js', async (route) => {
        await shown.promise;
        await route.continue();
      });
      await page.goto(at('/activity'), { waitUntil: 'commit' });
      await page.locator('main .skeleton').first().waitFor();
      shown.resolve();
      await page.getByText('No calls yet').waitFor();
      await close();
    });

    it('says that the gateway may have been updated when a part cannot be loaded', async () => {
      const { page, close } = await visit(subject.browser(), DESKTOP);
      await page.goto(subject.gateway().portalLink);
      await page.getByRole('heading', { name: 'Integrations', level: 1 }).waitFor();
      await page.route('**/assets/*.js', (route) => route.abort());
      await page.getByRole('link', { name: 'Tools', exact: true }).click();
      await page.getByText('The gateway may have been updated').waitFor();
      await page.getByRole('button', { name: 'Reload' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
      await close();
    });
  });
}
