// Tests that a newcomer pastes a GitHub token into a fresh gateway and makes a first call, in few clicks.
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type FakeGithub, startGithub } from '../support/fake-github.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { axeViolations, photograph } from './visit.ts';
import { signIn } from './sections/subject.ts';

// The test visits many pages.
vi.setConfig({ testTimeout: 120_000 });

const MOST_CLICKS = 6;

describePersonInChromium('A newcomer with a GitHub account', () => {
  let browser: Browser;
  let site: Site;
  let gateway: Gateway & Banner;
  let github: FakeGithub;

  beforeAll(async () => {
    [browser, site, github] = await Promise.all([openChromium(), openSite(), startGithub()]);
    gateway = await site.start({
      command: START,
      env: { UPSTREAM_MAP: `https://api.github.com=${github.url}` },
    });
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close(), github?.close()]);
  });

  it('pastes a token, makes a first call, and sees at once when the token is revoked', async () => {
    const { page, complaints, close } = await signIn({ browser: () => browser, gateway: () => gateway });
    let clicks = 0;
    const click = async (place: Locator) => {
      clicks += 1;
      await place.click();
    };

    // GitHub is the first of what can be connected, although nobody has registered a client.
    const available = page.getByRole('region', { name: /^Available/ });
    expect(await available.getByRole('heading', { level: 3 }).first().innerText()).toBe('GitHub');
    await click(available.getByRole('button', { name: 'Connect GitHub' }));
    const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
    const own = dialog.getByRole('link', { name: 'Open GitHub' });
    expect(await own.getAttribute('href')).toMatch(/^https:\/\/github\.com\/settings\/tokens\/new\?/);
    // The person makes the token there, in another tab.
    clicks += 1;

    // A wrong token is refused in GitHub's words, and the typed text stays.
    const field = dialog.getByLabel('Personal access token');
    await field.fill('ghp_wrong');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await dialog.locator('.connect-problem').getByText('Bad credentials').waitFor();
    expect(await field.inputValue()).toBe('ghp_wrong');
    expect(await connection()).toMatchObject({ connected: false });
    expect(await axeViolations(page)).toEqual([]);
    await photograph(page, 'newcomer-1-refused');

    await field.fill(github.token);
    await click(dialog.getByRole('button', { name: 'Connect' }));
    await page.getByRole('status').getByText('GitHub is connected.').waitFor();
    await cardOf(page).getByText(`Signed in as ${github.login}`).waitFor();
    expect(await cardOf(page).locator('.lamp-green').innerText()).toBe('Connected');
    await photograph(page, 'newcomer-2-connected');

    await click(page.getByRole('link', { name: 'GitHub', exact: true }));
    await click(page.getByRole('link', { name: 'github_whoami' }));
    await click(page.getByRole('button', { name: 'Run' }));
    await page.getByRole('region', { name: 'Result as JSON' }).getByText(github.login).waitFor();
    await photograph(page, 'newcomer-3-called');
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
    expect(github.calls.at(-1)).toMatchObject({ path: '/user' });

    // GitHub takes the token back. The next call tells the person, and what to do.
    const revoked = github.token;
    github.token = 'ghp_another';
    await page.getByRole('button', { name: 'Run' }).click();
    await expect.poll(async () => (await connection()).status).toBe('reconnect');
    expect(github.calls.filter(({ headers }) => headers.authorization === `Bearer ${revoked}`).length).toBe(
      4,
    );
    await page.getByRole('link', { name: 'Integrations' }).first().click();
    expect(await cardOf(page).locator('.lamp-red').innerText()).toBe('Reconnect');
    await page.getByRole('link', { name: 'Integrations 1 needs attention' }).waitFor();
    await photograph(page, 'newcomer-4-revoked');

    await cardOf(page).getByRole('button', { name: 'Replace token GitHub' }).click();
    await page.getByLabel('Personal access token').fill(github.token);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Integrations', exact: true }).first().waitFor();
    expect(await cardOf(page).locator('.lamp-green').innerText()).toBe('Connected');

    // The gateway cannot end a token that the person made, so it says where they can.
    await page.getByRole('link', { name: 'GitHub', exact: true }).click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    const remove = page.getByRole('link', { name: 'Remove it at GitHub' });
    expect(await remove.getAttribute('href')).toMatch(/^https:\/\/github\.com\/settings\//);
    await photograph(page, 'newcomer-5-disconnected');
    expect(complaints.filter((each) => !isExpected(each))).toEqual([]);
    await close();
  });

  async function connection(): Promise<{ connected: boolean; status?: string }> {
    const answer = await gateway.request('/api/connections', {
      headers: { authorization: `Bearer ${gateway.session}` },
    });
    const { connections }: { connections: { name: string; connected: boolean; status?: string }[] } =
      await answer.json();
    return connections.find(({ name }) => name === 'github') ?? { connected: false };
  }
});

const cardOf = (page: Page): Locator =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'GitHub', exact: true }) })
    .filter({ has: page.locator('.card-words') });

// The browser reports every refusal: of the wrong token, of the call, and that GitHub has no client.
const isExpected = (complaint: string): boolean =>
  /api\/(auth\/apikey|admin\/clients)\/github|\/rest\/github/.test(complaint);
