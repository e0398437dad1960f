// Counts the clicks of the jobs that people come for. A select counts as two, keys and typing count as none.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createMemoryProvider, type Kept, REDIRECT } from '../clients/memory-provider.ts';
import { startChangingServer, tool } from '../support/changing-server.ts';
import { describePersonInChromium, openChromium } from '../support/chromium.ts';
import { type FakeGithub, startGithub } from '../support/fake-github.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';
import { SITE_PASSWORD, SITE_USER, startLoginSite } from '../support/login-site.ts';
import { openAskingAgent } from './asking-agent.ts';
import { openProvidedGateway } from './providers.ts';
import { signIn } from './sections/subject.ts';
import { type Visit, visit as openVisit } from './visit.ts';

vi.setConfig({ testTimeout: 120_000 });

/** The height of the tabs at the foot of a phone's window. */
const TABS = 60;

describePersonInChromium('Clicks', () => {
  let browser: Browser;
  let site: Site;
  let gateway: Gateway & Banner;
  let github: FakeGithub;
  let visit: Visit;
  let page: Page;
  let clicks = 0;

  beforeAll(async () => {
    browser = await openChromium();
  });
  beforeEach(async () => {
    [site, github] = await Promise.all([openSite(), startGithub()]);
    gateway = await site.start({
      command: START,
      env: { UPSTREAM_MAP: `https://api.github.com=${github.url}` },
    });
    visit = await signIn({ browser: () => browser, gateway: () => gateway });
    page = visit.page;
    clicks = 0;
  });
  afterEach(async () => {
    await visit.close();
    await Promise.all([site.close(), github.close()]);
  });
  afterAll(() => browser.close());

  async function click(place: Locator): Promise<void> {
    clicks += 1;
    await place.click();
  }
  /** How far below the top of the window a control ends. */
  async function endOf(place: Locator): Promise<number> {
    const box = await place.boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.y + box.height;
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
  const visitPage = (path: string) => page.goto(gateway.base + path);

  async function send(method: string, path: string, body?: object) {
    const response = await gateway.request(path, {
      method,
      headers: { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  async function connectGithub(): Promise<void> {
    const answer = await send('POST', '/api/auth/apikey/github', { values: { token: github.token } });
    expect(answer).toMatchObject({ success: true });
  }

  it('from the link to the first tool: 1', async () => {
    await click(button('What time is it?'));
    await page.getByText('time_now answered in').waitFor();
    expect(clicks).toBe(1);
  });

  it('GitHub by token, wrong and then right: 3', async () => {
    await click(button('Connect GitHub'));
    const dialog = page.getByRole('dialog', { name: 'Connect GitHub' });
    const field = dialog.getByLabel('Personal access token');
    const connect = dialog.getByRole('button', { name: 'Connect' });
    await field.fill('ghp_wrong');
    await click(connect);
    await dialog.getByText('Bad credentials').waitFor();
    await field.fill(github.token);
    await click(connect);
    await page.getByRole('status').getByText('GitHub is connected.').waitFor();
    expect(clicks).toBe(3);
  });

  it('find and run a tool: 1', async () => {
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Search pages/).fill('current time');
    await page
      .getByRole('option', { name: /time_now/ })
      .first()
      .waitFor();
    await page.getByPlaceholder(/^Search pages/).fill('time_now');
    await page
      .getByRole('option', { name: /time_now/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await click(button('Run'));
    await page.getByText('Succeeded').waitFor();
    expect(clicks).toBe(1);
  });

  it('add an MCP server: 3', async () => {
    const server = await startChangingServer([tool('find_invoice')]);
    onTestFinished(() => server.close());
    await click(link('Add a service'));
    await page.getByRole('textbox', { name: 'Address' }).fill(server.address);
    await click(button('Check address'));
    await click(button(/^Add (?!a )/));
    await page.getByRole('tab', { name: 'Settings' }).waitFor();
    expect(clicks).toBe(3);
  });

  it('add an OpenAPI service and its token: 4', async () => {
    const shop = await startHttpServer();
    onTestFinished(() => shop.close());
    shop.answer((_request, response) => {
      const document = {
        openapi: '3.1.0',
        info: { title: 'Acme Shop', version: '1' },
        servers: [{ url: `http://127.0.0.1:${shop.port}` }],
        paths: {
          '/orders': { get: { operationId: 'listOrders', summary: 'List the orders', responses: {} } },
        },
        components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
        security: [{ token: [] }],
      };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    await click(link('Add a service'));
    await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${shop.port}/openapi.json`);
    await click(button('Check address'));
    await click(button('Add Acme Shop'));
    await click(button('Connect'));
    await page.getByRole('dialog').getByLabel('Token').fill('the token');
    await page.keyboard.press('Enter');
    await page.getByText('Acme Shop is connected.').waitFor();
    expect(clicks).toBe(4);
  });

  it('the rule to ask before deletions: 2', async () => {
    await click(link('Approvals'));
    await click(button('Ask before deletions'));
    await page.getByText('Your agents ask before they delete from now on.').waitFor();
    expect(await send('GET', '/api/policy')).toMatchObject({
      rules: [{ access: 'destroy', decision: 'ask' }],
    });
    expect(clicks).toBe(2);
  });

  it('a key for one integration: 5', async () => {
    await click(link('Agents'));
    await click(button('Create key'));
    await page.getByRole('textbox', { name: 'Name' }).fill('Reader');
    await click(page.getByRole('radio', { name: /^Only some/ }));
    await click(page.getByRole('checkbox', { name: 'Time' }));
    await click(page.locator('form').getByRole('button', { name: 'Create key' }));
    await page.getByText('The key for Reader is ready').waitFor();
    expect(clicks).toBe(5);
  });

  it('approve on the phone: 2', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const agent = openAskingAgent(gateway);
    await agent.setRules([{ tool: 'upload_file', decision: 'ask' }]);
    const id = await agent.ask('Hello');
    await click(link('Look'));
    const approve = page.getByRole('button', { name: /^Approve once/ });
    await approve.waitFor();
    expect(await endOf(approve)).toBeLessThan(844 - TABS);
    await click(approve);
    await expect.poll(() => agent.stateOf(id)).toBe('approved');
    expect(clicks).toBe(2);
  });

  it('a second account: 2', async () => {
    await connectGithub();
    await visitPage('/integrations/github');
    await click(button('Add an account'));
    github.token = 'ghp_second';
    github.login = 'acme-deploy-bot';
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Personal access token').fill(github.token);
    await click(dialog.getByRole('button', { name: 'Connect' }));
    await page.getByText('acme-deploy-bot').first().waitFor();
    expect(clicks).toBe(2);
  });

  it('invite a person: 3', async () => {
    await click(link('People'));
    await click(button('Invite'));
    const dialog = page.getByRole('dialog', { name: 'Invite a person' });
    await dialog.getByLabel('E-mail address').fill('bob@acme.dev');
    await click(dialog.getByRole('button', { name: 'Invite' }));
    await page.getByText('bob@acme.dev is invited').waitFor();
    expect(clicks).toBe(3);
  });

  it('what failed of one agent: 3', async () => {
    const { key } = await send('POST', '/api/agent-keys', { name: 'Nightly job' });
    await gateway.request('/rest/time', {
      method: 'POST',
      headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'time_convert', args: { time: 'never', from: 'UTC', to: 'UTC' } }),
    });
    await click(link('Agents'));
    await click(link('Nightly job'));
    await click(link('1 failed'));
    await page.getByRole('list', { name: 'Activity' }).getByRole('listitem').first().waitFor();
    expect(new URL(page.url()).searchParams.get('success')).toBe('false');
    expect(clicks).toBe(3);
  });

  it('publish a folder: 2, and roll back: 2', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'clicks-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const site1 = join(folder, 'site');
    await mkdir(site1);
    await visitPage('/jots');
    for (const words of ['One', 'Two']) {
      await writeFile(join(site1, 'index.html'), `<!doctype html><title>t</title><h1>${words}</h1>`);
      clicks = 0;
      const chooser = page.waitForEvent('filechooser');
      await click(button('Choose folder'));
      await (await chooser).setFiles(site1);
      await click(page.getByRole('dialog').getByRole('button', { name: 'Publish' }));
      await page.getByText('site is published.').waitFor();
      expect(clicks).toBe(2);
    }
    await visitPage('/jots/site');
    clicks = 0;
    await click(button('Roll back to version 1'));
    await click(page.getByRole('dialog').getByRole('button', { name: 'Roll back' }));
    await page.getByText('Rolled back to version 1.').waitFor();
    expect(clicks).toBe(2);
  });

  it('disconnect: 1', async () => {
    await connectGithub();
    await visitPage('/integrations');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder(/^Search pages/).fill('disconnect github');
    await page.getByRole('option', { name: /Disconnect GitHub/ }).waitFor();
    await page.keyboard.press('Enter');
    await click(page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }));
    await page.getByText('GitHub is disconnected.').waitFor();
    expect(clicks).toBe(1);
  });

  it('sign in within the live view, and capture: 3', async () => {
    const ci = await startLoginSite();
    onTestFinished(() => ci.close());
    await visitPage('/integrations/jenkins');
    await click(button('Connect'));
    await page.getByLabel('Address of your Jenkins').fill(`${ci.url}/ci`);
    await click(button('Open the sign-in'));
    // The site focuses its first field, so the person types at once.
    await page.getByRole('textbox', { name: 'User name' }).waitFor({ timeout: 60_000 });
    await page.keyboard.type(SITE_USER);
    await page.keyboard.press('Tab');
    await page.getByLabel('Password').waitFor();
    await page.keyboard.type(SITE_PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('.live-finish.button-primary').waitFor();
    await click(button('I’m signed in'));
    await page.getByText('Jenkins is connected.').waitFor();
    expect(clicks).toBe(3);
    // The gateway closes its browsers on a signal.
    gateway.signal('SIGTERM', 'group');
    await gateway.exited;
  });

  it.each([
    [1440, 900],
    [390, 844],
  ])(
    'from an OAuth client’s question to its first call, in a window of %i × %i: 1',
    async (width, height) => {
      const provided = await openProvidedGateway();
      const window = await openVisit(browser, { theme: 'light', width });
      onTestFinished(async () => {
        await window.close();
        await provided.close();
      });
      await window.page.setViewportSize({ width, height });
      const kept: Kept = { verifier: '', opened: [] };
      const open = () =>
        new StreamableHTTPClientTransport(new URL(`${provided.gateway.base}/mcp`), {
          authProvider: createMemoryProvider(kept),
        });
      const about = { name: 'agent', version: '1' };
      await expect(new Client(about).connect(open())).rejects.toThrow(/Unauthorized/i);

      const back = window.page.waitForRequest((request) => request.url().startsWith(REDIRECT));
      await window.page.route(`${REDIRECT}**`, (route) => route.fulfill({ body: 'Signed in.' }));
      await window.page.goto(String(kept.opened[0]));
      const allow = window.page.getByRole('button', { name: 'Allow and sign in' });
      expect(await endOf(allow)).toBeLessThan(height);
      await click(allow);
      // The rest is the provider's own sign-in.
      await window.page.getByPlaceholder('Enter any login').fill('ana');
      await window.page.getByPlaceholder('and password').fill('any');
      await window.page.getByRole('button', { name: 'Sign-in' }).click();
      await window.page.getByRole('button', { name: 'Continue' }).click();
      await open().finishAuth(new URL((await back).url()).searchParams.get('code') ?? '');

      const client = new Client(about);
      onTestFinished(() => client.close());
      await client.connect(open());
      const called = await client.callTool({
        name: 'execute_tools',
        arguments: { executions: [{ tool: 'time_now', args: {} }] },
      });
      expect(JSON.stringify(called)).toContain('iso');
      expect(clicks).toBe(1);
    },
  );

  it('an integration’s page has at most 25 tab stops', async () => {
    await connectGithub();
    await visitPage('/integrations/github');
    await page.getByRole('link', { name: 'github_whoami' }).waitFor();
    await visit.settled();
    const stops = await page.evaluate<number>(
      `[...document.querySelectorAll('main :is(a[href], button, input, select, textarea, summary, [tabindex])')]
        .filter((each) => each.tabIndex >= 0 && !each.disabled && each.checkVisibility()).length`,
    );
    expect(stops).toBeLessThanOrEqual(25);
  });
});
