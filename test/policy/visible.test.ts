// Tests that every list shows what its caller may use, and nothing that is blocked. reference: Rules
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Limits, Rule } from '../../src/kit/actor.ts';
import { DEPOT_TOOLS, type Headers, limitedKey, openDepot, putRules } from '../support/depot.ts';
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
type Named = { name: string };
const names = (rows: readonly Named[]): string[] => rows.map(({ name }) => name);

/** Reads the names of the tools of Depot at each door. */
const TOOL_DOORS: [string, (headers: Headers) => Promise<string[]>][] = [
  [
    'search_tools',
    async (headers) => names((await call(app, headers, 'search_tools', { query: 'depot' })).tools),
  ],
  [
    'search_tools with a limit',
    async (headers) => {
      const { tools } = await call(app, headers, 'search_tools', { query: 'depot', limit: 50 });
      return names(tools);
    },
  ],
  [
    'search_tools within the integration',
    async (headers) => {
      const asked = { query: '', limit: 50, integration: 'depot' };
      return names((await call(app, headers, 'search_tools', asked)).tools);
    },
  ],
  ['GET /rest/depot', async (headers) => names((await get('/rest/depot', headers)).body.tools)],
  [
    'GET /rest/depot/openapi.json',
    async (headers) => {
      const { paths, components } = (await get('/rest/depot/openapi.json', headers)).body;
      const listed = Object.keys(paths).map((path) => path.replace('/rest/depot/', ''));
      expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining(listed));
      expect(DEPOT_TOOLS.filter((name) => name in components.schemas)).toEqual(listed);
      return listed;
    },
  ],
  ['GET /api/tools', async (headers) => names((await get('/api/tools?q=depot', headers)).body.tools)],
  [
    'GET /api/integrations/depot',
    async (headers) => names((await get('/api/integrations/depot', headers)).body.tools),
  ],
];

const INTEGRATION_DOORS: [string, (headers: Headers) => Promise<string[]>][] = [
  [
    'list_integrations',
    async (headers) => names((await call(app, headers, 'list_integrations')).integrations),
  ],
  ['GET /rest', async (headers) => names((await get('/rest', headers)).body.integrations)],
  [
    'GET /api/integrations',
    async (headers) => names((await get('/api/integrations', headers)).body.integrations),
  ],
  [
    'GET /api/connections',
    async (headers) => names((await get('/api/connections', headers)).body.connections),
  ],
];

const READING = ['depot_list_crates', 'depot_request'];
const ALL = ['time', 'echo', 'vaulted', 'keyed', 'jar', 'depot', 'shredder', 'jots', 'events', 'files'];
const WITHOUT_SHREDDER = ALL.filter((name) => name !== 'shredder');

describe.each(TOOL_DOORS)('%s', (_door, toolsAt) => {
  const sorted = async (headers: Headers) => (await toolsAt(headers)).toSorted();

  it.each<[string, Limits, string[]]>([
    ['shows a key without limits all tools', {}, DEPOT_TOOLS],
    ['shows a key that may only read the tools that read', { access: 'read' }, READING],
    [
      'shows a key that may write the tools that read and write',
      { access: 'write' },
      ['depot_list_crates', 'depot_store_crate', 'depot_request'],
    ],
    ['shows a key of this integration all of its tools', { integrations: ['depot', 'echo'] }, DEPOT_TOOLS],
    [
      'leaves out a tool that a rule of the key blocks',
      { rules: [{ tool: 'depot_store_crate', decision: 'block' }] },
      ['depot_list_crates', 'depot_delete_crate', 'depot_request'],
    ],
    [
      'shows a tool that a rule of the key asks about',
      { rules: [{ tool: 'depot_store_crate', decision: 'ask' }] },
      DEPOT_TOOLS,
    ],
  ])('%s', async (_what, limits, expected) => {
    expect(await sorted(await keyWith(limits))).toEqual(expected.toSorted());
  });

  it('leaves out for every key what the rules of the person or of everyone block', async () => {
    await putRules(app, [{ access: 'destroy', decision: 'block' }]);
    await putRules(app, [{ integration: 'depot', access: 'write', decision: 'block' }], ana.id);
    expect(await sorted(ana.keyHeader)).toEqual(READING.toSorted());
    expect(await sorted(await keyWith({}))).toEqual(READING.toSorted());
  });

  it('shows the next request of everybody what the rules allow now', async () => {
    await putRules(app, [{ access: 'destroy', decision: 'block' }]);
    expect(await toolsAt(ana.keyHeader)).not.toContain('depot_delete_crate');
    await putRules(app, []);
    expect(await sorted(ana.keyHeader)).toEqual(DEPOT_TOOLS.toSorted());
  });

  it('does not show one caller what another one was shown', async () => {
    const reader = await keyWith({ access: 'read' });
    expect(await sorted(reader)).toEqual(READING.toSorted());
    expect(await sorted(ana.keyHeader)).toEqual(DEPOT_TOOLS.toSorted());
    expect(await sorted(reader)).toEqual(READING.toSorted());
  });
});

