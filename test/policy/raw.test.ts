// Tests what a raw request counts as, and which rules hold for it. reference: Rules; decision: 038
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImportSettings } from '../../src/imports/model/settings.ts';
import { type Decision, PERSONAL_KEY, type Rule } from '../../src/kit/actor.ts';
import type { RawTool } from '../../src/kit/integration.ts';
import type { ImportToolRecord } from '../../src/ports/records.ts';
import { accessOfMethod, highestAccess, isOfKind } from '../../src/policy/model/raw-access.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const LEVELS = ['read', 'read', 'read', 'write', 'write', 'write', 'destroy'];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

function builtIn(name: string) {
  const integration = app.deps.registry.integration(name);
  if (integration === null) throw new Error(`there is no ${name}`);
  return integration;
}

/** What the rules decide about a raw request with each method. */
async function decisions(name: string, rules: readonly Rule[]): Promise<Record<string, Decision>> {
  const integration = builtIn(name);
  const actor = { ...PERSONAL_KEY, limits: [{ rules }] };
  const permissions = await app.deps.gate.permissionsOf({ userId: 'ana', actor });
  const tools = app.deps.registry.toolsOf(integration);
  const decide = (method: string) => permissions.ofRequest(integration, tools, [method]).decision;
  return Object.fromEntries(METHODS.map((method) => [method, decide(method)]));
}

const all = (decision: Decision): Record<string, Decision> =>
  Object.fromEntries(METHODS.map((method) => [method, decision]));

describe('the access of a raw request', () => {
  it('comes from its method', () => {
    expect(METHODS.map(accessOfMethod)).toEqual(LEVELS);
    expect(METHODS.map((method) => highestAccess(builtIn('github'), [method]))).toEqual(LEVELS);
    expect(accessOfMethod('PURGE')).toBe('destroy');
  });

  it.each(['slack', 'jenkins', 'linear'])(
    'is destroy for every method where methods mean nothing: %s',
    (name) => {
      expect(new Set(METHODS.map((method) => highestAccess(builtIn(name), [method])))).toEqual(
        new Set(['destroy']),
      );
    },
  );

  it('is destroy for all but reading where a POST names what it does: mediawiki', () => {
    expect(METHODS.map((method) => highestAccess(builtIn('mediawiki'), [method]))).toEqual([
      ...Array<string>(3).fill('read'),
      ...Array<string>(4).fill('destroy'),
    ]);
  });
});

describe('a rule for an access level', () => {
  it('holds for each request that may turn out to have the level', async () => {
    for (const access of ['read', 'write', 'destroy'] as const) {
      expect(await decisions('slack', [{ access, decision: 'ask' }])).toEqual(all('ask'));
      expect(await decisions('linear', [{ access, decision: 'block' }])).toEqual(all('block'));
    }
    const wiki = await decisions('mediawiki', [{ access: 'write', decision: 'block' }]);
    expect(wiki).toEqual({ ...all('block'), GET: 'allow', HEAD: 'allow', OPTIONS: 'allow' });
  });

  it('is not lifted for such a request by a milder one for a higher level', async () => {
    const rules: Rule[] = [
      { access: 'write', decision: 'block' },
      { access: 'destroy', decision: 'allow' },
    ];
    expect((await decisions('slack', rules))['GET']).toBe('block');
  });
});

