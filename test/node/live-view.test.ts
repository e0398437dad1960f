// Tests the live view of the real program: stopped, killed, and started again on the same folder. decision: 010, 050
import { afterEach, beforeEach, expect, it } from 'vitest';
import { browserHead, browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';
import { createViewer, type Stream, type Viewer } from '../support/live-viewer.ts';

describeInChromium('the live view of the program', () => {
  let site: Site;
  let gateway: Gateway & Banner;
  let viewer: Viewer;
  let stream: Stream;

  async function start(): Promise<void> {
    gateway = await site.start();
    viewer = createViewer(
      { base: gateway.base, origin: gateway.base },
      { sessionHeader: { authorization: `Bearer ${gateway.session}` } },
    );
    stream = await viewer.open();
  }
  beforeEach(async () => {
    site = await openSite();
    await start();
  });
  afterEach(() => site.close());

  const processes = () => browserProcesses(site.dataDir);
  const begin = () => viewer.post('commands', { id: 1, method: 'Page.enable' });
  const drive = () => viewer.ask(stream, 'Page.getLayoutMetrics');
  const nothingLeft = () => expect.poll(processes).toEqual([]);

  it('tells the viewer to close when the gateway stops, and ends every browser first', async () => {
    await drive();
    expect(processes().length).toBeGreaterThan(2);
    const exit = await gateway.stop();
    expect(await stream.closed).toBe('stopped');
    expect(exit).toEqual({ code: 0, signal: null });
    await nothingLeft();
  });

  it('ends a browser that is still starting', async () => {
    const beginning = begin().catch(() => null);
    await expect.poll(processes, { interval: 1 }).not.toEqual([]);
    expect((await gateway.stop()).code).toBe(0);
    await beginning;
    await nothingLeft();
  });

  it.each(['while it runs', 'while it starts'])(
    'leaves no browser behind when the gateway dies %s',
    async (moment) => {
      if (moment === 'while it runs') await drive();
      else {
        void begin().catch(() => {});
        await expect.poll(processes, { interval: 1 }).not.toEqual([]);
      }
      gateway.signal('SIGKILL', 'group');
      expect(await stream.closed).toBeNull();
      await nothingLeft();
      await start();
      expect((await drive()).result).toBeDefined();
    },
  );

  it('reports that a browser was killed, and starts another one on a new attach', async () => {
    await drive();
    const pids = processes();
    process.kill(browserHead(site.dataDir), 'SIGKILL');
    expect(await stream.closed).toBe('browser-ended');
    await expect.poll(() => processes().filter((pid) => pids.includes(pid))).toEqual([]);
    expect((await begin()).status).toBe(400);
    stream = await viewer.open();
    expect((await drive()).result).toBeDefined();
  });

  it('lets a disconnected viewer attach again to the same browser', async () => {
    await drive();
    const head = browserHead(site.dataDir);
    stream.drop();
    await expect.poll(async () => (await begin()).status, { timeout: 10_000 }).toBe(400);
    stream = await viewer.open();
    expect((await drive()).result).toBeDefined();
    expect(browserHead(site.dataDir)).toBe(head);
  });
});
