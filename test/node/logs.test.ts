// Tests what the gateway logs about requests, and what it never logs. reference: Health and metrics; Portal files
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Banner, type Gateway, openSite, type Site } from '../support/gateway-process.ts';

const BAD_KEY = 'deadbeef'.repeat(8);
const BAD_TOKEN = 'bad-token-5f1c';
const QUERY = 'query-secret-9a7e';
const TICKET = 'path-secret-77d2';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

let site: Site;
let gateway: Gateway & Banner;
let metrics: string;
let lines: Record<string, unknown>[];

/** Sends valid and invalid credentials to existing and missing paths. */
async function useSecrets(): Promise<void> {
  const { apiKey, session } = gateway;
  const credentials: Record<string, string>[] = [
    { 'x-service-api-key': apiKey },
    { 'x-service-api-key': BAD_KEY },
    { 'x-service-api-key': `${apiKey}0` },
    { authorization: `Bearer ${session}` },
    { authorization: `Bearer ${session}x` },
    { authorization: `Bearer ${BAD_TOKEN}` },
    { authorization: `Basic ${btoa(`${BAD_TOKEN}:${apiKey}`)}` },
    { authorization: apiKey, cookie: `svc_oauth_binding=${BAD_TOKEN}` },
  ];
  const requests = [
    ['GET', '/api/auth/me'],
    ['GET', `/api/keys/reveal?token=${QUERY}`],
    ['GET', `/api/audit?cursor=${QUERY}`],
    ['GET', `/rest?key=${QUERY}`],
    ['GET', `/api/${TICKET}?state=${QUERY}`],
    ['GET', `/assets/${TICKET}`],
    ['POST', `/${TICKET}/%ff?code=${QUERY}`, '{}'],
    ['POST', `/rest/${TICKET}`, '{}'],
    ['POST', '/mcp', LIST],
    ['POST', '/mcp', `{"broken ${QUERY}`],
    ['PATCH', `/api/${TICKET}`],
  ] as const;
  for (const headers of credentials) {
    for (const [method, path, body] of requests) {
      const init = body === undefined ? {} : { body };
      await gateway.request(path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...init,
      });
    }
  }
}

beforeAll(async () => {
  site = await openSite();
  gateway = await site.start();
  await useSecrets();
  metrics = await (await gateway.request('/metrics')).text();
  await gateway.stop();
  const [banner = ''] = /^[\s\S]*?API key.*\n\n/.exec(gateway.output.stdout) ?? [];
  const log = gateway.output.stdout.slice(banner.length);
  lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
});
afterAll(() => site.close());

describe('the log', () => {
  it('is one JSON object per line after the banner', () => {
    expect(lines.at(0)).toMatchObject({ event: 'listening' });
    expect(lines.at(-1)).toMatchObject({ event: 'stopped' });
    for (const line of lines) {
      expect(line).toMatchObject({ time: expect.any(String), level: expect.any(String) });
    }
  });

  it('has a line for each request, with its id, method, route pattern and status', () => {
    const requests = lines.filter(({ event }) => event === 'request');
    expect(requests).toHaveLength(88);
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(88);
    for (const { method, route, status } of requests) {
      expect(method).toMatch(/^(GET|POST|PATCH)$/);
      expect(route).toMatch(/^(unmatched|\/[\w/:{}.*-]*)$/);
      expect(status).toBeGreaterThanOrEqual(200);
    }
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'POST', route: '/rest/:integration', status: 401 }),
    );
  });

  it('contains no credential, no query and no path as it was sent', () => {
    const said = gateway.output.stdout.replace(gateway.portalLink, '').replace(gateway.apiKey, '');
    const { apiKey, session } = gateway;
    for (const secret of [apiKey, session, BAD_KEY, BAD_TOKEN, QUERY, TICKET, 'Bearer', 'Basic']) {
      expect(said + gateway.output.stderr).not.toContain(secret);
    }
    // Even the signature alone would identify the session.
    expect(said).not.toContain(session.split('.')[2]);
  });

  it('writes nothing to stderr about requests', () => {
    expect(gateway.output.stderr).toBe('');
  });
});

describe('/metrics', () => {
  it('counts requests by route pattern, and everything unmatched under one label', () => {
    const routes = [...metrics.matchAll(/service_http_requests_total\{[^}]*route="([^"]*)"/g)].map(
      ([, route]) => route,
    );
    expect(routes).toEqual(expect.arrayContaining(['/mcp', '/rest/:integration', 'unmatched']));
    expect(metrics).not.toMatch(/path-secret|query-secret|\?/);
    const series = [...metrics.matchAll(/^service_http_requests_total\{.*unmatched.*$/gm)];
    expect(
      new Set(series.map(([line]) => /method="(\w+)".*status="(\d+)"/.exec(line)?.slice(1).join())).size,
    ).toBe(series.length);
  });
});

describe('a log that cannot be written', () => {
  // Linux' /dev/full stands for a full disk.
  it.runIf(process.platform === 'linux')('is lost, and the gateway continues', async () => {
    const command = ['sh', '-c', 'exec node adapters/node/launch.mjs adapters/node/main.ts >/dev/full'];
    const unheard = await site.spawn({ command, env: { DATA_DIR: `${site.dataDir}-unheard` } });
    await vi.waitFor(() => unheard.request('/metrics'), { timeout: 20_000 });
    for (let count = 0; count < 3; count++) expect((await unheard.request('/api/auth/me')).status).toBe(401);
    expect(unheard.hasProcesses()).toBe(true);
    expect(unheard.output.stderr).toBe('');
  });
});
