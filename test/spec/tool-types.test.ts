// Compiles what get_tool_schema declares in TypeScript: every built-in tool, tools of real servers, hostile and made-up
// schemas, in one program of the real `tsc --strict`. reference: Meta-tools
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { integrations } from '../../integrations/all.ts';
import { createRegistry } from '../../src/kit/registry.ts';
import { declareTools } from '../../src/mcp/meta-tools/declarations.ts';
import { signatureOf } from '../../src/search/signature.ts';
import type { Integration, Tool } from '../../src/kit/integration.ts';
import type { RegisteredTool } from '../../src/kit/registry.ts';
import { type Chance, chanceOf } from '../fuzz/chance.ts';
import { PROGRAMS } from '../support/mcp-servers.ts';
import { call } from '../support/mcp.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

const run = promisify(execFile);
const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
const INTEGRATION: Integration = {
  name: 'made',
  version: '1.0.0',
  displayName: 'Made',
  description: '',
  categories: [],
  logo: null,
  auth: { type: 'none' },
  tools: [],
};

let folder: string;
let app: TestApp;
let ana: TestUser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'types-'));
  app = await createTestApp();
  ana = await app.user('owner@localhost');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const registered = (name: string, schema: object, more: Partial<Tool> = {}): RegisteredTool => ({
  tool: {
    name,
    description: 'Does it',
    access: 'read',
    schema: { ...schema },
    parse: (value) => ({ ok: true, value }),
    run: () => null,
    ...more,
  },
  integration: INTEGRATION,
});

/** Each text is a module of its own. Returns what tsc says, which is nothing for good types. */
async function compile(texts: readonly string[]): Promise<string> {
  const files = await Promise.all(
    texts.map(async (text, at) => {
      const file = join(folder, `types-${at}.ts`);
      await writeFile(file, `${text}\nexport {};\n`);
      return file;
    }),
  );
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'esnext',
    '--types',
    '',
    '--ignoreConfig',
  ];
  try {
    await run(process.execPath, [TSC, ...options, ...files], { cwd: folder, maxBuffer: 1 << 26 });
    return '';
  } catch (error) {
    return String(Reflect.get(Object(error), 'stdout')).slice(0, 2_000);
  }
}

const KEYS = [
  'a',
  'b-c',
  '__proto__',
  'constructor',
  '$ref',
  '1',
  '',
  'ä',
  '*/',
  '"',
  '\\',
  '\ud800',
  'function',
];
const VALUES = ['x', -0, Infinity, 1.5, null, true, { a: 1 }, '\u2028', '`${x}`', [1]];

/** Makes a schema of anything. */
function makeUp(chance: Chance, depth: number): Record<string, unknown> {
  const inner = (): unknown => (chance.below(12) === 0 ? chance.below(2) === 0 : makeUp(chance, depth - 1));
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: chance.below(most + 1) }, make);
  const kind = depth <= 0 ? chance.below(4) : chance.below(12);
  switch (kind) {
    case 0:
      return {
        type: chance.pick(['string', 'integer', 'boolean', 'null', 'odd']),
        nullable: chance.below(3) === 0,
      };
    case 1:
      return { $ref: chance.pick(['#', '#/$defs/x', '#/$defs/y', '#/properties/a', '#/gone', 'other']) };
    case 2:
      return { enum: some(4, () => chance.pick(VALUES)) };
    case 3:
      return { const: chance.pick(VALUES), description: chance.pick(KEYS) };
    case 4:
      return { type: 'array', items: inner() };
    case 5:
      return { type: 'array', items: some(3, inner), additionalItems: inner(), minItems: chance.below(3) };
    case 6:
      return { prefixItems: some(3, inner), items: inner() };
    case 7:
      return { anyOf: some(3, inner), ...(chance.below(2) === 0 ? makeUp(chance, depth - 1) : {}) };
    case 8:
      return { oneOf: some(3, inner) };
    case 9:
      return { allOf: some(3, inner) };
    default:
      return {
        type: chance.pick(['object', ['object', 'null', 'array']]),
        properties: Object.fromEntries(some(4, () => [chance.pick(KEYS), inner()])),
        required: some(3, () => chance.pick(KEYS)),
        additionalProperties: inner(),
        description: chance.pick(KEYS),
      };
  }
}

/** Makes a call of a signature: every argument gets a value of the type that the signature gives it. */
function callOf(signature: string): string {
  const [, name = '', members] = /^(\w+)\((?:\{(.*)\})?\)$/s.exec(signature) ?? [];
  if (members === undefined) return `${name}()`;
  // Commas inside braces are those of a member.
  const parts = members.split(/, (?![^{]*\})/).filter((part) => part !== '…');
  return `${name}({${parts.map(memberOf).join(', ')}})`;
}