describe.each(INTEGRATION_DOORS)('%s', (_door, integrationsAt) => {
  it.each<[string, Limits, string[]]>([
    ['lists everything for a key without limits', {}, ALL],
    ['leaves out an integration that a key cannot use at all', { access: 'write' }, WITHOUT_SHREDDER],
    ['lists the integrations of a key', { integrations: ['depot', 'files', 'nope'] }, ['depot', 'files']],
    [
      'leaves out an integration that a rule blocks as a whole',
      { rules: [{ integration: 'shredder', decision: 'block' }] },
      WITHOUT_SHREDDER,
    ],
    [
      'lists an integration of which one tool is allowed',
      {
        rules: [
          { decision: 'block' },
          { tool: 'depot_list_crates', decision: 'allow' },
          { tool: 'shout', decision: 'ask' },
        ],
      },
      ['echo', 'depot'],
    ],
  ])('%s', async (_what, limits, expected) => {
    expect(await integrationsAt(await keyWith(limits))).toEqual(expected);
  });

  it('leaves out for the personal key what the rules of the person block', async () => {
    await putRules(app, [{ integration: 'shredder', decision: 'block' }], ana.id);
    expect(await integrationsAt(ana.keyHeader)).toEqual(WITHOUT_SHREDDER);
  });
});

it('counts only the tools that a key may use', async () => {
  const reader = await keyWith({ access: 'read' });
  for (const path of ['/rest', '/api/integrations']) {
    const { integrations } = (await get(path, reader)).body;
    expect(integrations.find(({ name }: Named) => name === 'depot').toolCount).toBe(2);
    expect(integrations.find(({ name }: Named) => name === 'jots').toolCount).toBe(2);
  }
});

describe('search_tools', () => {
  it('ranks before it counts to the limit, without what is blocked', async () => {
    const best = async (headers: Headers) =>
      names((await call(app, headers, 'search_tools', { query: 'delete a crate', limit: 1 })).tools);
    expect(await best(ana.keyHeader)).toEqual(['depot_delete_crate']);
    const [other] = await best(await keyWith({ access: 'write' }));
    expect(['depot_list_crates', 'depot_store_crate']).toContain(other);
  });

  it('does not suggest what is blocked', async () => {
    const suggested = async (headers: Headers) =>
      names((await call(app, headers, 'search_tools', { query: 'delete the crates' })).suggestions ?? []);
    expect(await suggested(ana.keyHeader)).toContain('depot_delete_crate');
    const fewer = await suggested(await keyWith({ access: 'read' }));
    expect(fewer).toContain('depot_list_crates');
    expect(fewer).not.toContain('depot_delete_crate');
  });

  it('says which hits a person has to approve, only in ranked hits', async () => {
    const key = await keyWith({ rules: [{ access: 'destroy', decision: 'ask' }] });
    const ranked = (await call(app, key, 'search_tools', { query: 'depot crates', limit: 9 })).tools;
    const approvals = ranked.map(({ name, approval }: Named & { approval?: string }) => [name, approval]);
    expect(Object.fromEntries(approvals)).toMatchObject({ depot_delete_crate: 'required' });
    expect(approvals.filter(([, approval]: string[]) => approval !== undefined)).toHaveLength(1);
    const literal = (await call(app, key, 'search_tools', { query: 'depot_delete_crate' })).tools;
    expect(literal).toEqual([
      { name: 'depot_delete_crate', description: 'Delete a crate for good', integration: 'depot' },
    ]);
  });

  it('does not recommend a tool that is blocked where nothing matches', async () => {
    const { message } = await call(app, await keyWith({ integrations: ['time'] }), 'search_tools', {
      query: 'qqqq',
    });
    expect(message).not.toContain('web_fetch');
  });
});

