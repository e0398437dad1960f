// Tests two small calls with very large answers at once in a process with little memory: both are answered, and the
// process survives. decision: 011, 032
import { expect, it } from 'vitest';
import { TOO_MUCH } from '../../src/calls/pool.ts';
import { openSite } from '../support/gateway-process.ts';
import { askManyTimes, pathOf, publishLargeJot, readStored } from '../support/large-jot.ts';

it('answers two calls of 3 KB at once whose answers would be 114 MB each', { timeout: 300_000 }, async () => {
  const site = await openSite();
  try {
    const gateway = await site.start({ env: { NODE_OPTIONS: '--max-old-space-size=512' } });
    const key = { 'x-service-api-key': gateway.apiKey };
    const target = { request: (path: string, init?: RequestInit) => gateway.request(path, init) };
    await publishLargeJot(target, { ...key });
    const texts = await Promise.all([askManyTimes(target, key), askManyTimes(target, key)]);
    for (const text of texts) {
      expect(text).toMatch(/\[Truncated: \d{8,} characters in total, the first 60000 are shown/);
      const { value } = await readStored(target, key, text, '/results');
      for (const index of value.keys())
        expect(await readStored(target, key, text, `/results/${index}/result/files/7/path`)).toMatchObject({
          value: pathOf(7),
        });
    }
    const batch = await gateway.request('/rest/jots', {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({
        executions: Array.from({ length: 60 }, () => ({ tool: 'get_jot', args: { name: 'large' } })),
      }),
    });
    const { results } = await batch.json();
    expect(results).toHaveLength(60);
    expect(results[0].result.files[7].path).toBe(pathOf(7));
    expect(results[59]).toEqual({ error: TOO_MUCH, integration: 'jots' });
    expect((await gateway.request('/')).status).toBeLessThan(500);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  } finally {
    await site.close();
  }
});
