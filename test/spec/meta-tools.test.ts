// Tests the meta-tools. reference: Meta-tools; Execution rules
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PERSONAL_KEY } from '../../src/kit/actor.ts';
import { Unavailable } from '../../src/ports/unavailable.ts';
import { UNSEEN } from '../../src/connections/model/state.ts';
import { gate, smallWorld } from '../support/fixtures.ts';
import { call, rpc } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  app = await createTestApp({ ports: { integrations: smallWorld } });
  ana = await app.user();
});
afterAll(() => app.close());

const use = (name: string, args?: object) => call(app, ana.keyHeader, name, args);
const execute = (...executions: object[]) => use('execute_tools', { executions });

async function connect(userId: string, integration: string, columns: object): Promise<void> {
  const now = app.clock.now();
  const empty = {
    refresh_token: null,
    expires_at: null,
    scopes: null,
    config: null,
    access_token: null,
    cookies: null,
    way: null,
    account: '',
    label: null,
    is_default: false,
    is_write_default: false,
    team_use: null,
    ...UNSEEN,
  };
  await app.deps.store.connections.put({
    ...empty,
    ...columns,
    user_id: userId,
    integration,
    created_at: now,
    updated_at: now,
  });
}

describe('list_integrations', () => {
  it('returns exactly name, version and connected, in load order', async () => {
    expect(await use('list_integrations')).toEqual({
      integrations: [
        { name: 'time', version: '1.0.0', connected: true },
        { name: 'echo', version: '1.2.3', connected: true },
        { name: 'vaulted', version: '1.2.3', connected: false },
        { name: 'keyed', version: '1.2.3', connected: false },
        { name: 'jar', version: '1.2.3', connected: false },
        { name: 'jots', version: '1.0.0', connected: true },
        { name: 'events', version: '1.0.0', connected: true },
        { name: 'files', version: '1.0.0', connected: true },
      ],
    });
  });

  it('computes connected from what is stored, for the caller only', async () => {
    const bea = await app.user('bea@example.com');
    const live = async () => {
      const { integrations } = await call(app, bea.keyHeader, 'list_integrations');
      return integrations
        .filter((one: { connected: boolean }) => one.connected)
        .map((one: { name: string }) => one.name);
    };
    const cookies = (expires: number) =>
      app.deps.seal.seal(JSON.stringify({ v: 1, cookies: [{ name: 'a', value: 'b', expires }] }), [
        bea.id,
        'jar',
        'cookies',
      ]);

    await connect(bea.id, 'keyed', { access_token: 'sealed' });
    expect(await live()).toEqual(['time', 'echo', 'keyed', 'jots', 'events', 'files']);
    await connect(bea.id, 'jar', {
      access_token: 'cookie-auth',
      cookies: await cookies(app.clock.now() - 1),
    });
    expect(await live()).toEqual(['time', 'echo', 'keyed', 'jots', 'events', 'files']);
    await connect(bea.id, 'jar', { access_token: 'cookie-auth', cookies: await cookies(-1) });
    expect(await live()).toEqual(['time', 'echo', 'keyed', 'jar', 'jots', 'events', 'files']);
    expect((await use('list_integrations')).integrations.at(-4)).toMatchObject({
      name: 'jar',
      connected: false,
    });
  });
});

describe('search_tools', () => {
  it('finds the query as a literal text in any case, in load order, with three keys each', async () => {
    expect(await use('search_tools', { query: 'PULL request' })).toEqual({
      tools: [
        {
          name: 'echo_list_pull_requests',
          description: 'List pull requests of a repository',
          integration: 'echo',
        },
      ],
    });
    const { tools } = await use('search_tools', { query: '' });
    expect(tools).toHaveLength(app.deps.registry.tools.length);
  });

  it('adds suggestions only when nothing matches, and none for nonsense', async () => {
    expect(await use('search_tools', { query: 'show merge requests please' })).toMatchObject({
      tools: [],
      suggestions: [{ name: 'echo_list_pull_requests', integration: 'echo' }],
    });
    expect(await use('search_tools', { query: 'xyzzy qwrt' })).toEqual({
      tools: [],
      message: expect.stringMatching(/^Nothing matches.*list_integrations/),
    });
  });
});