describe('get_tool_schema', () => {
  const schemaOf = (headers: Headers, tool: string) => call(app, headers, 'get_tool_schema', { tool });

  it('says that a person has to approve a tool', async () => {
    const key = await keyWith({ rules: [{ tool: 'depot_delete_crate', decision: 'ask' }] });
    const { schema } = await schemaOf(ana.keyHeader, 'depot_delete_crate');
    expect(await schemaOf(key, 'depot_delete_crate')).toEqual({ schema, approval: 'required' });
    const both = JSON.stringify(['depot_delete_crate', 'depot_list_crates']);
    const { schemas } = await schemaOf(ana.keyHeader, both);
    expect(await schemaOf(key, both)).toEqual({ schemas, approvals: { depot_delete_crate: 'required' } });
  });

  it('answers for a blocked tool as execute_tools does', async () => {
    const key = await keyWith({ access: 'read' });
    const executions = [{ tool: 'depot_delete_crate', args: {} }];
    const [blocked] = (await call(app, key, 'execute_tools', { executions })).results;
    expect(blocked).toEqual({ error: 'BLOCKED', integration: 'depot', message: expect.any(String) });
    expect(await schemaOf(key, 'depot_delete_crate')).toEqual(blocked);
    expect((await schemaOf(key, '["depot_delete_crate"]')).schemas).toEqual({ depot_delete_crate: blocked });
  });
});

describe('a session of the portal', () => {
  const rules: Rule[] = [
    { tool: 'depot_delete_crate', decision: 'block' },
    { tool: 'depot_store_crate', decision: 'ask' },
  ];
  const decided = {
    depot_list_crates: {},
    depot_store_crate: { decision: 'ask', decidedBy: 'person' },
    depot_delete_crate: { decision: 'block', decidedBy: 'everyone' },
  };

  it.each([
    ['/api/tools?q=_crate', ['integration', 'access']],
    ['/api/integrations/depot', []],
  ])('sees all tools at %s, and what decides about each', async (path, others) => {
    await putRules(app, rules.slice(0, 1));
    await putRules(app, rules.slice(1), ana.id);
    const { tools } = (await get(path, ana.sessionHeader)).body;
    const shown = Object.fromEntries(
      tools.map(({ name, description: _, ...rest }: Named & { description: string }) => [name, rest]),
    );
    for (const [name, expected] of Object.entries(decided)) {
      const { integration: _, access: __, ...judged } = shown[name];
      expect(judged).toEqual(expected);
      expect(Object.keys(shown[name]).toSorted()).toEqual([...others, ...Object.keys(expected)].toSorted());
    }
  });

  it.each(['/api/tools?q=_crate', '/api/integrations/depot'])(
    'sees at %s what would happen after content from outside, and to results',
    async (path) => {
      await putRules(app, [
        { tool: 'depot_delete_crate', decision: 'block' },
        { access: 'write', after: 'outside', decision: 'ask' },
        { access: 'destroy', after: 'outside', decision: 'ask' },
        { tool: 'depot_list_crates', redact: 'secrets', decision: 'allow' },
      ]);
      const { tools } = (await get(path, ana.sessionHeader)).body;
      const of = (wanted: string) => tools.find(({ name }: Named) => name === wanted);
      expect(of('depot_list_crates')).toMatchObject({ redact: ['secrets'] });
      expect(of('depot_list_crates')).not.toHaveProperty('afterOutside');
      expect(of('depot_store_crate')).toMatchObject({ afterOutside: 'ask' });
      expect(of('depot_store_crate')).not.toHaveProperty('decision');
      // It is blocked already.
      expect(of('depot_delete_crate')).toMatchObject({ decision: 'block' });
      expect(of('depot_delete_crate')).not.toHaveProperty('afterOutside');
    },
  );

  it('sees blocked integrations in the portal and not at the doors of agents', async () => {
    await putRules(app, [{ integration: 'shredder', decision: 'block' }], ana.id);
    const [integrations, tools, connections, rest] = INTEGRATION_DOORS.map(([door]) => door);
    const at = (door: string | undefined) =>
      INTEGRATION_DOORS.find(([name]) => name === door)?.[1](ana.sessionHeader);
    expect(await at(tools)).not.toContain('shredder');
    expect(await at(integrations)).not.toContain('shredder');
    expect(await at(connections)).toEqual(ALL);
    expect(await at(rest)).toEqual(ALL);
  });
});

