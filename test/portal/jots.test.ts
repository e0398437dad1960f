// Tests jots in a real browser: what a page can and cannot do, and how a locked jot asks. reference: Jot serving; Jot uploads; decision: 048
import { exec } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeInChromium, openChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site, START } from '../support/gateway-process.ts';
import { freePort } from '../support/listen.ts';
import { axeViolations, expectSoundInEveryLook, photograph, scrollsSideways, visit } from './visit.ts';

const STYLE = 'h1 { color: rgb(1, 2, 3); }';
/** A page that tries everything it must not be able to do, and records each result. */
const SCRIPT = `
const tried = {};
const attempt = async (name, work) => {
  try { tried[name] = 'did: ' + await work(); } catch (error) { tried[name] = error.name; }
};
await attempt('localStorage', () => localStorage.getItem('svc_token'));
await attempt('cookie', () => document.cookie);
await attempt('api', async () => (await fetch('/api/auth/me', { credentials: 'include' })).status);
await attempt('keyed', async () => (await fetch('/api/jots', { headers: { authorization: 'Bearer x' } })).status);
await attempt('worker', () => navigator.serviceWorker.register('sw.js'));
await attempt('parent', () => parent.localStorage.getItem('svc_token'));
document.querySelector('h1').textContent = 'Rendered by its script';
document.body.dataset.tried = JSON.stringify(tried);
`;
const FILES = {
  'index.html':
    '<!doctype html><link rel="stylesheet" href="style.css"><h1>Not yet</h1><script type="module" src="app.js"></script>',
  'style.css': STYLE,
  'app.js': SCRIPT,
  'sw.js': '',
};
const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));