describe('search_tools with limit or integration', () => {
  it('ranks, and shows how to call each hit', async () => {
    expect(
      await use('search_tools', { query: 'list the open pull requests of a repository', limit: 1 }),
    ).toEqual({
      tools: [
        {
          name: 'echo_list_pull_requests',
          description: 'List pull requests of a repository',
          integration: 'echo',
          connected: true,
          access: 'read',
          signature:
            'echo_list_pull_requests({owner, repo, state?: open|closed|all, perPage?: number, page?: number})',
        },
      ],
    });
  });

  it('puts the exact name first, and finds parts of names', async () => {
    const named = await use('search_tools', { query: 'vaulted_whoami', limit: 3 });
    expect(named.tools[0]).toMatchObject({ name: 'vaulted_whoami', connected: false });
    const part = await use('search_tools', { query: 'ull_requ', limit: 3 });
    expect(part.tools.map((one: { name: string }) => one.name)).toEqual(['echo_list_pull_requests']);
  });

  it('lists one integration, literally and ranked', async () => {
    const literal = await use('search_tools', { query: '', integration: 'time' });
    expect(literal.tools.map((one: object) => Object.keys(one))).toEqual([
      ['name', 'description', 'integration'],
      ['name', 'description', 'integration'],
    ]);
    const ranked = await use('search_tools', { query: '', integration: 'time', limit: 50 });
    expect(ranked.tools.map((one: { name: string }) => one.name)).toEqual(['time_now', 'time_convert']);
    expect(await use('search_tools', { query: 'pull request', integration: 'time' })).toEqual({
      tools: [],
      message: expect.stringContaining('Nothing in time matches'),
    });
  });

  it('answers an unknown integration with near ones', async () => {
    expect(await use('search_tools', { query: 'x', integration: 'tyme', limit: 1 })).toEqual({
      error: 'Integration not found',
      nearest: ['time'],
    });
    expect(await use('search_tools', { query: 'x', integration: 'nope' })).toEqual({
      error: 'Integration not found',
    });
  });

  it('says what to do next when nothing is found', async () => {
    expect(await use('search_tools', { query: 'xyzzy qwrt', limit: 5 })).toEqual({
      tools: [],
      integrations: expect.arrayContaining([{ name: 'echo', about: 'A fixture', tools: 9 }]),
      message: expect.stringContaining('list_integrations'),
    });
  });

  it.each([0, 51, 1.5, '51', 'five', true])('refuses the limit %j', async (limit) => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/call', {
      name: 'search_tools',
      arguments: { query: 'x', limit },
    });
    expect(body.error?.message).toMatch(/^Invalid arguments: limit:/);
  });
});

describe('get_tool_schema', () => {
  it('returns portable JSON Schema with defaults', async () => {
    expect(await use('get_tool_schema', { tool: 'echo_list_pull_requests' })).toEqual({
      schema: {
        type: 'object',
        properties: {
          owner: { type: 'string' },
          repo: { type: 'string' },
          state: { type: 'string', enum: ['open', 'closed', 'all'], default: 'open' },
          perPage: { type: 'number', default: 10 },
          page: { type: 'number', default: 1 },
        },
        required: ['owner', 'repo'],
        additionalProperties: false,
      },
    });
  });

  it.each(['nope', '__proto__', ''])('answers Tool not found to "%s" as a normal result', async (tool) => {
    expect(await use('get_tool_schema', { tool })).toEqual({ error: 'Tool not found' });
  });
});

