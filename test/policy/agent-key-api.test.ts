// Tests what a named key opens below /api and /f, and that no route is a way around the rules for tools.
// reference: Named keys; Rules
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Rule } from '../../src/kit/actor.ts';
import { FEATURES } from '../../src/features.ts';
import { allOperations } from '../../src/rest/openapi/chapters.ts';
import { type Headers, limitedKey, openDepot, putRules } from '../support/depot.ts';
import { fileIn, pathOf } from '../support/files.ts';
import { call } from '../support/mcp.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
let key: Headers;
beforeAll(async () => {
  ({ app, ana } = await openDepot());
  key = (await limitedKey(app, ana)).header;
});
afterEach(() => putRules(app, [], ana.id));
afterAll(() => app.close());

const statusOf = async (headers: Headers, method: string, path: string): Promise<number> =>
  (await app.request(path, { method, headers })).status;

describe('a named key', () => {
  const open = new Set([
    'GET /api/integrations',
    'GET /api/integrations/:integration',
    'GET /api/tools',
    'GET /api/connections',
    'GET /api/audit',
    'GET /api/audit/export',
    'GET /api/audit/failures',
    'GET /api/audit/histogram',
    'GET /api/usage',
  ]);
  // The routes of the live view need a browser.
  const routes = allOperations(FEATURES).flatMap(([route, { caller }]) =>
    caller === 'portal' && route.includes(' /api/') && !route.includes('browser-session') ? [route] : [],
  );

  it.each(routes)('is admitted to %s only where it may read', async (route) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace(':integration', 'depot').replaceAll(/:\w+/g, 'x');
    // The two routes of connect links also take a link without a credential, so they answer 401.
    const refused = route.startsWith('POST /api/connect/') ? 401 : 403;
    expect(await statusOf(key, method, path)).toBe(open.has(route) ? 200 : refused);
    expect(await statusOf({ 'x-service-api-key': `agk_${'0'.repeat(64)}` }, method, path)).toBe(401);
  });

  it('opens these routes, and they exist', () => {
    expect(routes.filter((route) => open.has(route)).toSorted()).toEqual([...open].toSorted());
  });

  it('opens nothing after it was deleted', async () => {
    const { header, actorId } = await limitedKey(app, ana);
    expect(await statusOf(header, 'GET', '/api/tools')).toBe(200);
    await app.deps.agentKeys.remove(ana.id, actorId.replace('key:', ''));
    expect(await statusOf(header, 'GET', '/api/tools')).toBe(401);
  });
});

describe('GET /api/audit', () => {
  const run = (headers: Headers, text: string) =>
    call(app, headers, 'execute_tools', { executions: [{ tool: 'shout', args: { text } }] });
  const entries = async (headers: Headers, query = '') =>
    (await (await app.request(`/api/audit${query}`, { headers })).json()).entries;

  it('shows a named key its own calls alone, whatever it asks for', async () => {
    const one = await limitedKey(app, ana);
    const other = await limitedKey(app, ana);
    await run(ana.keyHeader, 'a');
    await run(one.header, 'b');
    await run(other.header, 'c');
    await run(one.header, 'd');
    const own = await entries(one.header);
    expect(own.map(({ actor }: { actor: string }) => actor)).toEqual([one.actorId, one.actorId]);
    const asked = `?actor=${encodeURIComponent(other.actorId)}&tool=shout&success=true`;
    expect(await entries(one.header, asked)).toEqual(own);
    const all = (await entries(ana.keyHeader)).map(({ actor }: { actor: string }) => actor);
    expect(all).toEqual([one.actorId, other.actorId, one.actorId, 'key']);
    expect(await entries(ana.sessionHeader)).toHaveLength(4);
  });

  it('shows the calls of a key page by page among many others', async () => {
    const { header, actorId } = await limitedKey(app, ana);
    await run(header, 'a');
    const [first] = await entries(header);
    const row = {
      ...first,
      account: null,
      owner: null,
      details: null,
      script: null,
      action: 'EXECUTE' as const,
    };
    await app.deps.store.audit.append(
      Array.from({ length: 120 }, (_, at) => ({ ...row, actor: at % 2 === 0 ? 'key' : actorId })),
    );
    let count = 0;
    let query = '';
    for (;;) {
      const page = await (await app.request(`/api/audit${query}`, { headers: header })).json();
      count += page.entries.length;
      if (page.nextCursor === undefined) break;
      query = `?cursor=${page.nextCursor}`;
    }
    expect(count).toBe(61);
  });
});

describe('the routes that do what a tool does', () => {
  const block = (tool: string, decision: 'ask' | 'block' = 'block'): Rule[] => [{ tool, decision }];
  const doors = [
    ['GET', '/api/files', 'list_files', 200],
    ['POST', '/api/files', 'upload_file', 400],
    ['DELETE', '/api/files/x', 'delete_file', 404],
    ['GET', '/api/jots', 'list_jots', 200],
    ['GET', '/api/jots/x', 'get_jot', 404],
    ['GET', '/api/jots/x/thumbnail', 'get_jot', 404],
    ['POST', '/api/jots/x/upload', 'deploy_jot', 400],
    ['POST', '/api/jots/x/rollback', 'update_jot', 400],
    ['PATCH', '/api/jots/x', 'update_jot', 400],
    ['DELETE', '/api/jots/x', 'delete_jot', 404],
    ['GET', '/f/x', 'get_file', 404],
  ] as const;

  it.each(doors)('%s %s is refused where a rule blocks or asks for %s', async (method, path, tool, plain) => {
    expect(await statusOf(ana.keyHeader, method, path)).toBe(plain);
    for (const decision of ['block', 'ask'] as const) {
      await putRules(app, block(tool, decision), ana.id);
      const response = await app.request(path, { method, headers: ana.keyHeader });
      expect(response.status).toBe(403);
      const body = await response.json();
      expect(body).toEqual({ error: 'BLOCKED', code: 'BLOCKED', message: expect.stringContaining(tool) });
      // The person decides by hand in the portal.
      expect(await statusOf(ana.sessionHeader, method, path)).toBe(plain);
    }
  });

  it('a file is given to a key that may use get_file, and to the holder of a link', async () => {
    const executions = [{ tool: 'upload_file', args: { content: 'a text' } }];
    const [uploaded] = (await call(app, ana.keyHeader, 'execute_tools', { executions })).results;
    const { handle, url } = fileIn(uploaded.result);
    const link = pathOf(url);
    const bounded = (await limitedKey(app, ana, { integrations: ['echo'] })).header;
    const asking = (await limitedKey(app, ana, { rules: block('get_file', 'ask') })).header;
    expect(await statusOf(key, 'GET', `/f/${handle}`)).toBe(200);
    expect(await statusOf(bounded, 'GET', `/f/${handle}`)).toBe(403);
    expect(await statusOf(asking, 'GET', `/f/${handle}`)).toBe(403);
    expect(await statusOf({}, 'GET', link)).toBe(200);
    expect(await statusOf(bounded, 'GET', link)).toBe(200);
  });
});
