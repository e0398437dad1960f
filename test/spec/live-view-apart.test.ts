// Tests ten people at once, each in their own browser. reference: Live view
import { expect, it } from 'vitest';
import { browserProcesses } from '../support/browser-processes.ts';
import { describeInChromium } from '../support/chromium.ts';
import { startHttpServer } from '../support/http-server.ts';
import { createViewer, openLiveGateway } from '../support/live-viewer.ts';

describeInChromium('ten people at once', () => {
  it('keeps the browsers of two people apart', async () => {
    const seen = new Map<string, string | undefined>();
    const site = await startHttpServer(({ url = '', headers }, response) => {
      const [, place = '', who = ''] = url.split('/');
      if (place === 'in') response.setHeader('Set-Cookie', `who=${who}; Path=/`);
      if (place === 'again') seen.set(who, headers.cookie);
      response.end();
    });
    const gateway = await openLiveGateway();
    const names = Array.from({ length: 10 }, (_, index) => `person${index}`);
    const streams = await Promise.all(
      names.map(async (name) => {
        const viewer = createViewer(gateway, await gateway.app.user(`${name}@example.com`));
        const stream = await viewer.open();
        const go = (url: string) => viewer.ask(stream, 'Page.navigate', { url });
        await go(`http://127.0.0.1:${site.port}/in/${name}`);
        await go(`http://127.0.0.1:${site.port}/again/${name}`);
        return stream;
      }),
    );
    expect(Object.fromEntries(seen)).toEqual(Object.fromEntries(names.map((name) => [name, `who=${name}`])));
    for (const [index, stream] of streams.entries()) {
      const heard = JSON.stringify(stream.said);
      expect(names.filter((name) => heard.includes(name))).toEqual([names[index]]);
    }
    const { folder } = gateway.app;
    expect(browserProcesses(folder).length).toBeGreaterThan(20);
    await gateway.close();
    for (const stream of streams) expect(await stream.closed).toBe('stopped');
    await expect.poll(() => browserProcesses(folder), { timeout: 10_000 }).toEqual([]);
    await site.close();
  }, 180_000);
});