describe('get_tool_schema with unknown names and lists', () => {
  it('takes several names with commas between them, for less than single calls', async () => {
    const names = ['echo_list_pull_requests', 'time_now', 'time_convert'];
    const together = await use('get_tool_schema', { tool: names.join(', ') });
    expect(Object.keys(together.schemas)).toEqual(names);
    const single: { schema: unknown }[] = [];
    for (const name of names) single.push(await use('get_tool_schema', { tool: name }));
    expect(Object.values(together.schemas)).toEqual(single.map(({ schema }) => schema));
    const rpcAnswer = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '' }] } };
    const bytesOf = (answers: readonly unknown[]): number =>
      answers.reduce((sum: number, answer) => sum + JSON.stringify([rpcAnswer, answer]).length, 0);
    expect(bytesOf([together])).toBeLessThan(bytesOf(single));
  });

  it('names near tools, and says where the schemas of the nine are', async () => {
    expect(await use('get_tool_schema', { tool: 'echo_list_pull_request' })).toEqual({
      error: 'Tool not found',
      nearest: ['echo_list_pull_requests'],
    });
    expect(await use('get_tool_schema', { tool: 'execute_tools' })).toEqual({
      error: 'Tool not found',
      message: 'tools/list has the schema of execute_tools',
    });
  });

  it.each([
    ['a list', ['shout', 'nope', '__proto__']],
    ['a list as a text of JSON', '["shout", "nope", "__proto__"]'],
  ])('answers %s with a schema or an error for each name', async (_kind, tool) => {
    const { schemas } = await use('get_tool_schema', { tool });
    expect(Object.keys(schemas)).toEqual(['shout', 'nope', '__proto__']);
    expect(schemas.shout).toMatchObject({ type: 'object', required: ['text'] });
    expect(schemas.nope).toEqual({ error: 'Tool not found' });
  });

  it.each([[[]], [[1]], [Array.from({ length: 51 }, () => 'shout')], ['[shout']])(
    'refuses a list that is empty, too long or not of names',
    async (tool) => {
      const { body } = await rpc(app, ana.keyHeader, 'tools/call', {
        name: 'get_tool_schema',
        arguments: { tool },
      });
      expect(body.error).toEqual({
        code: -32602,
        message: 'Invalid arguments: tool: must be a name, or a list of 1 to 50 names',
      });
    },
  );
});

