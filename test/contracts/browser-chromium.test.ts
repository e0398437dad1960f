// Runs the browser contract on a real Chromium, and tests its processes, ports, locks and profiles.
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createEgressProxy } from '../../adapters/node/live-view/egress-proxy.ts';
import { type ChromiumOptions, createChromium } from '../../drivers/browser/chromium.ts';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import { createGuard } from '../../src/egress/guard.ts';
import { type Browser, FIRST_PROFILE } from '../../src/ports/browser.ts';
import { browserHead, browserProcesses, environmentOf, listens } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { startHttpServer } from '../support/http-server.ts';
import { browserContract } from './browser-contract.ts';

const ENDS_AT_ONCE = `#!/bin/sh
[ "$1" = --version ] && echo Chromium 1.2.3.4 && exit
echo "No usable sandbox!" >&2
exit 1
`;
/** A program that responds to the first commands on its debugging pipe and then exits. */
const ENDS_WITHOUT_A_PAGE = `#!/usr/bin/env node
const { createReadStream, writeSync } = require('node:fs');
if (process.argv[2] === '--version') console.log('Chromium 1.2.3.4');
else
  createReadStream(null, { fd: 3 }).on('data', (asked) => {
    for (const one of String(asked).split('\\0').slice(0, -1)) {
      const { id, method } = JSON.parse(one);
      writeSync(4, JSON.stringify({ id, result: {} }) + '\\0');
      if (method === 'Target.setAutoAttach') process.exit(1);
    }
  });
`;

/** Options of `expect.poll` for a slow browser on a loaded machine. */
const PATIENT = { timeout: 10_000 };

const guard = createGuard({
  config: { EGRESS_ALLOW: [], UPSTREAM_MAP: [], loopback: true },
  network: createUndiciNetwork(),
});

function openIn(folder: string, more: Partial<ChromiumOptions> = {}) {
  const proxy = createEgressProxy(guard);
  const browser = createChromium({
    folder,
    path: process.env['CHROMIUM_PATH'],
    sandbox: true,
    environment: { PATH: process.env['PATH'] ?? '' },
    proxy: () => proxy.address(),
    ...more,
  });
  return {
    browser,
    async close() {
      await browser.close();
      proxy.close();
    },
  };
}

