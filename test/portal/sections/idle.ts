// Tests how little a page costs that nobody touches: requests and bytes of a minute, by the clock of the page.
import { describe, expect, it } from 'vitest';
import { callTool } from '../gateway-calls.ts';
import { signIn, type Subject } from './subject.ts';

const PAGES = [
  '/overview',
  '/integrations',
  '/integrations/time',
  '/tools',
  '/approvals',
  '/activity',
  '/activity?range=7d&success=false',
  '/agents',
  '/clients',
  '/jots',
  '/settings',
];
const MAX_BYTES = 2_000;

export function itCostsLittleWhenIdle(subject: Subject): void {
  describe('A page that nobody touches', () => {
    it('costs less than 2 kB a minute, and nothing while nobody sees it', async () => {
      for (let calls = 0; calls < 3; calls++) await callTool(subject, 'time_now', { integration: 'time' });
      const { page, close } = await signIn(subject);
      const start = new Date();
      await page.clock.install({ time: start });
      const network = await page.context().newCDPSession(page);
      await network.send('Network.enable');
      const open = new Set<string>();
      let bytes = 0;
      let asked = 0;
      network.on('Network.requestWillBeSent', ({ requestId }) => {
        open.add(requestId);
        asked += 1;
      });
      network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
        open.delete(requestId);
        bytes += encodedDataLength;
      });
      network.on('Network.loadingFailed', ({ requestId }) => open.delete(requestId));
      async function minute(): Promise<void> {
        for (let step = 0; step < 12; step++) {
          await page.clock.runFor(5_000);
          await expect.poll(() => open.size).toBe(0);
        }
      }
      const costs: Record<string, { bytes: number; asked: number }> = {};
      for (const path of PAGES) {
        await page.goto(subject.gateway().base + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // Nobody touches the page for two minutes, and the next one counts.
        await minute();
        await minute();
        bytes = 0;
        asked = 0;
        await minute();
        costs[path] = { bytes, asked };
      }
      expect(Object.entries(costs).filter(([, cost]) => cost.bytes >= MAX_BYTES)).toEqual([]);
      await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
      await minute();
      asked = 0;
      await minute();
      expect(asked).toBe(0);
      await close();
    });
  });
}
