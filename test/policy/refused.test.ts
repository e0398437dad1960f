// Tests how a caller is refused what it may not use: never with the name of something else that is blocked. reference: Rules
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Limits, Rule } from '../../src/kit/actor.ts';
import { type Headers, limitedKey, openDepot, putRules } from '../support/depot.ts';
import { call } from '../support/mcp.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  ({ app, ana } = await openDepot());
});
afterEach(async () => {
  await putRules(app, []);
  await putRules(app, [], ana.id);
});
afterAll(() => app.close());

const keyWith = async (limits: Limits): Promise<Headers> => (await limitedKey(app, ana, limits)).header;
const get = async (path: string, headers: Headers) => {
  const response = await app.request(path, { headers });
  return { status: response.status, body: await response.json() };
};
describe('the nearest names', () => {
  const doors: [string, (headers: Headers) => Promise<unknown>][] = [
    ['get_tool_schema', (headers) => call(app, headers, 'get_tool_schema', { tool: 'depot_delete_crat' })],
    [
      'execute_tools',
      (headers) => call(app, headers, 'execute_tools', { executions: [{ tool: 'depot_delete_crat' }] }),
    ],
    [
      'POST /rest/:integration',
      async (headers) => {
        const body = JSON.stringify({ tool: 'delete_crat' });
        const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
        return (await app.request('/rest/depot', init)).json();
      },
    ],
  ];

  it.each(doors)('of tools have no blocked tool in %s', async (_door, answer) => {
    expect(JSON.stringify(await answer(ana.keyHeader))).toContain('depot_delete_crate');
    const fewer = JSON.stringify(await answer(await keyWith({ access: 'read' })));
    expect(fewer).not.toContain('depot_delete_crate');
    expect(fewer).toContain('depot_list_crates');
  });

  it.each<[string, (headers: Headers) => Promise<unknown>]>([
    ['connect', (headers) => call(app, headers, 'connect', { integration: 'shreder' })],
    ['search_tools', (headers) => call(app, headers, 'search_tools', { query: '', integration: 'shreder' })],
    ['curl_session', (headers) => call(app, headers, 'curl_session', { integrations: ['shreder'] })],
    ['GET /rest/:integration', async (headers) => (await get('/rest/shreder', headers)).body],
  ])('of integrations have no blocked integration in %s', async (_door, answer) => {
    expect(await answer(ana.keyHeader)).toMatchObject({ nearest: ['shredder'] });
    expect(JSON.stringify(await answer(await keyWith({ access: 'write' })))).not.toContain('shredder');
  });
});

describe('an integration of which a caller may use nothing', () => {
  let connectionId: string;
  beforeAll(async () => {
    ({ connectionId } = await call(app, ana.keyHeader, 'connect', { integration: 'depot' }));
  });
  const blocked = { error: 'BLOCKED', integration: 'depot', message: expect.stringContaining('Depot') };

  it.each<[string, (headers: Headers) => Promise<unknown>]>([
    ['connect', (headers) => call(app, headers, 'connect', { integration: 'depot' })],
    ['get_auth_url', (headers) => call(app, headers, 'get_auth_url', { integration: 'depot' })],
    ['curl_session', (headers) => call(app, headers, 'curl_session', { integrations: ['depot'] })],
    ['search_tools', (headers) => call(app, headers, 'search_tools', { query: '', integration: 'depot' })],
    [
      'wait_for_connection',
      (headers) => call(app, headers, 'wait_for_connection', { connectionId, timeoutSec: 1 }),
    ],
  ])('is refused by %s', async (_door, answer) => {
    expect(await answer(await keyWith({ integrations: ['echo'] }))).toEqual(blocked);
    await putRules(app, [{ integration: 'depot', decision: 'block' }], ana.id);
    expect(await answer(ana.sessionHeader)).toEqual({
      ...blocked,
      message: expect.stringContaining('The person does not allow'),
    });
  });

  it.each(['/rest/depot', '/rest/depot/openapi.json'])('is answered with 403 by GET %s', async (path) => {
    const key = await keyWith({ integrations: ['echo'] });
    expect(await get(path, key)).toEqual({ status: 403, body: blocked });
  });

  it('is answered with 403 by GET /api/integrations/:integration, for keys', async () => {
    const path = '/api/integrations/depot';
    expect(await get(path, await keyWith({ integrations: ['echo'] }))).toMatchObject({
      status: 403,
      body: { error: 'BLOCKED', code: 'BLOCKED' },
    });
    await putRules(app, [{ integration: 'depot', decision: 'block' }], ana.id);
    expect((await get(path, ana.keyHeader)).status).toBe(403);
    expect((await get(path, ana.sessionHeader)).status).toBe(200);
  });
});

describe('curl_session', () => {
  const lend = (headers: Headers, args: object = {}) =>
    call(app, headers, 'curl_session', { integrations: ['depot'], ...args });

  it('needs an integration of which reading is allowed', async () => {
    expect(await lend(await keyWith({ access: 'read' }))).toHaveProperty('token');
    const rules: Rule[] = [{ access: 'read', decision: 'block' }];
    expect(await lend(await keyWith({ rules }))).toMatchObject({ error: 'BLOCKED', integration: 'depot' });
  });

  it('needs one of the methods that it is asked for', async () => {
    const reader = await keyWith({ access: 'read' });
    expect(await lend(reader, { methods: ['POST', 'DELETE'] })).toMatchObject({ error: 'BLOCKED' });
    expect(await lend(reader, { methods: ['POST', 'GET'] })).toHaveProperty('token');
  });
});