describe('execute_tools', () => {
  it('applies defaults before the handler runs', async () => {
    expect(await execute({ tool: 'echo_list_pull_requests', args: { owner: 'o', repo: 'r' } })).toEqual({
      results: [{ result: { owner: 'o', repo: 'r', state: 'open', perPage: 10, page: 1 } }],
    });
  });

  it('keeps results in order, and continues after a failure', async () => {
    const { results } = await execute(
      { tool: 'nope', args: {} },
      { tool: 'echo_fail', args: {} },
      { tool: 'vaulted_whoami', args: {} },
      { tool: 'echo_list_pull_requests', args: { owner: 'o' } },
      { tool: 'echo_list_pull_requests', args: { owner: 'o', repo: 'r', extra: 1 } },
      { tool: 'shout', args: { text: 'hey' } },
      { tool: 'echo_nothing' },
    );
    expect(results).toEqual([
      { error: 'Tool not found', integration: null, message: expect.stringContaining('"nope"') },
      { error: 'upstream said no', integration: 'echo' },
      {
        error: 'NOT_CONNECTED',
        integration: 'vaulted',
        message: expect.stringContaining('Vaulted is not connected'),
      },
      { error: 'Invalid arguments', integration: 'echo', message: expect.stringContaining('repo') },
      {
        error: 'Invalid arguments',
        integration: 'echo',
        message: 'Unrecognized key: "extra" (known: owner, repo, state, perPage, page)',
      },
      { result: 'HEY' },
      { result: null },
    ]);
  });

  it('asks whether a near tool was meant', async () => {
    const { results } = await execute({ tool: 'echo_list_pull_request' }, { tool: 'listPullRequests' });
    for (const result of results) expect(result.message).toMatch(/Did you mean echo_list_pull_requests/);
  });

  it('explains that the nine tools are called directly', async () => {
    const { results } = await execute({ tool: 'connect', args: { integration: 'vaulted' } });
    expect(results[0]).toMatchObject({
      error: 'Tool not found',
      message: expect.stringMatching(/"connect".*called directly, not through execute_tools/),
    });
  });

  it('checks arguments before the connection', async () => {
    const { results } = await execute({ tool: 'vaulted_whoami', args: { strict: 'yes' } });
    expect(results[0].error).toBe('Invalid arguments');
  });

  it('runs a tool once its integration is connected', async () => {
    const cem = await app.user('cem@example.com');
    await connect(cem.id, 'vaulted', { access_token: 'sealed' });
    expect(
      await call(app, cem.keyHeader, 'execute_tools', { executions: [{ tool: 'vaulted_whoami' }] }),
    ).toEqual({
      results: [{ result: 'me at vaulted' }],
    });
  });

  it('accepts a single execution without a list, and arguments as a text of JSON', async () => {
    const results = [{ result: 'A' }];
    expect(await use('execute_tools', { executions: { tool: 'shout', args: { text: 'a' } } })).toEqual({
      results,
    });
    expect(await execute({ tool: 'shout', args: '{"text": "a"}' })).toEqual({ results });
    const headers = { ...ana.keyHeader, 'content-type': 'application/json' };
    const body = JSON.stringify({ tool: 'shout', args: '{"text": "a"}' });
    const response = await app.request('/rest/echo', { method: 'POST', headers, body });
    expect(await response.json()).toMatchObject({ result: 'A' });
  });

  it('marks a call as an error when every execution failed', async () => {
    const isError = async (...executions: object[]) =>
      (await rpc(app, ana.keyHeader, 'tools/call', { name: 'execute_tools', arguments: { executions } })).body
        .result?.['isError'];
    const good = { tool: 'shout', args: { text: 'a' } };
    const bad = { tool: 'echo_fail' };
    expect(await isError(bad)).toBe(true);
    expect(await isError(bad, { tool: 'nope' })).toBe(true);
    expect(await isError(bad, good)).toBeUndefined();
    expect(await isError()).toBeUndefined();
  });

  it('runs eight executions at a time', async () => {
    gate.most = 0;
    const { results } = await execute(...Array.from({ length: 50 }, () => ({ tool: 'echo_wait' })));
    expect(results).toHaveLength(50);
    expect(gate.most).toBe(8);
  });

  it('truncates the text of an error at 2 KiB, between characters', async () => {
    const { results } = await execute({ tool: 'echo_fail', args: { message: 'ä'.repeat(5000) } });
    expect(results[0].error).toBe('ä'.repeat(1024));
  });

  it.each([
    ['/mcp', () => execute({ tool: 'echo_fail' })],
    [
      '/rest',
      () =>
        app.request('/rest/echo', {
          method: 'POST',
          headers: { ...ana.keyHeader, 'content-type': 'application/json' },
          body: '{"tool":"fail"}',
        }),
    ],
  ])('logs a failure at %s with the id of its request', async (_surface, fail) => {
    app.lines.length = 0;
    await fail();
    const idOf = (name: string) => app.lines.find(({ event }) => event === name)?.['requestId'];
    expect(idOf('request')).toEqual(expect.any(String));
    expect(idOf('tool failed')).toBe(idOf('request'));
  });

  it('fails an item without details when the store is unreachable', async () => {
    const list = () => Promise.reject(new Unavailable('[postgres] connection refused at 10.1.2.3'));
    const { jots } = app.deps.store;
    const store = { ...app.deps.store, jots: { ...jots, list }, close: async () => {} };
    const other = await createTestApp({ ports: { store } });
    const executions = [{ tool: 'list_jots' }, { tool: 'shout', args: { text: 'a' } }];
    expect((await call(other, ana.sessionHeader, 'execute_tools', { executions })).results).toEqual([
      {
        error: 'A service that this gateway depends on cannot be reached. Try again shortly.',
        integration: 'jots',
      },
      { result: 'A' },
    ]);
    await other.close();
  });

  it('accepts an empty batch', async () => {
    expect(await execute()).toEqual({ results: [] });
  });

  it('ignores keys like __proto__', async () => {
    const body =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"execute_tools","arguments":{"executions":[{"tool":"shout","args":{"text":"a","__proto__":{"x":1}}}]}}}';
    const response = await app.request('/mcp', { method: 'POST', headers: ana.keyHeader, body });
    expect(response.status).toBe(200);
    expect(JSON.parse((await response.json()).result.content[0].text)).toEqual({
      results: [{ result: 'A' }],
    });
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
  });
});

