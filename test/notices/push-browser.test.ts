// Shows a notice to a person whose portal is closed: a real Chromium subscribes in the portal, a local push service brings it
// what the gateway has encrypted, its desktop shows it, and a click opens the page of the approval. reference: Notices
import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { describeWith } from '../support/describe-with.ts';
import { type Desktop, hasDesktop, openDesktop } from '../support/desktop.ts';
import { runTool } from '../support/events.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { type PushService, startPushService } from '../support/push-service.ts';

vi.setConfig({ testTimeout: 120_000 });

// The headless shell has no notifications.
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
const missing =
  CHROMIUM === undefined ? 'no full Chromium' : hasDesktop() ? undefined : 'dbus-daemon is not installed';

describeWith('a notice in a browser', missing, () => {
  let site: Site;
  let gateway: Gateway & Banner;
  let service: PushService;
  let desktop: Desktop;
  let folder: string;
  let context: BrowserContext;
  beforeAll(async () => {
    [site, service, desktop] = [await openSite(), await startPushService(), await openDesktop()];
    gateway = await site.start({ command: START, env: { UPSTREAM_MAP: service.upstreamMap } });
    folder = await mkdtemp(join(tmpdir(), 'push-browser-'));
    // A private window has no push.
    context = await chromium.launchPersistentContext(folder, {
      ...(CHROMIUM === undefined ? {} : { executablePath: CHROMIUM }),
      headless: false,
      args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', ...service.args],
      // The connection to the push service is one of these.
      ignoreDefaultArgs: ['--disable-background-networking'],
      env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: desktop.bus },
      permissions: ['notifications'],
    });
    context.setDefaultTimeout(30_000);
  });
  afterAll(async () => {
    await context.close();
    await site.close();
    await desktop.close();
    await service.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });

  it('is shown while no page of the portal is open, and its click opens the approval', async () => {
    const page = await context.newPage();
    await page.goto(gateway.portalLink);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${gateway.base}/settings/notices`);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByRole('radio', { name: 'Browser' }).click();
    await page.getByLabel('Name').fill('My laptop');
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('heading', { name: 'My laptop' }).waitFor();
    await page.goto('about:blank');

    const headers = { authorization: `Bearer ${gateway.session}`, 'content-type': 'application/json' };
    const rules = [{ tool: 'events_list', decision: 'ask' }];
    const put = { method: 'PUT', headers, body: JSON.stringify({ rules }) };
    expect((await gateway.request('/api/policy', put)).status).toBe(200);
    const { body } = await runTool(
      gateway,
      { keyHeader: { 'x-service-api-key': gateway.apiKey } },
      'events_list',
    );
    expect(body).toMatchObject({ error: 'APPROVAL_REQUIRED' });

    await expect.poll(() => desktop.shown, { timeout: 60_000 }).toHaveLength(1);
    const [shown] = desktop.shown;
    if (shown === undefined) throw new Error('nothing is shown');
    expect(shown.title).toBe('A call waits for your approval');
    expect(service.taken).toHaveLength(1);
    const opened = context.waitForEvent('page');
    desktop.click(shown);
    const approval = await opened;
    await approval.waitForURL(`${gateway.base}/approvals/*`);
    await approval.getByRole('button', { name: 'Approve' }).first().waitFor();
  });
});
