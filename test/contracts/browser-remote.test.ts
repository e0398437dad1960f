// Runs the browser contract on a real Chromium that was started apart, and tests its proxy, its contexts, its restart, and a
// gateway that was killed. decision: 073
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createEgressProxy, GREETING } from '../../adapters/node/live-view/egress-proxy.ts';
import { createRemoteChromium, type RemoteOptions } from '../../drivers/browser/remote.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createGuard } from '../../src/egress/guard.ts';
import { type Browser, FIRST_PROFILE } from '../../src/ports/browser.ts';
import { describeInChromium } from '../support/chromium.ts';
import { startHttpServer } from '../support/http-server.ts';
import { type RemoteChromium, startRemoteChromium } from '../support/remote-chromium.ts';
import { browserContract } from './browser-contract.ts';

const guard = createGuard({
  config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
  network: createUndiciNetwork(),
});

let remote: RemoteChromium;

async function openAt(more: Partial<RemoteOptions> = {}) {
  const folder = more.folder ?? (await mkdtemp(join(tmpdir(), 'browsers-')));
  const proxy = createEgressProxy(guard, { asksPassword: true });
  const browser = createRemoteChromium({
    folder,
    url: remote.url,
    locate: async (host) => host,
    proxy: async () => ({ address: await proxy.address(), ...proxy.admit(), greeting: GREETING }),
    ...more,
  });
  return {
    folder,
    browser,
    proxy,
    async close() {
      await browser.close();
      proxy.close();
      if (more.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

describeInChromium('the browser port on a Chromium elsewhere', () => {
  beforeAll(async () => {
    remote = await startRemoteChromium();
  });
  afterAll(() => remote.close());

  browserContract(openAt);
});

describeInChromium('a Chromium elsewhere', () => {
  let opened: Awaited<ReturnType<typeof openAt>>;
  let browser: Browser;
  beforeAll(async () => {
    remote = await startRemoteChromium();
  });
  afterAll(() => remote.close());
  beforeEach(async () => {
    opened = await openAt();
    browser = opened.browser;
  });
  afterEach(() => opened.close());

  /** What another program sees of the browser. */
  async function contextsOf(): Promise<number> {
    const other = await playwright.connectOverCDP(remote.url);
    const session = await other.newBrowserCDPSession();
    const { browserContextIds } = await session.send('Target.getBrowserContexts');
    await other.close();
    return browserContextIds.length;
  }

  /** Evaluates an expression in the page of the person, as a viewer does. */
  async function evaluate(user: string, expression: string): Promise<unknown> {
    const session = await browser.open(user, FIRST_PROFILE);
    const answer = Promise.withResolvers<unknown>();
    const channel = await session.openChannel((message) => {
      const { id, result } = JSON.parse(Buffer.from(message).toString());
      if (id === 4711) answer.resolve(result?.result?.value);
    });
    const params = { expression, returnByValue: true, awaitPromise: true };
    channel.send({ id: 4711, method: 'Runtime.evaluate', params });
    return answer.promise.finally(() => channel.close());
  }

  it('uses the proxy with a password for pages, frames and workers, and nobody else may', async () => {
    const site = await startHttpServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<title>there</title>');
    });
    const url = `http://127.0.0.1:${site.port}/`;
    await (await browser.open('ana', FIRST_PROFILE)).navigate(url);
    await expect.poll(() => evaluate('ana', 'document.title')).toBe('there');
    const inWorker = `new Promise((done) => {
      const source = 'fetch("${url}").then((r) => r.status).then(postMessage, () => postMessage("failed"))';
      new Worker(URL.createObjectURL(new Blob([source]))).onmessage = ({ data }) => done(data);
    })`;
    expect(await evaluate('ana', inWorker)).toBe(200);
    expect(await evaluate('ana', 'typeof RTCPeerConnection')).toBe('undefined');
    expect(await evaluate('ana', 'navigator.userAgent')).not.toContain('Headless');

    const [host, port] = (await opened.proxy.address()).split(':');
    const statusWith = (headers: Record<string, string>) =>
      new Promise((done, fail) =>
        request({ host, port, path: url, headers }, (answer) => done(answer.resume().statusCode))
          .on('error', fail)
          .end(),
      );
    expect(await statusWith({})).toBe(407);
    const guess = Buffer.from('browser:guess').toString('base64');
    expect(await statusWith({ 'Proxy-Authorization': `Basic ${guess}` })).toBe(407);
    const pass = opened.proxy.admit();
    const known = Buffer.from(`${pass.username}:${pass.password}`).toString('base64');
    expect(await statusWith({ 'Proxy-Authorization': `Basic ${known}` })).toBe(200);
    pass.revoke();
    expect(await statusWith({ 'Proxy-Authorization': `Basic ${known}` })).toBe(407);
    await site.close();
  });

  it('keeps cookies in a file that only the gateway reads', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const expires = Math.floor(Date.now() / 1000) + 3_600;
    const given = { domain: 'example.com', path: '/', secure: true, httpOnly: true };
    await session.setCookies([{ ...given, name: 'kept', value: 'v', expires }]);
    await session.close();
    const [profile = ''] = await import('node:fs/promises').then(({ readdir }) => readdir(opened.folder));
    const file = join(opened.folder, profile, 'cookies.json');
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject([{ name: 'kept' }]);
  });

  it('connects again after the browser was started again, with the cookies that were kept', async () => {
    await opened.close();
    opened = await openAt({ keepMs: 50 });
    browser = opened.browser;
    const session = await browser.open('ana', FIRST_PROFILE);
    const expires = Math.floor(Date.now() / 1000) + 3_600;
    const given = { domain: 'example.com', path: '/', secure: true, httpOnly: true };
    await session.setCookies([{ ...given, name: 'kept', value: 'v', expires }]);
    const kept = async () => {
      const { readdir } = await import('node:fs/promises');
      const [profile = ''] = await readdir(opened.folder);
      return readFile(join(opened.folder, profile, 'cookies.json'), 'utf8').catch(() => '');
    };
    await expect.poll(kept).toContain('"kept"');
    await remote.restart();
    await session.closed;
    expect(browser.status('ana')).toBe('off');
    const again = await browser.open('ana', FIRST_PROFILE);
    expect((await again.cookies()).map(({ name }) => name)).toEqual(['kept']);
  });

  it('leaves no context behind, and leaves those of other gateways alone', async () => {
    const before = await contextsOf();
    const other = await openAt();
    const bea = await other.browser.open('bea', FIRST_PROFILE);
    const ana = await browser.open('ana', FIRST_PROFILE);
    expect(await contextsOf()).toBe(before + 2);
    await ana.close();
    expect(await contextsOf()).toBe(before + 1);
    expect(await bea.cookies()).toEqual([]);
    await browser.open('ana', FIRST_PROFILE);
    await other.close();
    await expect.poll(contextsOf).toBe(before + 1);
    await browser.close();
    await expect.poll(contextsOf).toBe(before);
  });

  it('says what to do when there is no browser, or when the browser does not reach the proxy', async () => {
    const absent = await openAt({ url: 'http://127.0.0.1:1/?token=secret' });
    const failed = absent.browser.open('ana', FIRST_PROFILE);
    await expect(failed).rejects.toThrow(/127\.0\.0\.1:1 of BROWSER_URL cannot be reached/);
    await expect(failed).rejects.not.toThrow(/secret/);
    await absent.close();
    const pass = { address: '127.0.0.1:1', username: 'browser', password: 'p', revoke() {} };
    const apart = await openAt({ proxy: async () => ({ ...pass, greeting: GREETING }) });
    await expect(apart.browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/check BROWSER_PROXY_URL/);
    await apart.close();
  });
});
