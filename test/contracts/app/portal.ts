// Tests the portal's API.
// reference: Portal sign-in; API keys; Portal API; OpenAPI; Health and metrics; Portal files
import { expect, it } from 'vitest';
import type { Subject } from '../app-contract.ts';

export function portalSentences(at: () => Subject): void {
  async function ask(path: string, method = 'GET', headers = at().ana.session) {
    const response = await at().gateway.request(path, { method, headers });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  it('names the signed-in person and refuses requests without proof', async () => {
    expect((await ask('/api/auth/providers', 'GET', {})).body).toEqual({ providers: ['hosted'] });
    expect((await ask('/api/auth/me')).body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ana@example.com',
    });
    for (const path of ['/api/auth/me', '/api/keys', '/api/connections', '/api/audit', '/api/jots'])
      expect(await ask(path, 'GET', {})).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
  });

  it('creates, reveals, rotates and deletes an API key', async () => {
    const { gateway, world } = at();
    const bo = await world.person(gateway, 'bo');
    const own = (path: string, method?: string) => ask(path, method, bo.session);
    expect((await own('/api/keys/reveal')).body.apiKey).toBe(bo.key['x-service-api-key']);
    const { apiKey } = (await own('/api/keys', 'POST')).body;
    expect(apiKey).toMatch(/^[0-9a-f]{64}$/);
    expect((await ask('/api/auth/me', 'GET', bo.key)).status).toBe(401);
    expect((await ask('/api/auth/me', 'GET', { 'x-service-api-key': apiKey })).body.email).toBe(bo.email);
    expect((await own('/api/keys', 'DELETE')).body).toEqual({ success: true });
    expect((await own('/api/keys')).body).toEqual({ hasKey: false });
    expect(await own('/api/keys/reveal')).toMatchObject({ status: 404, body: { error: 'No key set.' } });
  });

  it('describes itself to programs, and each integration to those with a credential', async () => {
    const whole = await ask('/openapi.json', 'GET', {});
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(whole.body).toMatchObject({ openapi: '3.1.0', paths: { '/api/connections': {}, '/rest': {} } });
    const time = await ask('/rest/time/openapi.json');
    expect(time.body.paths['/rest/time/time_now'].post.operationId).toBe('time_now');
    expect((await ask('/rest/time/openapi.json', 'GET', {})).status).toBe(401);
    const text = await (await at().gateway.request('/llms.txt')).text();
    expect(text).toContain(`${whole.body.servers[0].url}/mcp`);
  });

  it('lists integrations and serves their tools and logos', async () => {
    const { integrations } = (await ask('/api/integrations')).body;
    expect(integrations).toContainEqual(
      expect.objectContaining({ name: 'github', authType: 'oauth2', configured: true }),
    );
    const { tools } = (await ask('/api/integrations/time')).body;
    expect(tools).toContainEqual({ name: 'time_now', description: expect.any(String) });
    const logo = await at().gateway.request('/api/integrations/time/logo');
    expect([logo.status, logo.headers.get('cache-control')]).toEqual([200, 'public, max-age=86400']);
    await logo.arrayBuffer();
    expect((await ask('/api/integrations/nope')).status).toBe(404);
  });

  it('lists executed tools newest first, in pages, with filters', async () => {
    const { gateway, world } = at();
    const cy = await world.person(gateway, 'cy');
    const headers = { ...cy.key, 'content-type': 'application/json' };
    const run = (executions: object[]) =>
      gateway.request('/rest/time', { method: 'POST', headers, body: JSON.stringify({ executions }) });
    await run(Array.from({ length: 53 }, () => ({ tool: 'now', args: {} })));
    await run([{ tool: 'now', args: { timeZone: 'Nowhere/Else' } }]);
    const first = (await ask('/api/audit', 'GET', cy.session)).body;
    expect(first.entries).toHaveLength(50);
    expect(first.entries[0]).toMatchObject({ tool: 'time_now', action: 'EXECUTE', success: false });
    const second = (await ask(`/api/audit?cursor=${first.nextCursor}`, 'GET', cy.session)).body;
    expect(second.entries).toHaveLength(4);
    expect(second.nextCursor).toBeUndefined();
    const failed = (await ask('/api/audit?success=false&tool=time_now', 'GET', cy.session)).body;
    expect(failed.entries).toHaveLength(1);
  });

  it('counts requests, answers JSON for an unknown API path, and has health routes below /api only', async () => {
    const { gateway } = at();
    const metrics = await gateway.request('/metrics');
    // Several processes name themselves in each series.
    expect(await metrics.text()).toMatch(
      /^service_http_requests_total\{(worker="\d+",)?method="GET",route="\/api\/auth\/me"/m,
    );
    expect(await ask('/api/no/such')).toMatchObject({ status: 404, body: { error: 'Not found' } });
    for (const path of ['/api/health', '/api/health/ready'])
      expect(await ask(path)).toMatchObject({ status: 200, body: { status: 'ok' } });
    const health = await gateway.request('/healthz', { headers: { accept: 'application/json' } });
    // This path has no route. A gateway with a built portal serves the portal's page there.
    const answer = `${health.status} ${health.headers.get('content-type')}`;
    expect(['404 application/json', '200 text/html; charset=utf-8']).toContain(answer);
    await health.arrayBuffer();
  });
}
