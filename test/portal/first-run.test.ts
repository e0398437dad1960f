// Tests a person's first visit, from the printed link to a client's first call, without reading a manual.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { type HttpServer, startHttpServer } from '../support/http-server.ts';
import { photograph } from './visit.ts';
import { signIn } from './sections/subject.ts';

const USER = { id: 1, login: 'ana', name: 'Ana of the local Grafana' };

// The test visits many pages and takes many screenshots.
vi.setConfig({ testTimeout: 120_000 });

describeInChromium('The first run', () => {
  let browser: Browser;
  let site: Site;
  let gateway: Gateway & Banner;
  let grafana: HttpServer;
  const tokens: (string | undefined)[] = [];

  beforeAll(async () => {
    [browser, site, grafana] = await Promise.all([openChromium(), openSite(), startHttpServer()]);
    grafana.answer((request, response) => {
      tokens.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(USER));
    });
    gateway = await site.start({ command: ['npm', 'start'] });
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), site?.close(), grafana?.close()]);
  });

  it('leads from the printed link to the first call of a client', async () => {
    // The printed link signs in, and the page says what to do.
    const { page, complaints, close } = await signIn({ browser: () => browser, gateway: () => gateway });
    await page.getByText('0 of 3 done').waitFor();
    await photograph(page, 'first-run-1-link');

    // The first tool runs right there.
    await page.getByRole('button', { name: 'What time is it?' }).click();
    await page.getByText('time_now answered in').waitFor();
    await page.getByText('1 of 3 done').waitFor();
    await photograph(page, 'first-run-1-ran');

    // The steps stay on the overview after the first call.
    await page.getByRole('link', { name: 'Overview', exact: true }).click();
    await page.getByRole('slider', { name: 'Calls over time' }).waitFor();
    await page.getByText('1 of 3 done').waitFor();
    await photograph(page, 'first-run-1-overview');
    await page.getByRole('link', { name: 'Integrations', exact: true }).click();

    // Connects an integration with an API key, on the person's own server.
    await page.getByRole('button', { name: 'Connect Grafana' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Grafana' });
    await dialog.getByLabel('Address of your Grafana').fill(`http://127.0.0.1:${grafana.port}`);
    await dialog.getByLabel('Service account token').fill('glsa_local');
    await photograph(page, 'first-run-2-connect');
    await dialog.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Grafana is connected.').waitFor();
    await page.getByText('2 of 3 done').waitFor();

    // Runs one of its tools in the explorer.
    await page.getByRole('link', { name: 'Grafana' }).click();
    await page.getByRole('link', { name: 'grafana_whoami' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Result as JSON' }).getByText(USER.name).waitFor();
    // The gateway has asked once whose token it is.
    expect(tokens).toEqual(['Bearer glsa_local', 'Bearer glsa_local']);
    await photograph(page, 'first-run-3-tool');

    // Makes a key for Claude Code that only reads, and copies the line with the key.
    await page.getByRole('link', { name: 'Connect an agent' }).click();
    await page.getByRole('button', { name: 'Create the key for Claude Code' }).click();
    await page.getByRole('button', { name: 'Copy: Run this in a terminal' }).click();
    await page.getByRole('button', { name: 'Copied: Run this in a terminal' }).waitFor();
    const line: string = await page.evaluate('navigator.clipboard.readText()');
    const [, address = '', header = '', key = ''] =
      /^claude mcp add --transport http gateway (\S+) --header "([\w-]+): (agk_[0-9a-f]{64})"$/.exec(line) ??
      [];
    await photograph(page, 'first-run-4-client');

    // The client calls with the copied key while Activity is open.
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    const calls = page.getByRole('list', { name: 'Activity' });
    await calls.getByText('Whoami', { exact: true }).waitFor();
    expect(await calls.getByText('Now', { exact: true }).count()).toBe(1);
    const agent = new Client({ name: 'claude-code', version: '1' });
    const requestInit = { headers: { [header]: key } };
    await agent.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
    const executions = [{ tool: 'time_now', args: {} }];
    await agent.callTool({ name: 'execute_tools', arguments: { executions } });
    await agent.close();
    await calls.getByText('Now', { exact: true }).nth(1).waitFor();
    await photograph(page, 'first-run-5-activity');

    await page.getByRole('link', { name: 'Integrations', exact: true }).click();
    await page.getByText('All set. Your gateway works.').waitFor();
    await photograph(page, 'first-run-6-done');
    expect(complaints).toEqual([]);
    await close();
  });
});