describe('GET /rest/:integration', () => {
  it('says which tools a person has to approve, as its description does', async () => {
    const key = await keyWith({ rules: [{ tool: 'depot_delete_crate', decision: 'ask' }] });
    const { tools } = (await get('/rest/depot', key)).body;
    const asked = tools.filter((tool: object) => 'approval' in tool);
    expect(asked).toEqual([expect.objectContaining({ name: 'depot_delete_crate', approval: 'required' })]);
    const { paths } = (await get('/rest/depot/openapi.json', key)).body;
    expect(paths['/rest/depot/depot_delete_crate'].post['x-approval']).toBe('required');
    expect(paths['/rest/depot/depot_list_crates'].post).not.toHaveProperty('x-approval');
  });
});

describe('a caller without rules and limits', () => {
  it('is given the registry itself, without a copy', async () => {
    const caller = { userId: ana.id, actor: { id: 'key', name: null, clientId: null, limits: [] } };
    expect(await app.deps.visibility.of(caller)).toBe(app.deps.registry);
  });

  it('reads in every list what it read before there were rules', async () => {
    const { tools, integrations } = app.deps.registry;
    const rows = tools.map(({ tool: { name, description, access }, integration }) => ({
      name,
      description,
      access,
      integration: integration.name,
    }));
    expect((await get('/api/tools', ana.keyHeader)).body).toEqual({ tools: rows });
    expect((await get('/api/tools', ana.sessionHeader)).body).toEqual({ tools: rows });
    expect((await call(app, ana.keyHeader, 'search_tools', { query: '' })).tools).toEqual(
      rows.map(({ access: _, ...found }) => found),
    );
    for (const integration of integrations) {
      const own = app.deps.registry.toolsOf(integration);
      expect((await get(`/rest/${integration.name}`, ana.keyHeader)).body.tools).toEqual(
        own.map(({ name, description, schema }) => ({ name, description, inputSchema: schema })),
      );
      expect((await get(`/api/integrations/${integration.name}`, ana.keyHeader)).body.tools).toEqual(
        own.map(({ name, description }) => ({ name, description })),
      );
    }
    const [hit] = (await call(app, ana.keyHeader, 'search_tools', { query: 'delete a crate', limit: 1 }))
      .tools;
    expect(Object.keys(hit).toSorted()).toEqual(
      ['name', 'description', 'integration', 'connected', 'access', 'signature'].toSorted(),
    );
    expect(Object.keys(await call(app, ana.keyHeader, 'get_tool_schema', { tool: 'time_now' }))).toEqual([
      'schema',
    ]);
  });
});
