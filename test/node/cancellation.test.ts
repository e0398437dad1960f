// Tests a caller that hangs up, over a real socket: its upstream read is cancelled, and the audit row is
// written.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { openSite } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';

it('cancels the upstream call of a read when the caller cancels', async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const upstream = await startHttpServer((_, response) => arrived.resolve(response));
  const site = await openSite();
  try {
    const gateway = await site.start();
    const key = { 'x-service-api-key': gateway.apiKey };
    const caller = new AbortController();
    const asking = gateway.request('/rest/web', {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ tool: 'web_fetch', url: `http://127.0.0.1:${upstream.port}/` }),
      signal: caller.signal,
    });
    const hungUp = expect(asking).rejects.toThrow();
    const ended = once(await arrived.promise, 'close');
    caller.abort();
    await ended;
    await hungUp;
    const audited = async () =>
      (await (await gateway.request('/api/audit', { headers: key })).json()).entries;
    await expect.poll(audited).toMatchObject([{ tool: 'web_fetch', error: 'Cancelled by the caller' }]);
  } finally {
    await site.close();
    await upstream.close();
  }
});
