// Tests connecting with cookies: import and export of sessions. reference: Cookie sessions
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ConnectStand, openConnectStand } from '../support/connect-stand.ts';
import { startHttpServer } from '../support/http-server.ts';
import { call } from '../support/mcp.ts';

let stand: ConnectStand;

beforeEach(async () => {
  stand = await openConnectStand();
});
afterEach(() => stand.close());

describe('cookie sessions', () => {
  const INSTANCE = 'http://127.0.0.1:1/w';
  const cookie = {
    name: 'sid',
    value: 'c-secret',
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    secure: false,
    httpOnly: true,
  };
  const importSession = (body: unknown, name = 'jar') =>
    stand.api('POST', `/api/integrations/${name}/session/import`, body);
  const exportSession = (name = 'jar') => stand.api('GET', `/api/integrations/${name}/session/export`);

  it('are imported, connect, serve tools and are exported again', async () => {
    const at = stand.provider.url;
    expect(
      await importSession({
        session: [cookie, { ...cookie, domain: 'other.example' }],
        instanceUrl: `${at}/w`,
      }),
    ).toMatchObject({
      status: 200,
      body: { success: true, cookieCount: 1 },
    });
    expect(await stand.connected('jar')).toBe(true);
    await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
      executions: [{ tool: 'jar_get', args: { path: '/open' } }],
    });
    expect(stand.provider.calls.at(-1)).toMatchObject({
      path: '/w/open',
      headers: { cookie: 'sid=c-secret' },
    });
    const { body, headers } = await exportSession();
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      integration: 'jar',
      session: { v: 1, cookies: [{ name: 'sid', value: 'c-secret' }] },
    });
    expect((await importSession(body)).body).toEqual({ success: true, cookieCount: 1 });
    const row = await stand.app.deps.store.connections.get(stand.ana.id, 'jar', '');
    expect(row?.access_token).toBe('cookie-auth');
    expect(JSON.stringify(row)).not.toContain('c-secret');
  });

  it('read an address of many slashes in one pass', async () => {
    const instanceUrl = `${stand.provider.url}${'/'.repeat(120_000)}w`;
    expect((await importSession({ session: [cookie], instanceUrl })).status).toBe(200);
  });

  it('travel to another user, who then has the same instance', async () => {
    await importSession({ session: [cookie], instanceUrl: `${stand.provider.url}/w` });
    const { body } = await exportSession();
    expect(body.session.instanceUrl).toBe(`${stand.provider.url}/w`);
    const bea = await stand.app.user('bea@example.com');
    const imported = await stand.api('POST', '/api/integrations/jar/session/import', body, bea.sessionHeader);
    expect(imported.body).toEqual({ success: true, cookieCount: 1 });
    await call(stand.app, bea.keyHeader, 'execute_tools', {
      executions: [{ tool: 'jar_get', args: { path: '/open' } }],
    });
    expect(stand.provider.calls.at(-1)).toMatchObject({
      path: '/w/open',
      headers: { cookie: 'sid=c-secret' },
    });
    // The person's own word wins over that of the session.
    const elsewhere = { ...body, instanceUrl: `${stand.provider.url}/other` };
    await importSession(elsewhere);
    expect((await exportSession()).body.session.instanceUrl).toBe(`${stand.provider.url}/other`);
  });

  it('are for the one host that the cookies of a bare list name', async () => {
    const list = [cookie, { ...cookie, name: 'other', domain: '.127.0.0.1' }];
    expect((await importSession(list)).body).toEqual({ success: true, cookieCount: 2 });
    expect((await exportSession()).body.session.instanceUrl).toBe('https://127.0.0.1');
    // A person who has an instance keeps it.
    await importSession({ session: [cookie], instanceUrl: INSTANCE });
    expect((await importSession(list)).status).toBe(200);
    expect((await exportSession()).body.session.instanceUrl).toBe(INSTANCE);
  });

  it('are not exported when no key opens them, and the response says what to do', async () => {
    await importSession({ session: [cookie], instanceUrl: INSTANCE });
    const { connections } = stand.app.deps.store;
    const row = await connections.get(stand.ana.id, 'jar', '');
    if (row !== null) await connections.put({ ...row, cookies: 'v1.00000000.AAAA' });
    expect(await exportSession()).toMatchObject({
      status: 409,
      body: { error: expect.stringMatching(/can no longer be opened. Reconnect it/) },
    });
  });

  it('keep every cookie that concurrent responses set', async () => {
    const path = '/open';
    await importSession({ session: [cookie], instanceUrl: stand.provider.url });
    stand.provider.setCookie = (count) => `c${count}=1; Path=/`;
    const executions = Array.from({ length: 8 }, () => ({ tool: 'jar_get', args: { path } }));
    await call(stand.app, stand.ana.keyHeader, 'execute_tools', { executions });
    const names = (await exportSession()).body.session.cookies.map(({ name }: { name: string }) => name);
    expect(names.toSorted()).toEqual(['c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8', 'sid']);
  });

  it('take no cookies from the host that a redirect leads to', async () => {
    const wiki = await startHttpServer((request, response) => {
      if (request.url === '/there') return response.setHeader('set-cookie', 'own=1; Path=/').end();
      const location = request.url === '/away' ? `${stand.provider.url}/open` : '/there';
      return response.writeHead(302, { location }).end();
    });
    stand.provider.setCookie = () => 'sid=foreign; Path=/';
    const own = { ...cookie, domain: 'localhost' };
    await importSession({ session: [own], instanceUrl: `http://localhost:${wiki.port}` });
    const visit = async (path: string) => {
      await call(stand.app, stand.ana.keyHeader, 'execute_tools', {
        executions: [{ tool: 'jar_get', args: { path } }],
      });
      return (await exportSession()).body.session.cookies;
    };
    expect(await visit('/away')).toMatchObject([{ name: 'sid', value: 'c-secret' }]);
    expect(stand.provider.calls).toHaveLength(1);
    expect(await visit('/near')).toMatchObject([{ name: 'sid', value: 'c-secret' }, { name: 'own' }]);
    await wiki.close();
  });

  it.each([
    ['nothing', { session: [], instanceUrl: INSTANCE }, 'cookies: is empty'],
    ['a text', 'x', 'A session is a list of cookies, or an object with one in "cookies"'],
    ['a wrong shape', { session: { cookies: 'x' }, instanceUrl: INSTANCE }, 'cookies: must be a list'],
    [
      'cookies of other sites only',
      { session: [{ ...cookie, domain: 'other.example' }], instanceUrl: INSTANCE },
      'None of these cookies belongs to Jar',
    ],
    [
      'no instance and several hosts',
      [cookie, { ...cookie, domain: 'a.example' }, { ...cookie, domain: '.example' }],
      'Missing required field: Address of your Jar. The cookies name 3 hosts: 127.0.0.1, a.example, example',
    ],
    [
      'an instance of the wrong kind in the session',
      { session: { cookies: [cookie], instanceUrl: 7 } },
      'instanceUrl: Invalid input: expected string, received number',
    ],
    [
      'a forbidden instance in the session',
      { session: { cookies: [cookie], instanceUrl: 'http://169.254.169.254' } },
      expect.stringContaining('169.254.169.254'),
    ],
    [
      'a forbidden instance',
      { session: [cookie], instanceUrl: 'http://169.254.169.254' },
      expect.stringContaining('169.254.169.254'),
    ],
  ])('answer 400 to %s', async (_, body, error) => {
    expect(await importSession(body)).toMatchObject({ status: 400, body: { error } });
    expect(await stand.connected('jar')).toBe(false);
  });

  it('do not connect when all cookies have expired, and do not replace a working session', async () => {
    const stale = {
      session: [{ ...cookie, value: 'old', expires: stand.app.clock.now() }],
      instanceUrl: INSTANCE,
    };
    expect(await importSession(stale)).toMatchObject({
      status: 200,
      body: { success: true, cookieCount: 1 },
    });
    expect(await stand.connected('jar')).toBe(false);
    await importSession({ session: [cookie], instanceUrl: INSTANCE });
    expect(await importSession(stale)).toMatchObject({
      status: 400,
      body: {
        error:
          'The cookies of this session have all expired. Sign in to Jar again, and export the session again.',
      },
    });
    expect((await exportSession()).body.session.cookies).toEqual([cookie]);
  });

  it('answer 400 to a body that is not JSON', async () => {
    const response = await stand.app.request('/api/integrations/jar/session/import', {
      method: 'POST',
      headers: stand.ana.sessionHeader,
      body: '[{',
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'The session is not valid JSON' },
    ]);
  });

  it('answer 404 for an integration without cookies', async () => {
    expect((await importSession([cookie], 'time')).status).toBe(404);
    expect((await exportSession('keyed')).status).toBe(404);
    expect((await exportSession()).status).toBe(404);
  });

  it('can be cancelled without an effect', async () => {
    expect((await stand.api('POST', '/api/auth/cookie/jar/cancel')).body).toEqual({ success: true });
  });
});
