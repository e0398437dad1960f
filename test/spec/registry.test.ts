// Tests the registry, and the rules for every shipped integration. Checks the registry, and what every shipped integration has to have. reference: Tool descriptor; Integration descriptor
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { defineIntegration, type Integration, tool } from '../../src/kit/integration.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { createTestApp } from '../support/test-app.ts';

/** Has a file for each integration, with the tools as clients see them. */
const REVIEWED = join(import.meta.dirname, '__snapshots__/tools');

function make(name: string, tools: readonly string[] = []): Integration {
  return defineIntegration({
    name,
    version: '1',
    displayName: name,
    description: name,
    categories: [],
    logo: null,
    auth: { type: 'none' },
    tools: tools.map((each) =>
      tool(
        each,
        `${each} of ${name}`,
        () => ({}),
        () => name,
      ),
    ),
  });
}

describe('the registry', () => {
  it.each([
    'providers',
    'me',
    'logout',
    'hosted',
    'idp',
    'plugin',
    'apikey',
    'cookie',
    '',
    'Upper',
    'a-b',
    'a b',
    'ä',
    'x'.repeat(65),
  ])('refuses the integration name "%s" at start', (name) => {
    expect(() => createRegistry([make(name)])).toThrow(TypeError);
  });

  it('accepts a name of 64 characters, for an integration and for a tool', () => {
    const name = 'x_1'.padEnd(64, '9');
    expect(createRegistry([make(name, [name])]).tool(name)?.integration.name).toBe(name);
    expect(() => createRegistry([make('a', [`${name}x`])])).toThrow(/tool name/);
  });

  it('refuses a duplicate integration name and an invalid tool name', () => {
    expect(() => createRegistry([make('a'), make('a')])).toThrow(/twice/);
    expect(() => createRegistry([make('a', ['a.b'])])).toThrow(/tool name/);
  });

  it('lets a later tool replace an earlier one of the same name', () => {
    const [first, second] = [make('a', ['same', 'a_one']), make('b', ['same', 'b_one'])];
    const registry = createRegistry([first, second]);
    expect(registry.tools.map(({ tool: { name } }) => name)).toEqual(['same', 'a_one', 'b_one']);
    expect(registry.tool('same')?.integration).toBe(second);
    expect(registry.toolOf(first, 'same')).toBeNull();
    expect(registry.toolsOf(first).map(({ name }) => name)).toEqual(['a_one']);
  });

  it('keeps an integration that has no tool left', () => {
    const [first, second] = [make('a', ['same']), make('b', ['same'])];
    const registry = createRegistry([first, second]);
    expect(registry.integrations).toEqual([first, second]);
    expect(registry.toolsOf(first)).toEqual([]);
  });
});

describe('the raw request tool', () => {
  const toolNames = (integration: Integration) =>
    createRegistry([integration]).tools.map(({ tool: { name } }) => name);

  it('exists where a connection is a token or a key, and where there is an API', () => {
    const api: Integration['api'] = { base: 'https://a.example', credential: { in: 'bearer' } };
    const oauth2: Integration['auth'] = {
      type: 'oauth2',
      authorizeUrl: 'https://a.example/authorize',
      tokenUrl: 'https://a.example/token',
      scopes: [],
      clientAuth: 'post',
    };
    const apikey: Integration['auth'] = { type: 'apikey', fields: [] };
    const bare = make('a', ['a_one']);
    for (const auth of [oauth2, apikey]) {
      expect(toolNames({ ...bare, auth, api })).toEqual(['a_one', 'a_request']);
      expect(toolNames({ ...bare, auth })).toEqual(['a_one']);
    }
    expect(toolNames({ ...bare, api })).toEqual(['a_one']);
  });

  it('shows a path of the API without placeholders as an example', () => {
    const [sentry] = integrations.filter(({ name }) => name === 'sentry');
    if (sentry === undefined) throw new Error('no integration');
    expect(createRegistry([sentry]).tool('sentry_request')?.tool.schema).toMatchObject({
      properties: { path: { description: expect.stringContaining('such as /api/0/organizations/') } },
    });
  });
});

describe('a tool name within an integration', () => {
  it('is found by its suffix, even when another integration has a tool of that name', () => {
    const [plain, prefixed] = [make('plain', ['list', 'plain_get']), make('b', ['b_list'])];
    const registry = createRegistry([plain, prefixed]);
    const find = (integration: Integration, name: string) => registry.toolOf(integration, name)?.tool.name;
    expect(find(prefixed, 'list')).toBe('b_list');
    expect(find(plain, 'list')).toBe('list');
    expect(find(plain, 'get')).toBe('plain_get');
    expect(find(plain, 'b_list')).toBeUndefined();
  });
});

describe('every shipped integration', () => {
  const registry = createRegistry(integrations);

  it.each(integrations)('keeps its tools as they are reviewed: $name', async (integration) => {
    const shown = registry.toolsOf(integration).map(({ name, description, access, schema }) => ({
      name,
      description,
      access,
      schema,
    }));
    await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(
      join(REVIEWED, `${integration.name}.json`),
    );
  });

  it('has unique, prefixed tool names and a description', () => {
    const names = integrations.flatMap(({ tools }) => tools.map(({ name }) => name));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { name, displayName, description, version, logo, tools } of integrations) {
      expect({ name, displayName, description, version }).toEqual({
        name,
        displayName: expect.stringMatching(/./),
        description: expect.stringMatching(/./),
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
      // All logos have one size, and each one has a background of its own.
      expect(logo, name).toMatch(
        /^<svg [^>]*viewBox="0 0 40 40"[^>]*><rect width="40" height="40".*<\/svg>$/s,
      );
      expect(tools.map((each) => each.name).filter((each) => !each.startsWith(`${name}_`))).toEqual([]);
    }
  });

  it('describes each tool and its arguments with a strict, portable schema', () => {
    for (const { tool: each } of registry.tools) {
      const { name } = each;
      expect(each.description, name).toMatch(/^.{11,}$/s);
      expect(each.schema, name).toMatchObject({
        type: 'object',
        properties: {},
        required: expect.any(Array),
        additionalProperties: false,
      });
      expect(JSON.stringify(each.schema), name).not.toMatch(/\$schema|9007199254740991/);
      expect(each.schema, name).not.toHaveProperty('anyOf');
      expect(JSON.stringify(each.schema), name).not.toMatch(/"format":"(?!(date|date-time|uri)")/);
      expect(each.parse({ surely_not_an_argument: 1 }).ok, name).toBe(false);
    }
  });

  it('is listed in its place, and no file is left of one that is gone', () => {
    const names = integrations.map(({ name }) => name);
    expect(names).toMatchSnapshot();
    const files = new Set(names.map((name) => `${name}.json`));
    expect(readdirSync(REVIEWED).filter((file) => !files.has(file))).toEqual([]);
  });
});

describe('the start of the application', () => {
  it('builds no schema of a tool', async () => {
    const kept = make('kept', ['kept_one']);
    const [one] = kept.tools;
    if (one === undefined) throw new Error('no tool');
    let looks = 0;
    const watched = Object.defineProperty({ ...one }, 'schema', {
      enumerable: true,
      get: () => {
        looks++;
        return one.schema;
      },
    });
    const app = await createTestApp({ ports: { integrations: [{ ...kept, tools: [watched] }] } });
    expect(looks).toBe(0);
    await app.close();
  });
});