describe('connect and get_auth_url', () => {
  it.each(['connect', 'get_auth_url'])('return errors of %s as normal results', async (name) => {
    expect(await use(name, { integration: 'nope' })).toEqual({ error: 'Integration not found' });
    expect((await use(name, { integration: 'time' })).error).toMatch(/built in and needs no connect/);
    expect(await use(name, { integration: 'vaultet' })).toEqual({
      error: 'Integration not found',
      nearest: ['vaulted'],
    });
  });
});

describe('curl_session', () => {
  it('returns a token for 15 minutes, or as long as asked, at most an hour', async () => {
    const dov = await app.user('dov@example.com');
    await connect(dov.id, 'vaulted', { access_token: 'sealed' });
    for (const [asked, seconds] of [
      [{}, 900],
      [{ ttlSeconds: 1 }, 1],
      [{ ttlSeconds: 3_600 }, 3_600],
    ] as const) {
      const lent = await call(app, dov.keyHeader, 'curl_session', { integrations: ['vaulted'], ...asked });
      expect(lent).toEqual({
        token: expect.any(String),
        expiresIn: seconds,
        expiresAt: app.clock.now() + seconds,
        integrations: [{ name: 'vaulted', url: 'http://localhost:3000/c/vaulted' }],
        example: `curl -H "Authorization: Bearer $TOKEN" 'http://localhost:3000/c/vaulted/'`,
      });
      const grant = { userId: dov.id, actor: PERSONAL_KEY, integrations: ['vaulted'] };
      const issuedAt = app.clock.now();
      app.clock.advance(seconds - 1);
      expect(await app.deps.curlTokens.verify(lent.token)).toEqual({ ...grant, issuedAt });
      app.clock.advance(1);
      expect(await app.deps.curlTokens.verify(lent.token)).toBeNull();
    }
  });

  it('includes nothing that is not connected', async () => {
    expect(await use('curl_session', { integrations: ['vaulted'] })).toEqual({
      error: 'NOT_CONNECTED',
      integration: 'vaulted',
      message: expect.stringContaining('Vaulted is not connected'),
    });
  });

  it('names an integration that is near an unknown one', async () => {
    expect(await use('curl_session', { integrations: ['vaultet'] })).toEqual({
      error: 'Integration not found',
      integration: 'vaultet',
      nearest: ['vaulted'],
    });
  });

  it('names what it cannot include', async () => {
    expect(await use('curl_session', { integrations: ['nope'] })).toEqual({
      error: 'Integration not found',
      integration: 'nope',
    });
    expect(await use('curl_session', { integrations: ['time'] })).toEqual({
      error: 'integration does not support curl proxy',
      integration: 'time',
    });
  });

  it('includes up to twenty integrations', async () => {
    const integrations = Array.from({ length: 20 }, () => 'nope');
    expect(await use('curl_session', { integrations })).toMatchObject({ error: 'Integration not found' });
  });

  it('writes no path into its example that would end the quotes around it', async () => {
    const eve = await app.user('eve@example.com');
    await connect(eve.id, 'vaulted', { access_token: 'sealed' });
    for (const pathPrefix of ["/a'; date; '", '/a b', '/a"', '/a\n', '/ä']) {
      const asked = { integrations: ['vaulted'], pathPrefix };
      const { example } = await call(app, eve.keyHeader, 'curl_session', asked);
      expect(example).toMatch(/'http:\/\/localhost:3000\/c\/vaulted\/'$/);
    }
  });

  it.each([
    { integrations: [] },
    { integrations: Array.from({ length: 21 }, () => 'x') },
    { integrations: ['x'], ttlSeconds: 3601 },
    { integrations: ['x'], ttlSeconds: 0 },
    { integrations: ['x'], ttlSeconds: 1.5 },
    { integrations: ['x'], methods: [] },
    { integrations: ['x'], methods: ['TRACE'] },
    { integrations: ['x'], pathPrefix: 'a' },
    { integrations: ['x'], pathPrefix: '/'.padEnd(2_001, 'a') },
  ])('refuses arguments beyond its limits: %#', async (args) => {
    const { body } = await rpc(app, ana.keyHeader, 'tools/call', { name: 'curl_session', arguments: args });
    expect(body.error?.code).toBe(-32602);
  });
});
