// Tests what is stored while a service cannot be reached, and whose credential it may replace. reference: API key form; Cookie sessions
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUndiciNetwork } from '../../drivers/network/undici.ts';
import type { Network } from '../../src/ports/network.ts';
import { NotSent } from '../../src/ports/not-sent.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const AWAY = 'https://tracker.away.example';
const STALLED = 'https://tracker.stalled.example';
const FORBIDDEN = 'https://tracker.private.example';

let app: TestApp;
let ana: TestUser;
/** The addresses of the names. Names that it lacks have none. */
let names: Map<string, string[]>;
let answer: Network['send'];

beforeEach(async () => {
  names = new Map([['tracker.private.example', ['10.0.0.7']]]);
  answer = () => Promise.reject(new NotSent('connect ECONNREFUSED'));
  const network: Network = {
    ...createUndiciNetwork(),
    async resolve(hostname) {
      if (hostname === 'tracker.stalled.example') throw new DOMException('too slow', 'TimeoutError');
      return names.get(hostname) ?? [];
    },
    send: (request) => answer(request),
  };
  app = await createTestApp({
    env: {
      SERVER_PUBLIC_URL: 'https://gateway.example',
      PORTAL_URL: 'https://gateway.example',
      SESSION_SECRET: randomBytes(32).toString('hex'),
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    },
    ports: { network },
  });
  ana = await app.user();
});
afterEach(() => app.close());

async function api(method: string, path: string, body?: object) {
  const response = await app.request(path, {
    method,
    headers: { ...ana.keyHeader, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
const enter = (integration: string, values: Record<string, string>, account?: string) =>
  api('POST', `/api/auth/apikey/${integration}`, { values, ...(account === undefined ? {} : { account }) });
const importAt = (instanceUrl: string, account?: string) =>
  api('POST', '/api/integrations/mediawiki/session/import', {
    session: [{ name: 'sid', value: 'x', domain: new URL(instanceUrl).hostname }],
    instanceUrl,
    ...(account === undefined ? {} : { account }),
  });
const stateOf = async (name: string) =>
  (await api('GET', '/api/connections')).body.connections.find((one: { name: string }) => one.name === name);

/** Answers the probe of Redmine as to this person. */
function knows(id: number, login: string): void {
  names.set('tracker.away.example', ['93.184.215.14']);
  answer = async () => ({
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: new Blob([JSON.stringify({ user: { id, login } })]).stream(),
  });
}

describe('a service that cannot be reached', () => {
  it.each([
    ['has no address', AWAY, /no host tracker.away.example/],
    ['has a name that nobody resolves in time', STALLED, /tracker.stalled.example could not be resolved/],
  ])('takes a key that waits for it, when it %s', async (_, instanceUrl, cause) => {
    const { status, body } = await enter('redmine', { instanceUrl, apiKey: 'k' });
    expect([status, body]).toEqual([200, { success: true, status: 'unverified' }]);
    expect(await stateOf('redmine')).toMatchObject({
      connected: true,
      status: 'unverified',
      cause: expect.stringMatching(cause),
    });
  });

  it('takes a key when it refuses the connection', async () => {
    names.set('tracker.away.example', ['93.184.215.14']);
    expect((await enter('redmine', { instanceUrl: AWAY, apiKey: 'k' })).body.status).toBe('unverified');
    expect((await stateOf('redmine')).cause).toMatch(/could not be reached/);
  });

  it('takes a key for an integration that offers no check, and says why it is not checked', async () => {
    const { body } = await enter('git', { instanceUrl: AWAY, username: 'ana', token: 't' });
    expect(body).toMatchObject({ status: 'unverified' });
    expect((await stateOf('git')).cause).toMatch(/no host tracker.away.example. The first call/);
  });

  it('takes a session that waits for it', async () => {
    expect(await importAt(AWAY)).toEqual({ status: 200, body: { success: true, cookieCount: 1 } });
    expect(await stateOf('mediawiki')).toMatchObject({
      status: 'unverified',
      cause: expect.stringMatching(/no host tracker.away.example/),
    });
  });

  it('is checked and called at the same address when it is back', async () => {
    await enter('redmine', { instanceUrl: AWAY, apiKey: 'k' });
    knows(7, 'ana');
    expect((await api('POST', '/api/connections/redmine/check')).body).toMatchObject({
      status: 'ok',
      account: { id: '7' },
    });
  });

  it('is still refused where its address is forbidden, now and later', async () => {
    for (const { status, body } of [
      await enter('redmine', { instanceUrl: FORBIDDEN, apiKey: 'k' }),
      await importAt(FORBIDDEN),
    ])
      expect([status, body.error]).toEqual([400, expect.stringContaining('not public')]);
    await enter('redmine', { instanceUrl: AWAY, apiKey: 'k' });
    knows(7, 'ana');
    names.set('tracker.away.example', ['10.0.0.7']);
    const executions = [{ tool: 'redmine_whoami', args: {} }];
    const { results } = await call(app, ana.keyHeader, 'execute_tools', { executions });
    expect(results[0].error).toMatch(/not public/);
  });
});

describe('a credential whose account nobody can tell', () => {
  it('does not replace the only account, whose owner is known', async () => {
    knows(7, 'ana');
    await enter('redmine', { instanceUrl: AWAY, apiKey: 'first' });
    names.delete('tracker.away.example');
    const refused = await enter('redmine', { instanceUrl: AWAY, apiKey: 'second' });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining('"ana" to renew')]);
    expect(await stateOf('redmine')).toMatchObject({ status: 'ok', account: { label: 'ana' } });
    expect((await enter('redmine', { instanceUrl: AWAY, apiKey: 'second' }, 'ana')).status).toBe(200);
    expect((await enter('redmine', { instanceUrl: AWAY, apiKey: 'third' }, 'work')).status).toBe(200);
    expect((await stateOf('redmine')).accounts).toHaveLength(2);
  });

  it('does not replace the only session, whose owner is known', async () => {
    knows(7, 'ana');
    answer = async () => ({
      status: 200,
      headers: new Headers({ 'content-type': 'application/json' }),
      body: new Blob(['{"query": {"userinfo": {"id": 7, "name": "ana"}}}']).stream(),
    });
    expect((await importAt(AWAY)).status).toBe(200);
    names.delete('tracker.away.example');
    const refused = await importAt(AWAY);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('"ana" to renew')]);
    expect((await importAt(AWAY, 'ana')).status).toBe(200);
  });

  it('replaces one that was never known either', async () => {
    for (const apiKey of ['first', 'second'])
      expect((await enter('redmine', { instanceUrl: AWAY, apiKey })).status).toBe(200);
    expect((await stateOf('redmine')).accounts).toBeUndefined();
  });
});
