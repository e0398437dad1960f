// Tests descriptions that are small to write and large to parse, in a process with little memory: the process survives.
import { expect, it } from 'vitest';
import { openSite } from '../support/gateway-process.ts';
import { startHttpServer } from '../support/http-server.ts';

const ENV = { NODE_OPTIONS: '--max-old-space-size=512' };

it.each([
  ['YAML in one line', `openapi: 3.0.0\nx: [${'{a},'.repeat(3_900_000)}]\n`],
  ['YAML in lines', `openapi: 3.0.0\nx:\n${'- a\n'.repeat(3_900_000)}`],
  ['JSON', `{"openapi":"3.0.0","x":[${'{},'.repeat(5_200_000)}{}]}`],
])('refuses a hostile description and goes on: %s', { timeout: 120_000 }, async (_, document) => {
  const site = await openSite();
  try {
    const gateway = await site.start({ env: ENV });
    const send = (path: string, body: object) =>
      gateway.request(path, {
        method: 'POST',
        headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const four = Array.from({ length: 4 }, () => send('/api/imports/preview', { document }));
    for (const response of await Promise.all(four)) expect(response.status).toBe(413);
    expect((await send('/rest/time', { tool: 'time_now' })).status).toBe(200);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  } finally {
    await site.close();
  }
});

it('refuses a description that has grown since its import, and goes on', { timeout: 120_000 }, async () => {
  let description = '{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}';
  const service = await startHttpServer((_, response) => void response.end(description));
  const site = await openSite();
  try {
    const gateway = await site.start({ env: ENV });
    const send = async (path: string, body: object) => {
      const response = await gateway.request(path, {
        method: 'POST',
        headers: { 'x-service-api-key': gateway.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    };
    const form = { address: `http://127.0.0.1:${service.port}/openapi.json`, name: 'acme' };
    expect((await send('/api/imports', form)).status).toBe(201);
    description = `openapi: 3.0.0\nx: [${'{a},'.repeat(3_900_000)}]\n`;
    expect(await send('/api/imports/acme/check', {})).toEqual({
      status: 413,
      body: { error: expect.stringContaining('takes more memory than one call may use') },
    });
    expect((await send('/rest/time', { tool: 'time_now' })).status).toBe(200);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  } finally {
    await site.close();
    await service.close();
  }
});
