// What a stored credential of each form does, and what happens when its text cannot be parsed.
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCurlProxy } from '../../adapters/node/curl-proxy/curl-proxy.ts';
import { serve } from '../../adapters/node/server.ts';
import { NO_HANDLERS } from '../support/handlers.ts';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { call } from '../support/mcp.ts';
import { bearer } from '../support/proxy-stage.ts';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

async function use(integration: string): Promise<unknown> {
  const executions = [{ tool: `${integration}_get`, args: { path: '/open' } }];
  const { results } = await call(stand.app, stand.ana.keyHeader, 'execute_tools', { executions });
  return results[0];
}

async function useProxy(integration: string): Promise<{ status: number; body: string }> {
  const { app, ana } = stand;
  const proxy = createCurlProxy(app.deps);
  const server = await serve(app.fetch, { ...NO_HANDLERS, proxy }, 0);
  const token = await app.deps.curlTokens.issue(
    { userId: ana.id, actor: PERSONAL_KEY, integrations: [integration] },
    900,
  );
  const response = await fetch(`http://127.0.0.1:${server.port}/c/${integration}/open`, {
    headers: bearer(token),
  });
  const answer = { status: response.status, body: await response.text() };
  await server.stop();
  await proxy.close();
  return answer;
}

async function healthOf(integration: string): Promise<unknown> {
  const { body } = await stand.api('GET', '/api/connections');
  const { name, connected, health } = body.connections.find(
    (each: { name: string }) => each.name === integration,
  );
  return { name, connected, health };
}

const lastHeaders = () => stand.provider.calls.at(-1)?.headers ?? {};

describe('a credential of several fields', () => {
  const save = (accessToken: string) =>
    stand.app.deps.vault.save(stand.ana.id, 'keyed', { accessToken, config: { region: 'eu' } });

  it('is sent field by field, and a field that was left empty is left out', async () => {
    await save('{"apiKey":"key-1"}');
    expect(await use('keyed')).toHaveProperty('result');
    expect(lastHeaders()).toMatchObject({ 'x-key': 'key-1' });
    expect(lastHeaders()).not.toHaveProperty('x-app');
    await save('{"apiKey":"key-1","appKey":"key-2"}');
    expect((await useProxy('keyed')).status).not.toBe(500);
    expect(lastHeaders()).toMatchObject({ 'x-key': 'key-1', 'x-app': 'key-2' });
  });

  it('fails every call when it is not JSON, and no text shows a part of it', async () => {
    await save('plain-key');
    expect(await use('keyed')).toMatchObject({ error: expect.any(String), integration: 'keyed' });
    expect(await useProxy('keyed')).toEqual({ status: 500, body: '{"error":"Internal error"}' });
    expect(stand.provider.calls).toEqual([]);
    expect(await healthOf('keyed')).toEqual({ name: 'keyed', connected: true, health: 'ok' });
    await stand.app.deps.audit.flush();
    const audit = await stand.app.deps.store.audit.list({ user_id: stand.ana.id, limit: 10 });
    expect(JSON.stringify([await use('keyed'), stand.app.lines, audit])).not.toContain('plain-key');
  });

  it.each(['5', 'null', '[]', '"text"'])('goes out without a key when it is %s', async (stored) => {
    await save(stored);
    expect(await use('keyed')).toHaveProperty('result');
    expect(lastHeaders()).not.toHaveProperty('x-key');
  });
});

describe('a cookie session', () => {
  const cookie = { name: 'sid', value: 'c', domain: '127.0.0.1', path: '/', secure: false, httpOnly: true };
  const save = (cookies: unknown) =>
    stand.app.deps.vault.save(stand.ana.id, 'jar', {
      cookies: typeof cookies === 'string' ? cookies : JSON.stringify(cookies),
      config: { instanceUrl: stand.provider.url },
    });
  const exportSession = () => stand.api('GET', '/api/integrations/jar/session/export');

  it('is sent with its browser’s name', async () => {
    await save({ v: 1, cookies: [{ ...cookie, expires: -1 }], userAgent: 'UA', capturedAt: 1 });
    expect(await use('jar')).toHaveProperty('result');
    expect(lastHeaders()).toMatchObject({ cookie: 'sid=c', 'user-agent': 'UA' });
    expect((await useProxy('jar')).status).toBe(200);
    expect(lastHeaders()).toMatchObject({ cookie: 'sid=c', 'user-agent': 'UA' });
  });

  it.each(['', 'garbage', '{}', '{"cookies":[]}', '{"cookies":[{"expires":"never"}]}'])(
    'is not connected when its text is %j',
    async (stored) => {
      await save(stored);
      expect(await use('jar')).toMatchObject({ error: 'NOT_CONNECTED', integration: 'jar' });
      expect((await useProxy('jar')).status).toBe(409);
      expect(await healthOf('jar')).toEqual({ name: 'jar', connected: false, health: 'needs_reconnect' });
      expect((await exportSession()).status).toBe(409);
    },
  );

  // A session whose other fields cannot be read still counts as connected.
  it.each([{ cookies: [{}] }, { v: 2, cookies: [{ ...cookie, expires: -1 }] }])(
    'counts as connected and sends no cookie when only its times can be read: %j',
    async (stored) => {
      await save(stored);
      stand.provider.setCookie = () => 'new=1; Path=/';
      expect(await use('jar')).toHaveProperty('result');
      expect(lastHeaders()).not.toHaveProperty('cookie');
      expect((await useProxy('jar')).status).toBe(200);
      expect(lastHeaders()).not.toHaveProperty('cookie');
      expect(await healthOf('jar')).toEqual({ name: 'jar', connected: true, health: 'ok' });
      expect((await exportSession()).status).toBe(409);
    },
  );
});
