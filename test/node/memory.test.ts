// Tests many large responses at once in a process with little memory: they wait for each other, and the
// process survives.
import { expect, it } from 'vitest';
import { openSite } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';

// Values take twenty times as much memory as their text, so each response takes an eighth of the process's
// memory.
const LARGE = `[${'{},'.repeat(499_000)}{}]`;
const AT_ONCE = 16;

it(
  'answers a small call while many large ones are under way, and after them',
  { timeout: 120_000 },
  async () => {
    const upstream = await startHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(LARGE);
    });
    const site = await openSite();
    try {
      const gateway = await site.start({
        env: {
          NODE_OPTIONS: '--max-old-space-size=256',
          UPSTREAM_MAP: `https://api.osv.dev=http://127.0.0.1:${upstream.port}`,
        },
      });
      const call = async (path: string, body: object) => {
        const response = await gateway.request(path, {
          method: 'POST',
          headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        await response.arrayBuffer();
        return response.status;
      };
      const small = () => call('/rest/time', { tool: 'time_now' });
      const large = () => call('/rest/osv', { tool: 'osv_get_vulnerability', args: { id: 'large' } });
      const answers = Array.from({ length: AT_ONCE }, large);
      expect(await small()).toBe(200);
      // A call that waits longer than an upstream may take gets an error that says so.
      for (const status of await Promise.all(answers)) expect([200, 502]).toContain(status);
      expect(await small()).toBe(200);
      expect(await large()).toBe(200);
    } finally {
      await site.close();
      await upstream.close();
    }
  },
);