describe('a rule for a tool', () => {
  const tool = (more: Partial<RawTool>): RawTool => ({ name: 'a_tool', access: 'read', ...more });
  const github = { api: { base: 'https://api.github.com', credential: { in: 'bearer' } } } as const;

  it.each<[string, RawTool, string[]]>([
    ['that read, when it reads', tool({}), ['GET', 'HEAD', 'OPTIONS']],
    [
      'of its access',
      tool({ access: 'write', request: { method: 'POST', path: '/issues' } }),
      ['POST', 'PUT', 'PATCH'],
    ],
    [
      'that change anything, when it writes without naming its request',
      tool({ access: 'write' }),
      ['POST', 'PUT', 'PATCH', 'DELETE'],
    ],
    [
      'that change anything, when it deletes without naming its request',
      tool({ access: 'destroy' }),
      ['POST', 'PUT', 'PATCH', 'DELETE'],
    ],
    [
      'of its method, when its access is another one',
      tool({ access: 'read', request: { method: 'POST', path: '/search' } }),
      ['GET', 'HEAD', 'OPTIONS', 'POST'],
    ],
    [
      'of its method, when it deletes by it',
      tool({ access: 'destroy', request: { method: 'PUT', path: '/trash' } }),
      ['PUT', 'DELETE'],
    ],
    ['of every kind, when it sends any request', tool({ methodsOf: () => ['GET'] }), METHODS],
  ])('holds for raw requests %s', (_name, each, methods) => {
    expect(METHODS.filter((method) => isOfKind(github, each, method))).toEqual(methods);
  });

  it('holds for every raw request where methods mean nothing', async () => {
    expect(await decisions('slack', [{ tool: 'slack_list_channels', decision: 'block' }])).toEqual(
      all('block'),
    );
    expect(await decisions('slack', [{ tool: 'github_get_me', decision: 'block' }])).toEqual(all('allow'));
  });

  it('holds for raw requests that could do the same, and for no others', async () => {
    const decided = await decisions('github', [{ tool: 'github_merge_pull_request', decision: 'ask' }]);
    expect(decided).toMatchObject({ GET: 'allow', PUT: 'ask' });
  });

  it('that sends any request holds for all of them', async () => {
    expect(await decisions('github', [{ tool: 'github_request', decision: 'block' }])).toEqual(all('block'));
  });
});

describe('an import whose calls all have one address', () => {
  it.each([
    ['an MCP server', 'mcp', undefined, 'destroy'],
    [
      'a GraphQL endpoint',
      'openapi',
      { graphql: 'query', address: 'https://api.example/graphql' },
      'destroy',
    ],
    ['an OpenAPI service', 'openapi', { method: 'GET', path: '/x', parameters: [], accepts: [] }, 'read'],
  ] as const)('lets a raw request of %s count as it can do', async (name, kind, operation, access) => {
    const ana = await app.user(`${kind}-${access}@example.com`);
    const id = app.deps.random.uuid();
    const settings = await createImportSettings(app.deps).seal(id, {
      auth: { type: 'headers', headers: { 'x-key': '{key}' } },
      include: null,
      exclude: [],
      access: {},
      isListed: true,
      base: 'https://api.example',
    });
    const definition = {
      source: 'a',
      description: '',
      origin: '',
      inputSchema: {},
      access: 'read',
      operation,
    };
    const tool: ImportToolRecord = {
      import_id: id,
      name: 'acme_a',
      position: 0,
      state: 'granted',
      definition: JSON.stringify(definition),
      digest: 'd',
      found: null,
      found_digest: null,
    };
    const record = {
      id,
      owner: ana.id,
      name: 'acme',
      kind,
      display_name: name,
      description: '',
      address: 'https://api.example/a',
      settings,
      created_by: ana.id,
      created_at: 1,
      updated_at: 1,
      checked_at: 1,
      check_error: null,
      version: '1',
    };
    expect(await app.deps.store.imports.create(record, [tool], 10)).toBe('created');
    const integration = await app.deps.registries.integration(ana.id, 'acme');
    expect(integration?.tools.map(({ name }) => name)).toEqual(['acme_a']);
    expect(highestAccess(integration ?? {}, ['GET'])).toBe(access);
    // A rule for the tool of an operation holds for raw requests of its method, whatever its importer says that it does.
    const isOperation = operation !== undefined && 'method' in operation;
    expect(integration?.tools[0]?.request).toEqual(isOperation ? { method: 'GET', path: '/x' } : undefined);
  });
});