function memberOf(part: string): string {
  const [, key = '', type = 'string'] = /^("(?:[^"\\]|\\.)*"|[\w$]+)\??(?:: (.*))?$/s.exec(part) ?? [];
  return `${key}: ${valueOf(type)}`;
}

function valueOf(type: string): string {
  if (type.endsWith('[]')) return '[]';
  const [first = ''] = type.split('|');
  if (first === 'string') return "'x'";
  if (first === 'number') return '1';
  if (first === 'boolean') return 'true';
  if (first === 'null') return 'null';
  if (first === 'any' || first.startsWith('{')) return '{} as any';
  return JSON.stringify(first);
}

const declared = (...tools: RegisteredTool[]): string => declareTools(tools);
const madeFrom = (schema: object): string => declared(registered('made_it', schema));

describe('types of tools', () => {
  it('compile for every built-in tool, one by one and as they are asked for together', async () => {
    const all = createRegistry(integrations).tools;
    expect(all.length).toBeGreaterThan(900);
    const texts = [];
    for (let at = 0; at < all.length; at += 20) texts.push(declareTools(all.slice(at, at + 20)));
    expect(await compile(texts)).toBe('');
  });

  it('compile for hard schemas', async () => {
    const list = { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } } };
    const texts = [
      madeFrom({
        ...list,
        type: 'object',
        properties: { head: { $ref: '#/$defs/node' } },
        required: ['head'],
      }),
      madeFrom({ type: 'object', properties: { me: { $ref: '#' } } }),
      madeFrom({
        $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, { type: 'null' }] }, b: { $ref: '#/$defs/a' } },
        $ref: '#/$defs/a',
      }),
      madeFrom({
        $defs: {
          a: { anyOf: [{ type: 'object', properties: { b: { $ref: '#/$defs/b' } } }, { $ref: '#/$defs/b' }] },
          b: { oneOf: [{ $ref: '#/$defs/a' }, { type: 'number' }] },
        },
        type: 'object',
        properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b' } },
      }),
      madeFrom({
        type: 'object',
        properties: { 'a-b': {}, '': {}, __proto__x: {}, constructor: {}, '"\n\u2028': {}, class: {} },
      }),
      madeFrom({
        type: 'object',
        properties: { x: { type: 'string', description: 'ends */ here\n*/ /* `${1}`' } },
      }),
      madeFrom({
        type: 'object',
        properties: {
          t: {
            type: 'array',
            items: [{ type: 'string' }, { type: 'number' }],
            minItems: 1,
            additionalItems: false,
          },
        },
      }),
      madeFrom({
        type: 'object',
        properties: {
          t: { type: 'array', prefixItems: [{ enum: ['a', 1, null, { b: 1 }] }], items: { type: 'boolean' } },
        },
      }),
      madeFrom({
        type: 'object',
        properties: { e: { enum: [] }, c: { const: -1 }, n: { type: ['string', 'null'] }, f: false },
      }),
      madeFrom({
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'number' } } },
        ],
      }),
      madeFrom({ $ref: '#/nowhere', $defs: {} }),
      madeFrom({ $ref: 'https://example.com/x.json' }),
      declared(registered('made_weird-näme', {}), registered('other', {}), registered('made_class', {})),
      declareTools([]),
    ];
    expect(await compile(texts)).toBe('');
  });

  it.each(['everything', 'memory', 'sequential-thinking'] as const)('compile for %s', async (name) => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAMS[name]], stderr: 'ignore' }),
    );
    const { tools } = await client.listTools();
    await client.close();
    const all = tools.map((tool) =>
      registered(`made_${tool.name}`, tool.inputSchema, {
        description: tool.description ?? '',
        ...(tool.outputSchema === undefined
          ? {}
          : { output: { schema: { ...tool.outputSchema }, fits: () => true } }),
      }),
    );
    expect(await compile([declareTools(all)])).toBe('');
  });

  it('compile for made-up schemas', async () => {
    const texts = Array.from({ length: 600 }, (_, run) => {
      const chance = chanceOf(run);
      const [one, x, output] = [makeUp(chance, 4), makeUp(chance, 3), makeUp(chance, 3)];
      const $defs = { x, y: makeUp(chance, 2) };
      const more = { output: { schema: { ...output, $defs }, fits: () => true } };
      return declared(registered('made_it', { ...one, $defs }, more));
    });
    expect(await compile(texts)).toBe('');
  });

  it('say what a script may write', async () => {
    const text = declared(
      registered(
        'made_list',
        {
          type: 'object',
          properties: {
            owner: { type: 'string', description: 'Whose' },
            state: { enum: ['open', 'closed'], default: 'open' },
          },
          required: ['owner'],
          additionalProperties: false,
        },
        {
          output: {
            schema: { type: 'object', properties: { result: { type: 'array', items: { type: 'number' } } } },
            fits: () => true,
          },
        },
      ),
    );
    const good = `${text}
      export const numbers: number[] = await tools.made_list({ owner: 'a', state: 'closed' }, { account: 'work' });
      export const same: number[] = await tools.made.list({ owner: 'a' });
      export const some: string = await tools.made_list({ owner: 'a' }, { select: 'length(@)' });
      export const keyed: number[] = await tools.made_list({ owner: 'a' }, { key: 'k' });`;
    expect(await compile([good])).toBe('');
    const wrong = (line: string) => compile([`${text}\n${line}`]);
    expect(await wrong('await tools.made_list({});')).toContain("Property 'owner' is missing");
    expect(await wrong("await tools.made_list({ owner: 'a', state: 'shut' });")).toContain('"shut"');
    expect(await wrong("await tools.made_list({ owner: 'a', owners: 1 });")).toContain("'owners'");
    expect(await wrong("await tools.made_list({ owner: 'a' }, { select: 1 });")).toContain('TS2322');
    expect(await wrong("export const x: string = await tools.made_list({ owner: 'a' });")).toContain(
      'string',
    );
    expect(text).toContain('/** Whose */ owner: string');
  });

  it('are bounded, whatever a schema is', () => {
    const members = Object.fromEntries(
      Array.from({ length: 3_000 }, (_, at) => [
        `member_${at}`,
        { type: 'string', description: 'x'.repeat(400) },
      ]),
    );
    const wide = { type: 'object', properties: members };
    expect(madeFrom(wide).length).toBeLessThan(20 * 1024);
    const many = Array.from({ length: 20 }, (_, at) => registered(`made_${at}`, wide));
    expect(declareTools(many).length).toBeLessThan(100 * 1024);
    let deep: object = { type: 'string' };
    for (let at = 0; at < 2_000; at++) deep = { type: 'object', properties: { a: deep } };
    expect(madeFrom(deep).length).toBeLessThan(20 * 1024);
    let doubled: object = { type: 'string' };
    for (let at = 0; at < 40; at++) doubled = { anyOf: [doubled, { type: 'array', items: doubled }] };
    expect(madeFrom(doubled).length).toBeLessThan(20 * 1024);
  });

  it('take the calls that the signatures of the search show', async () => {
    const all = createRegistry(integrations).tools;
    const chosen = Array.from({ length: 60 }, (_, at) => all[(at * 97) % all.length]).filter(
      (each) => each !== undefined,
    );
    const checked = [...new Map(chosen.map((each) => [each.tool.name, each])).values()];
    for (let at = 0; at < checked.length; at += 20) {
      const some = checked.slice(at, at + 20);
      const calls = some.map(({ tool }) => `await tools.${callOf(signatureOf(tool.name, tool.schema))};`);
      expect(await compile([[declareTools(some), ...calls].join('\n')])).toBe('');
    }
    expect(checked.length).toBeGreaterThan(50);
    const found = await call(app, ana.keyHeader, 'search_tools', {
      query: 'list the issues of a repository on GitHub',
      limit: 1,
    });
    const [{ name, signature }] = found.tools;
    const { types } = await call(app, ana.keyHeader, 'get_tool_schema', { tool: name, as: 'typescript' });
    expect(signature).toMatch(/^github_\w+\(\{owner, repo, /);
    expect(await compile([`${types}\nawait tools.${callOf(signature)};`])).toBe('');
    expect(await compile([`${types}\nawait tools.${name}({});`])).toContain('owner');
  });

  it('come with get_tool_schema, beside what was not found and what is asked about', async () => {
    const one = await call(app, ana.keyHeader, 'get_tool_schema', { tool: 'time_now', as: 'typescript' });
    expect(one.types).toContain('time_now(args?: {');
    const several = await call(app, ana.keyHeader, 'get_tool_schema', {
      tool: 'time_now,nothing,github_list_issues',
      as: 'typescript',
    });
    expect(several.types).toContain('github: { list_issues: Tools["github_list_issues"] }');
    expect(several.errors).toMatchObject({ nothing: { error: 'Tool not found' } });
    const none = await call(app, ana.keyHeader, 'get_tool_schema', { tool: 'nothing', as: 'typescript' });
    expect(none.error).toBe('Tool not found');
    expect(await compile([one.types, several.types])).toBe('');
  });
});
