// Tests the query of /mcp, which narrows what a client may do and never widens it. reference: MCP endpoint
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../src/kit/actor.ts';
import { type Headers, limitedKey, openDepot, putRules } from '../support/depot.ts';
import { call, modernHeaders, modernMeta, post, rpc } from '../support/mcp.ts';
import type { TestApp, TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
beforeAll(async () => {
  ({ app, ana } = await openDepot());
});
afterEach(() => putRules(app, [], ana.id));
afterAll(() => app.close());

/** The gateway as a client sees it whose address of /mcp has the query. */
const withQuery = (query: string): Pick<TestApp, 'request'> => ({
  request: (path, init) => app.request(`${path}${query}`, init),
});
const keyWith = async (limits: Limits): Promise<Headers> => (await limitedKey(app, ana, limits)).header;

async function toolsSeen(query: string, headers: Headers = ana.keyHeader): Promise<string[]> {
  const { tools } = await call(withQuery(query), headers, 'search_tools', { query: 'crate' });
  return tools.map(({ name }: { name: string }) => name);
}

async function run(query: string, tool: string, headers: Headers = ana.keyHeader) {
  const executions = [{ tool, args: tool === 'shout' ? { text: 'a' } : {} }];
  return (await call(withQuery(query), headers, 'execute_tools', { executions })).results[0];
}

const READ = ['depot_list_crates'];
const WRITE = ['depot_list_crates', 'depot_store_crate'];
const ALL = [...WRITE, 'depot_delete_crate'];
const BLOCKED = { error: 'BLOCKED', integration: 'depot', message: expect.any(String) };

describe('the query of /mcp', () => {
  it.each([
    ['', ALL],
    ['?', ALL],
    ['?access=destroy', ALL],
    ['?access=write', WRITE],
    ['?access=read', READ],
    ['?integrations=depot', ALL],
    ['?integrations=echo,depot,depot', ALL],
    ['?integrations=echo', []],
    ['?integrations=unknown', []],
    ['?access=write&integrations=echo%2Cdepot', WRITE],
    ['?%61ccess=read', READ],
    ['?utm_source=a&access=read', READ],
    ['?utm_source=access&utm_term=all+integrations', ALL],
    ['?data_access=1&x=a=b;c=d', ALL],
  ])('%s decides which tools are listed', async (query, expected) => {
    expect(await toolsSeen(query)).toEqual(expected);
  });

  it('decides which tools run', async () => {
    expect(await run('?access=read', 'depot_delete_crate')).toEqual(BLOCKED);
    expect(await run('?integrations=echo', 'depot_delete_crate')).toEqual(BLOCKED);
    expect(await run('?integrations=echo', 'shout')).toEqual({ result: 'A' });
    expect(await run('', 'depot_delete_crate')).toEqual({ result: 'gone' });
  });

  it('holds for one request and for none after it', async () => {
    expect(await toolsSeen('?access=read')).toEqual(READ);
    expect(await toolsSeen('')).toEqual(ALL);
  });

  it('never widens the limits of a key', async () => {
    const reader = await keyWith({ access: 'read', integrations: ['depot'] });
    for (const query of ['?access=destroy', '?integrations=depot,echo', '?access=destroy&integrations=echo'])
      expect(await run(query, 'depot_delete_crate', reader)).toEqual(BLOCKED);
    expect(await toolsSeen('?access=destroy&integrations=depot,echo', reader)).toEqual(READ);
    expect(await run('?integrations=depot,echo', 'shout', reader)).toMatchObject({ error: 'BLOCKED' });
    expect(await toolsSeen('?integrations=echo', reader)).toEqual([]);
  });

  it('never widens what the rules of the person or a scope allow', async () => {
    await putRules(app, [{ access: 'write', decision: 'block' }], ana.id);
    expect(await toolsSeen('?access=write')).toEqual(READ);
    const token = app.deps.accessTokens.issue({ userId: ana.id, clientId: 'client', scope: 'mcp:read' });
    expect(await toolsSeen('?access=destroy', { authorization: `Bearer ${token}` })).toEqual(READ);
  });

  it('narrows in the modern era too', async () => {
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'search_tools',
        arguments: { query: 'crate' },
        _meta: modernMeta,
      },
    };
    const headers = { ...ana.keyHeader, ...modernHeaders('tools/call', 'search_tools') };
    const { body } = await post(withQuery('?access=read'), headers, JSON.stringify(message));
    expect(JSON.stringify(body.result)).not.toContain('depot_delete_crate');
    expect(JSON.stringify(body.result)).toContain('depot_list_crates');
  });

  it.each([
    ['?access='],
    ['?access=admin'],
    ['?access=READ'],
    ['?access=read,write'],
    ['?access=read&access=read'],
    ['?access=read&access=destroy'],
    ['?Access=read'],
    ['?acess=read'],
    ['?access[]=read'],
    ['?integrations='],
    ['?integrations=,'],
    ['?integrations=depot,'],
    ['?integrations=depot,%20echo'],
    ['?integrations=Depot'],
    ['?integrations=depot;echo'],
    ['?integrations=depot&integrations=echo'],
    ['?integration=depot'],
    ['?access=read&integrations=%'],
    ['?x=1;access=read'],
    ['?x;access=read'],
    ['?x=1;integrations=echo'],
    ['?x=1;acess=read'],
    ['?x=1%26access=read'],
    ['?x=1%26access%3Dread'],
    ['?x=1%2526access%253Dread'],
    ['?x=1?access=read'],
    ['?x=1,access=read'],
    ['?access%3Dread'],
    ['?x=1&?access=read'],
    ['?options[access]=read'],
    ['?access=read&x=1;integrations=echo'],
    [`?integrations=${Array.from({ length: 201 }, () => 'depot').join(',')}`],
  ])('%s is refused, and the answer says what is allowed', async (query) => {
    const { status, body } = await rpc(withQuery(query), ana.keyHeader, 'tools/list');
    expect(status).toBe(400);
    expect(body).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32600, message: expect.any(String) } });
    expect(body.error?.message).toContain('access=read, access=write or access=destroy');
    expect(body.error?.message).toContain('integrations=NAME,NAME');
  });

  it('is not read before the credential', async () => {
    expect((await rpc(withQuery('?access=admin'), {}, 'tools/list')).status).toBe(401);
  });
});

describe('a curl session of a narrowed client', () => {
  const lend = (query: string, headers: Headers) =>
    call(withQuery(query), headers, 'curl_session', { integrations: ['depot'] });

  it('is narrowed as well', async () => {
    const { token } = await lend('?access=read', ana.keyHeader);
    const grant = await app.deps.curlTokens.verify(token);
    expect(grant?.actor.limits).toEqual([{ access: 'read' }]);
    const key = await keyWith({ integrations: ['depot'] });
    const narrowed = await app.deps.curlTokens.verify((await lend('?access=write', key)).token);
    expect(narrowed?.actor.limits).toEqual(
      expect.arrayContaining([{ integrations: ['depot'] }, { access: 'write' }]),
    );
  });

  it('is refused for an integration that the query leaves out', async () => {
    expect(await lend('?integrations=echo', ana.keyHeader)).toEqual(BLOCKED);
  });
});