async function openAt(more: Partial<ChromiumOptions> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'browsers-'));
  const { browser, close } = openIn(folder, more);
  return {
    folder,
    browser,
    async close() {
      await close();
      // A browser may still write for a moment after its gateway was killed.
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

describeInChromium('the browser port on Chromium', () => browserContract(openAt));

describeInChromium('a driven Chromium', () => {
  let opened: Awaited<ReturnType<typeof openAt>>;
  let browser: Browser;
  const reopen = async (more: Partial<ChromiumOptions> = {}) => {
    await opened?.close();
    opened = await openAt(more);
    browser = opened.browser;
  };
  beforeEach(() => reopen());
  afterEach(() => opened.close());
  /** Opens the same folder as another process of the gateway does. */
  const openOther = () => openIn(opened.folder);
  const processes = () => browserProcesses(opened.folder);
  // Chromium's helper processes end a moment after the browser.
  const nothingLeft = () => expect.poll(processes, PATIENT).toEqual([]);

  it('listens on no port and does not inherit the gateway’s environment', async () => {
    process.env['GATEWAY_SECRET_OF_TESTS'] = 'x';
    await browser.open('ana', FIRST_PROFILE);
    delete process.env['GATEWAY_SECRET_OF_TESTS'];
    expect(processes().length).toBeGreaterThan(2);
    expect(listens(processes())).toBe(false);
    expect(environmentOf(browserHead(opened.folder))).not.toContain('GATEWAY_SECRET_OF_TESTS');
  });

  it.each(['127.0.0.1', 'localhost'])(
    'reports a lost focus only when the page or the frame of the field navigates (%s)',
    // On a loaded machine Chromium sometimes gives a frame of another site no focus.
    { retry: 2 },
    async (host) => {
      const site = await startHttpServer();
      const frame = `http://${host}:${site.port}`;
      let go = Promise.withResolvers<void>();
      const pages: Record<string, string> = {
        '/beside': `<input><script>
          document.querySelector('input').focus();
          fetch('/go').then(() => {
            const frame = document.createElement('iframe');
            frame.src = '${frame}/empty';
            frame.onload = () => location.hash = 'framed';
            document.body.append(frame);
          });
        </script>`,
        '/around': `<iframe src="${frame}/within"></iframe>`,
        '/within': `<input><script>
          document.querySelector('input').focus();
          fetch('/go').then(() => location.href = '/empty');
        </script>`,
      };
      site.answer(({ url = '' }, response) => {
        response.setHeader('Content-Type', 'text/html');
        if (url === '/go') void go.promise.then(() => response.end());
        else response.end(pages[url]);
      });
      const session = await browser.open('ana', FIRST_PROFILE);
      const fields: unknown[] = [];
      const said: string[] = [];
      const channel = await session.openChannel((message) => {
        said.push(Buffer.from(message).toString());
        const { method, params } = JSON.parse(said.at(-1) ?? '');
        if (method === 'LiveView.focus') fields.push(params.field?.tag ?? null);
      });
      await session.navigate(`http://127.0.0.1:${site.port}/beside`);
      await expect.poll(() => fields, PATIENT).toEqual(['input']);
      go.resolve();
      await expect.poll(() => said.some((text) => text.includes('/beside#framed')), PATIENT).toBe(true);
      channel.send({ id: 1, method: 'Page.getLayoutMetrics', params: {} });
      await expect.poll(() => said.some((text) => text.startsWith('{"id":1,')), PATIENT).toBe(true);
      expect(fields).toEqual(['input']);

      go = Promise.withResolvers();
      await session.navigate(`http://127.0.0.1:${site.port}/around`);
      await expect.poll(() => fields, PATIENT).toEqual(['input', null, 'input']);
      go.resolve();
      await expect.poll(() => fields, PATIENT).toEqual(['input', null, 'input', null]);
      await site.close();
    },
  );

  it('navigates again when an empty page replaces the navigation', async () => {
    const site = await startHttpServer();
    const asked = Promise.withResolvers<void>();
    let times = 0;
    site.answer((_, response) => {
      // The site never responds to the first request.
      if (++times === 1) asked.resolve();
      else response.end('there');
    });
    const session = await browser.open('ana', FIRST_PROFILE);
    const said: string[] = [];
    const channel = await session.openChannel((message) => said.push(Buffer.from(message).toString()));
    const gone = session.navigate(`http://127.0.0.1:${site.port}/login`);
    await asked.promise;
    channel.send({ id: 1, method: 'Page.navigate', params: { url: 'about:blank' } });
    await gone;
    expect(times).toBe(2);
    await expect.poll(() => said.some((text) => text.includes('/login')), PATIENT).toBe(true);
    await site.close();
  });

  it('refuses to store 300 MB for a site, because the limit is 256 MiB', async () => {
    const page = `<script>
      const keep = async (size) => {
        const folder = await navigator.storage.getDirectory();
        const file = await (await folder.getFileHandle('kept', { create: true })).createWritable();
        await file.truncate(size);
        await file.close();
        return 'kept';
      };
      const told = (size) => keep(size).catch(({ name }) => name);
      told(1e6).then(async (small) => fetch('/' + small + '/' + await told(3e8)));
    </script>`;
    const told = Promise.withResolvers<string>();
    const site = await startHttpServer(({ url = '' }, response) => {
      if (url.startsWith('/kept/')) told.resolve(url);
      response.setHeader('Content-Type', 'text/html');
      response.end(url === '/site' ? page : '');
    });
    await (await browser.open('ana', FIRST_PROFILE)).navigate(`http://127.0.0.1:${site.port}/site`);
    expect(await told.promise).toBe('/kept/QuotaExceededError');
    await site.close();
  });

  it('leaves no process and no lock after it is closed', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    await session.close();
    await nothingLeft();
    const [profile = ''] = await readdir(opened.folder);
    expect(
      (await readdir(join(opened.folder, profile))).filter((name) => name.startsWith('Singleton')),
    ).toEqual([]);
  });

  it.each(['SIGKILL', 'SIGSEGV', 'SIGTERM'] as const)(
    'leaves no process after %s and starts again',
    async (signal) => {
      const session = await browser.open('ana', FIRST_PROFILE);
      const pids = processes();
      process.kill(browserHead(opened.folder), signal);
      await session.closed;
      expect(browser.status('ana')).toBe('off');
      await expect.poll(() => pids.filter((pid) => processes().includes(pid)), PATIENT).toEqual([]);
      await expect(session.cookies()).rejects.toThrow(/ended/);
      expect(await (await browser.open('ana', FIRST_PROFILE)).cookies()).toEqual([]);
    },
  );

  it('ignores the profile lock of a dead browser or of another machine', async () => {
    await (await browser.open('ana', FIRST_PROFILE)).close();
    const [profile = ''] = await readdir(opened.folder);
    for (const holder of ['another-machine-17', `${hostname()}-${process.pid}`]) {
      await symlink(holder, join(opened.folder, profile, 'SingletonLock'));
      await (await browser.open('ana', FIRST_PROFILE)).close();
    }
  });

  it('keeps the first profile where version 0.1 has it, and the others inside it under hashes', async () => {
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
    await browser.open('ana', FIRST_PROFILE);
    await browser.open('ana', '../jar work');
    expect(await readdir(opened.folder)).toEqual([hashOf('ana')]);
    const others = join(opened.folder, hashOf('ana'), 'accounts');
    expect(await readdir(others)).toEqual([hashOf('../jar work')]);
    for (const folder of [others, join(others, hashOf('../jar work'))])
      expect((await stat(folder)).mode & 0o077).toBe(0);
  });

  it('does not take the browser of another profile for the holder of a lock', async () => {
    const elsewhere = openOther();
    await elsewhere.browser.open('ana', 'jar work');
    const [profile = ''] = await readdir(opened.folder);
    const holder = `${hostname()}-${browserHead(opened.folder)}`;
    await symlink(holder, join(opened.folder, profile, 'SingletonLock'));
    expect((await browser.open('ana', FIRST_PROFILE)).profile).toBe(FIRST_PROFILE);
    await elsewhere.close();
  });

  it('refuses a profile that another process of the gateway uses', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const elsewhere = openOther();
    await expect(elsewhere.browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/Another process/);
    expect(await session.cookies()).toEqual([]);
    await elsewhere.close();
  });

  it('closes an idle browser', async () => {
    await reopen({ idleMs: 200 });
    const session = await browser.open('ana', FIRST_PROFILE);
    await session.closed;
    await nothingLeft();
  });

  it('limits the number of browsers on the machine', async () => {
    await reopen({ most: 1 });
    await browser.open('ana', FIRST_PROFILE);
    await expect(browser.open('bea', FIRST_PROFILE)).rejects.toThrow(/All 1 browsers/);
    void (await browser.open('ana', FIRST_PROFILE)).close();
    // A browser that is closing still counts toward the limit, and only its owner can have the place.
    await expect(browser.open('bea', FIRST_PROFILE)).rejects.toThrow(/All 1 browsers/);
    await (await browser.open('ana', FIRST_PROFILE)).close();
    await browser.open('bea', FIRST_PROFILE);
  });

  it('limits one person to 20 pages', async () => {
    const session = await browser.open('ana', FIRST_PROFILE);
    const answers = new Map<number, { targetInfos: unknown[] }>();
    const channel = await session.openChannel((message) => {
      const { id, result } = JSON.parse(Buffer.from(message).toString());
      if (id !== undefined) answers.set(id, result);
    });
    const params = { url: 'about:blank' };
    for (let id = 1; id <= 22; id++) channel.send({ id, method: 'Target.createTarget', params });
    await expect.poll(() => answers.size, { timeout: 50_000 }).toBe(22);
    channel.send({ id: 23, method: 'Target.getTargets', params: {} });
    await expect.poll(() => answers.get(23)?.targetInfos.length, PATIENT).toBe(20);
  }, 70_000);

  it('names the searched path when no browser is installed', async () => {
    await reopen({ path: '/nowhere/chromium' });
    const failed = browser.open('ana', FIRST_PROFILE);
    await expect(failed).rejects.toThrow(/No browser was found at \/nowhere\/chromium\. Install Chromium/);
    await expect(failed).rejects.toMatchObject({ name: 'BrowserStartFailed' });
    expect(browser.status('ana')).toBe('off');
  });

  it.each([
    ['is not Chromium', '#!/bin/sh\necho hello\n', /is not Chromium/],
    ['does not run', '#!/bin/sh\nexit 3\n', /does not run/],
    ['ends at once', ENDS_AT_ONCE, /ended at once.*sandbox.*No usable sandbox!/s],
    ['ends before it has a page', ENDS_WITHOUT_A_PAGE, /ended at once/],
  ])('explains a start failure when the program %s', async (_, script, message) => {
    const path = join(opened.folder, 'chromium');
    await writeFile(path, script, { mode: 0o755 });
    const own = opened;
    opened = await openAt({ path });
    await expect(opened.browser.open('ana', FIRST_PROFILE)).rejects.toThrow(message);
    expect(opened.browser.status('ana')).toBe('off');
    await own.close();
  });

  it('checks the program again after a failed start', async () => {
    const path = join(opened.folder, 'chromium');
    await writeFile(path, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const other = await openAt({ path });
    await expect(other.browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/does not run/);
    await writeFile(path, '#!/bin/sh\necho hello\n');
    await expect(other.browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/is not Chromium/);
    await other.close();
  });

  it('resets and closes while a start is failing', async () => {
    await reopen({ path: '/nowhere/chromium' });
    for (const end of [() => browser.reset('ana'), () => browser.close()]) {
      const failed = expect(browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/No browser was found/);
      await end();
      await failed;
    }
  });

  it('waits for a reset to wipe the profile before the next start', async () => {
    await (await browser.open('ana', FIRST_PROFILE)).close();
    const [profile = ''] = await readdir(opened.folder);
    const old = join(opened.folder, profile, 'old');
    await mkdir(old);
    await Promise.all(Array.from({ length: 3_000 }, (_, n) => writeFile(join(old, `${n}`), '')));
    await Promise.all([browser.reset('ana'), browser.open('ana', FIRST_PROFILE)]);
    const kept = await readdir(join(opened.folder, profile));
    expect(kept).toEqual(expect.arrayContaining(['Default', 'SingletonLock', 'programs']));
    expect(kept).not.toContain('old');
  });

  it('keeps the profile unreadable for other users of the machine', async () => {
    await (await browser.open('ana', FIRST_PROFILE)).cookies();
    const [profile = ''] = await readdir(opened.folder);
    const kept = ['Default', 'Default/Preferences', 'Default/Cookies'];
    // Chromium responds before it has written every file, and writes no more after it is closed.
    await expect
      .poll(() => readdir(join(opened.folder, profile), { recursive: true }), PATIENT)
      .toEqual(expect.arrayContaining(kept));
    for (const name of ['', ...kept])
      expect((await stat(join(opened.folder, profile, name))).mode & 0o077, name).toBe(0);
  });

  it('removes the socket of a dead browser and nothing beside it', async () => {
    const programs = await mkdtemp(join(tmpdir(), 'programs-'));
    const path = join(programs, 'chromium');
    await writeFile(path, ENDS_AT_ONCE, { mode: 0o755 });
    await reopen({ path });
    const start = () => expect(browser.open('ana', FIRST_PROFILE)).rejects.toThrow(/ended at once/);
    await start();
    const [profile = ''] = await readdir(opened.folder);
    for (const name of ['org.chromium.Chromium.abc', 'other']) {
      await mkdir(join(programs, name));
      await symlink(join(programs, name, 'SingletonSocket'), join(opened.folder, profile, 'SingletonSocket'));
      await start();
    }
    expect((await readdir(programs)).toSorted()).toEqual(['chromium', 'other']);
    await rm(programs, { recursive: true });
  });
});