describeInChromium('Jots', () => {
  let browser: Browser;
  let site: Site;
  let gateway: Gateway & Banner;
  let agent: Client;

  beforeAll(async () => {
    [browser, site] = await Promise.all([openChromium(), openSite()]);
    const port = await freePort();
    gateway = await site.start({ port, env: { JOTS_ORIGIN: `http://127.0.0.1:${port}` } });
    agent = new Client({ name: 'agent', version: '1' });
    const headers = { 'x-service-api-key': gateway.apiKey };
    await agent.connect(
      new StreamableHTTPClientTransport(new URL(`${gateway.base}/mcp`), {
        requestInit: { headers },
      }),
    );
  });

  afterAll(async () => {
    await agent?.close();
    await Promise.all([browser?.close(), site?.close()]);
  });

  /** Deploys a jot as an agent does, through the official client. */
  async function tool(name: string, args: object) {
    const called = await agent.callTool({
      name: 'execute_tools',
      arguments: { executions: [{ tool: name, args }] },
    });
    const [content] = called.content as { text: string }[];
    const { results } = JSON.parse(content?.text ?? '{}');
    expect(results[0]).toHaveProperty('result');
    return results[0].result;
  }

  /** Returns the jot's address on the gateway's own origin, where jots are not trusted. */
  const onGateway = (url: string) => url.replace('127.0.0.1', 'localhost');

  async function open(url: string): Promise<{ page: Page; close: () => Promise<void> }> {
    const window = await visit(browser, { theme: 'light', width: 1280 });
    await window.page.goto(url);
    return { page: window.page, close: () => window.close() };
  }

  const heading = (page: Page) => page.locator('h1').textContent();
  const colour = (page: Page) =>
    page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color");
  async function tried(page: Page): Promise<Record<string, string>> {
    await page.waitForSelector('body[data-tried]');
    return JSON.parse((await page.getAttribute('body', 'data-tried')) ?? '{}');
  }

  it('shows the picture of the earlier version right after a roll-back', async () => {
    const home = await openSite();
    const camera = await home.start({ command: START, env: { JOT_THUMBNAILS: 'on' } });
    const { page, close } = await visit(browser, { theme: 'light', width: 1440 });
    onTestFinished(async () => {
      await close();
      await camera.stop();
      await home.close();
    });
    const headers = { authorization: `Bearer ${camera.session}`, 'content-type': 'application/json' };
    const show = async () => (await camera.request('/api/jots/page', { headers })).json();
    const pictures: string[] = [];
    for (const colour of ['green', 'blue']) {
      const content = `<!doctype html><body style="background:${colour}">`;
      const args = { name: 'page', files: [{ path: 'index.html', content }] };
      const body = JSON.stringify({ tool: 'deploy_jot', args });
      await camera.request('/rest/jots', { method: 'POST', headers, body });
      await expect.poll(async () => (await show()).thumbnail, { timeout: 30_000 }).toBeTruthy();
      pictures.push((await show()).thumbnail);
    }
    await page.goto(camera.portalLink.replace('/#', '/jots/page#'));
    await page.getByRole('button', { name: 'Roll back to version 1' }).click();
    const asked = page.waitForRequest((request) => request.url().endsWith(pictures[0] ?? 'none'));
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await asked;
    await page.locator('.thumbnail img').waitFor();
    expect((await show()).thumbnail).toBe(pictures[0]);
  }, 90_000);

  it('renders a page with its style, module script, data and image, published by one call', async () => {
    const { url, cors, note, warnings } = await tool('deploy_jot', {
      name: 'whole-page',
      files: [
        {
          path: 'index.html',
          content:
            '<!doctype html><link rel="stylesheet" href="style.css"><h1>Not yet</h1><img src="img/a.svg" alt=""><script type="module" src="app.js"></script>',
        },
        { path: 'style.css', content: STYLE },
        { path: 'app.js', content: 'import { show } from "./lib.js"; show(await fetch("data.json"));' },
        {
          path: 'lib.js',
          content:
            'export async function show(answer) { document.querySelector("h1").textContent = (await answer.json()).title; document.body.dataset.tried = "{}"; }',
        },
        { path: 'data.json', content: '{"title":"Rendered by its data"}' },
        { path: 'img/a.svg', content: '<svg xmlns="http://www.w3.org/2000/svg" width="31" height="10"/>' },
      ],
    });
    expect({ cors, note, warnings }).toEqual({
      cors: true,
      note: expect.stringContaining('cors is on'),
      warnings: [],
    });
    const { page, close } = await open(onGateway(url));
    await tried(page);
    expect([await heading(page), await colour(page)]).toEqual(['Rendered by its data', 'rgb(1, 2, 3)']);
    expect(await page.evaluate("document.querySelector('img').naturalWidth")).toBe(31);
    await close();
  });

  it('renders a folder that was uploaded with the example of the answer', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jot-folder-'));
    for (const { path, content } of files) await writeFile(join(folder, path), content);
    const { example } = await tool('deploy_jot', { name: 'folder' });
    const { stdout } = await promisify(exec)(example, { cwd: folder });
    await rm(folder, { recursive: true });
    const { url, cors } = JSON.parse(stdout);
    expect(cors).toBe(true);
    const { page, close } = await open(onGateway(url));
    await tried(page);
    expect([await heading(page), await colour(page)]).toEqual(['Rendered by its script', 'rgb(1, 2, 3)']);
    await close();
  });

  it('renders a deployed page of several files that can do nothing to the portal', async () => {
    const { url, warnings } = await tool('deploy_jot', { name: 'three', files });
    expect(warnings).toEqual([expect.stringContaining('(/api/auth/me, /api/jots)')]);
    // Fills the storage as the portal does.
    const { page, close } = await open(`${gateway.base}/api/integrations/time/logo`);
    await page.evaluate(`localStorage.setItem('svc_token', '${gateway.session}')`);
    await page.goto(onGateway(url));
    expect(await tried(page)).toEqual({
      localStorage: 'SecurityError',
      cookie: 'SecurityError',
      api: 'TypeError',
      keyed: 'TypeError',
      worker: expect.stringMatching(/Error$/),
      parent: 'SecurityError',
    });
    expect([await heading(page), await colour(page)]).toEqual(['Rendered by its script', 'rgb(1, 2, 3)']);
    await close();
  });

  it('loads no files of a page without cors, which works as a single file', async () => {
    const { url } = await tool('deploy_jot', { name: 'closed', cors: false, files });
    const { page, close } = await open(onGateway(url));
    expect(await heading(page)).toBe('Not yet');
    expect(await colour(page)).not.toBe('rgb(1, 2, 3)');
    const inline = `<!doctype html><style>${STYLE}</style><h1>Not yet</h1><script type="module">${SCRIPT}</script>`;
    await tool('update_jot', { name: 'closed', files: [{ path: 'index.html', content: inline }] });
    await page.goto(onGateway(url));
    await tried(page);
    expect([await heading(page), await colour(page)]).toEqual(['Rendered by its script', 'rgb(1, 2, 3)']);
    await close();
  });

  it.each([
    ['the gateway', onGateway],
    ['an origin of its own', (url: string) => url],
  ])('unlocks a locked jot at %s, and locks it again when the password changes', async (_where, at) => {
    const inside = [{ path: 'index.html', content: '<!doctype html><h1>Inside</h1>' }];
    const name = 'locked';
    const { url } = await tool('deploy_jot', { name, access: 'password', password: 'one', files: inside });
    const { page, close } = await open(at(url));
    expect(await heading(page)).toBe('locked is locked');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('Wrong password.').waitFor();
    await page.getByLabel('Password').fill('one');
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Inside' }).waitFor();
    expect(page.url()).toBe(at(url));
    await page.reload();
    expect(await heading(page)).toBe('Inside');

    await tool('update_jot', { name, password: 'two' });
    await page.reload();
    expect(await heading(page)).toBe('locked is locked');
    await page.getByLabel('Password').fill('two');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Inside' }).waitFor();
    await close();
  });

  it('loads no files of a locked page, because its sandbox sends no cookie', async () => {
    const locked = { access: 'password', password: 'p' };
    const { url } = await tool('deploy_jot', { name: 'locked-files', files, ...locked });
    const { page, close } = await open(onGateway(url));
    await page.getByLabel('Password').fill('p');
    const refused = page.waitForResponse((response) => response.url().endsWith('/style.css'));
    await page.getByRole('button', { name: 'Open' }).click();
    expect((await refused).status()).toBe(401);
    await page.waitForLoadState('load');
    expect(await heading(page)).toBe('Not yet');
    expect(await colour(page)).not.toBe('rgb(1, 2, 3)');
    await close();
  });

  it.each([
    ['a removed jot on the gateway', () => `${gateway.base}/j/gone/`],
    ['a file that no jot has', () => `${gateway.base}/j/kept/none.html`],
    ['the origin of jots', () => `http://127.0.0.1:${gateway.port}/j/gone/`],
  ])('shows an accessible page for %s', async (where, address) => {
    const only = [{ path: 'index.html', content: '<h1>Here</h1>' }];
    for (const name of ['gone', 'kept']) await tool('deploy_jot', { name, files: only });
    await tool('delete_jot', { name: 'gone' });
    const window = await visit(browser, { theme: 'light', width: 1280 });
    expect((await window.page.goto(address()))?.status()).toBe(404);
    expect(await heading(window.page)).toBe('Page not found');
    await window.page.getByText('Ask the person who sent it to you for a new link.').waitFor();
    await expectSoundInEveryLook(window.page, `jot-missing-${where.replaceAll(' ', '-')}`);
    await window.close();
  });

  it('shows a page of several files without cors, public or locked, when JOTS_ORIGIN is set', async () => {
    const settings = [{ cors: false }, { access: 'password', password: 'p' }];
    for (const setting of settings) {
      const { url, warnings } = await tool('deploy_jot', { name: 'whole', files, ...setting });
      expect(warnings).toEqual([expect.stringContaining('(/api/auth/me, /api/jots)')]);
      const { page, close } = await open(url);
      if ('password' in setting) {
        await page.getByLabel('Password').fill('p');
        await page.getByRole('button', { name: 'Open' }).click();
      }
      const outcome = await tried(page);
      expect([await heading(page), await colour(page)]).toEqual(['Rendered by its script', 'rgb(1, 2, 3)']);
      // The storage of its own origin is empty, and it cannot call the gateway.
      expect(outcome).toMatchObject({
        localStorage: 'did: null',
        cookie: 'did: ',
        api: 'did: 404',
        keyed: 'did: 404',
      });
      expect(outcome['worker']).toMatch(/Error$/);
      await close();
    }
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('shows an accessible unlock page, %s at %i', async (theme, width) => {
    const { url } = await tool('deploy_jot', {
      name: 'a-report-with-a-very-long-name-that-does-not-fit-on-a-phone',
      access: 'password',
      password: 'p',
      files: [{ path: 'index.html', content: 'x' }],
    });
    const window = await visit(browser, { theme, width });
    const { page, complaints } = window;
    await page.goto(onGateway(url));
    expect(await axeViolations(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    expect(complaints).toEqual([]);
    await photograph(page, `unlock-${theme}-${width}`);
    await window.close();
  });
});
