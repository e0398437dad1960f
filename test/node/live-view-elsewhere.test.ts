// Tests the live view of the real program with a browser that runs apart: driven, killed, and started again. decision: 073
import { request } from 'node:http';
import { chromium as playwright } from 'playwright-core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { createViewer, type Stream, type Viewer } from '../support/live-viewer.ts';
import { type RemoteChromium, startRemoteChromium } from '../support/remote-chromium.ts';

describeInChromium('the live view of the program with a browser elsewhere', () => {
  let remote: RemoteChromium;
  let site: Site;
  let gateway: Gateway & Banner;
  let viewer: Viewer;
  let stream: Stream;
  let proxyPort: number;

  async function start(more: Record<string, string> = {}): Promise<void> {
    proxyPort = await freePort();
    const env = { BROWSER_URL: remote.url, BROWSER_PROXY_URL: `http://127.0.0.1:${proxyPort}`, ...more };
    gateway = await site.start({ env });
    viewer = createViewer(
      { base: gateway.base, origin: gateway.base },
      { sessionHeader: { authorization: `Bearer ${gateway.session}` } },
    );
    stream = await viewer.open();
  }
  beforeEach(async () => {
    remote = await startRemoteChromium();
    site = await openSite();
  });
  afterEach(async () => {
    await site.close();
    await remote.close();
  });

  const drive = () => viewer.ask(stream, 'Page.getLayoutMetrics');

  async function contextsOf(): Promise<number> {
    const other = await playwright.connectOverCDP(remote.url);
    const session = await other.newBrowserCDPSession();
    const { browserContextIds } = await session.send('Target.getBrowserContexts');
    await other.close();
    return browserContextIds.length;
  }

  it('drives it, starts none of its own, and opens the proxy to nobody else', async () => {
    await start();
    expect((await drive()).result).toBeDefined();
    expect(await contextsOf()).toBe(1);
    expect(browserProcesses(site.dataDir)).toEqual([]);
    const asked = new Promise((done, fail) =>
      request({ port: proxyPort, path: 'http://example.com/' }, (answer) => done(answer.resume().statusCode))
        .on('error', fail)
        .end(),
    );
    expect(await asked).toBe(407);
    await gateway.stop();
    expect(await stream.closed).toBe('stopped');
    await expect.poll(contextsOf).toBe(0);
  });

  it('leaves no context behind when the gateway is killed', async () => {
    await start();
    await drive();
    gateway.signal('SIGKILL', 'group');
    await gateway.exited;
    await expect.poll(contextsOf).toBe(0);
  });

  it('reports that the browser has ended, and connects to the next one on a new attach', async () => {
    await start({ WORKERS: '2' });
    await drive();
    await remote.restart();
    expect(await stream.closed).toBe('browser-ended');
    stream = await viewer.open();
    expect((await drive()).result).toBeDefined();
    await gateway.stop();
  });
});
