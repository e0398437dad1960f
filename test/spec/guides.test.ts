// Tests the guides of integrations: short, gathered in one module, and naming only tools and arguments that exist.
// reference: Skills
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatherGuides } from '../../adapters/node/guides.ts';
import { integrations } from '../../integrations/all.ts';
import { guides } from '../../integrations/guides.ts';
import type { Tool } from '../../src/kit/integration.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { isObject } from '../../src/json/json.ts';
import { GATEWAY_GUIDE } from '../../src/mcp/meta-tools/gateway-guide.ts';
import { createTestApp } from '../support/test-app.ts';

const FOLDER = join(import.meta.dirname, '../../integrations');
const MAX_BYTES = 2048;
const registry = createRegistry(integrations);

const argumentsOf = ({ schema }: Pick<Tool, 'schema'>): string[] =>
  isObject(schema['properties']) ? Object.keys(schema['properties']) : [];

/** The names that stand alone in `{a, b: value, c: [x, y]}`. */
const namesIn = (list: string): string[] =>
  list.split(',').flatMap((part) => /^\s*(\w+)\s*(?::|$)/.exec(part)?.[1] ?? []);

/** What is in back-ticks and is no tool, no argument of `own`, and no call of a tool with arguments that it has. */
function unknownIn(
  text: string,
  own: readonly Pick<Tool, 'schema'>[],
  tools: Map<string, Pick<Tool, 'schema'>>,
) {
  const known = new Set(own.flatMap(argumentsOf));
  return [...text.matchAll(/`([^`]*)`/g)].flatMap(([, quoted = '']) => {
    const call = /^(\w+) \{(.*)\}$/.exec(quoted);
    if (call === null) return known.has(quoted) || tools.has(quoted) ? [] : [quoted];
    const [, name = '', list = ''] = call;
    const called = tools.get(name);
    const names = namesIn(list);
    if (called === undefined || names.length === 0) return [quoted];
    return names.filter((each) => !argumentsOf(called).includes(each)).map((each) => `${name} {${each}}`);
  });
}

const all = new Map(registry.tools.map(({ tool }) => [tool.name, tool]));

describe.each(Object.entries(guides))('the guide of %s', (name, text) => {
  const integration = registry.integration(name);

  it('is short, and begins with the name that people know', () => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
    expect(text.split('\n')[0]).toBe(`# ${integration?.displayName}`);
  });

  it('names only tools and arguments that exist', () => {
    if (integration === null) throw new Error(`there is no integration ${name}`);
    expect(unknownIn(text, registry.toolsOf(integration), all)).toEqual([]);
  });

  it('says which tools come first, and has limits and traps', () => {
    for (const heading of ['Which first', 'Ids|Names|Amounts', 'imits', 'Traps'])
      expect(text).toMatch(new RegExp(`^## .*(${heading})`, 'm'));
  });
});

it('finds a tool and an argument that do not exist', () => {
  const text = '`github_nothing`, `no_argument`, `github_get_issue {owner, nothing: 1}`, `owner`';
  const github = registry.integration('github');
  expect(unknownIn(text, github === null ? [] : registry.toolsOf(github), all)).toEqual([
    'github_nothing',
    'no_argument',
    'github_get_issue {nothing}',
  ]);
});

it('gathers every guide, and has at least 25', () => {
  expect(readFileSync(join(FOLDER, 'guides.ts'), 'utf8')).toBe(gatherGuides(FOLDER));
  expect(Object.keys(guides).length).toBeGreaterThanOrEqual(25);
});

it('has a guide of the gateway that is as short and as true', async () => {
  const app = await createTestApp();
  const listed = new Map(
    app.deps.methods
      .toolList()
      .map(({ name, inputSchema }) => [String(name), { schema: Object(inputSchema) }]),
  );
  await app.close();
  expect(Buffer.byteLength(GATEWAY_GUIDE)).toBeLessThanOrEqual(MAX_BYTES);
  expect(unknownIn(GATEWAY_GUIDE, [...listed.values()], listed)).toEqual([]);
});
