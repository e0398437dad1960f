// Tests a set as an OpenAPI description and as functions for the APIs of models. The SDKs of the vendors check nothing of a
// definition at run time, so the judge here is written from the limits that the vendors publish.
// reference: Sets for other programs
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convertAll, type FunctionTool } from '../../src/sets/functions/losses.ts';
import { toAnthropic } from '../../src/sets/functions/anthropic.ts';
import { toGemini } from '../../src/sets/functions/gemini.ts';
import { toOpenAi } from '../../src/sets/functions/openai.ts';
import { isObject } from '../../src/json/json.ts';
import { validate } from '@scalar/openapi-parser';
import { compileSchemas, readDescription } from '../support/openapi.ts';
import { makeKey, send, setRules } from '../support/policy.ts';
import { makeSet } from '../support/sets.ts';
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts';

let app: TestApp;
let ana: TestUser;
const TOOLS = ['time_now', 'github_list_issues', 'github_create_issue', 'keyed_whoami', 'shout'];

beforeAll(async () => {
  app = await createTestApp();
  ana = await app.user();
  await makeSet(app, ana, 'work', TOOLS, { title: 'Work' });
});
afterAll(() => app.close());

type Node = Record<string, unknown>;
function* nodesOf(schema: unknown, path = '#'): Generator<[string, Node]> {
  if (!isObject(schema)) return;
  yield [path, schema];
  for (const [name, below] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {}))
    yield* nodesOf(below, `${path}/properties/${name}`);
  yield* nodesOf(schema['items'], `${path}/items`);
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    for (const [at, below] of (Array.isArray(schema[key]) ? schema[key] : []).entries())
      yield* nodesOf(below, `${path}/${key}/${at}`);
}

function judgeOpenAi(made: Node): void {
  const { name, description, parameters } = made['function'] as Record<string, Node & string>;
  expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(description?.length).toBeLessThanOrEqual(1_024);
  expect(parameters).toMatchObject({ type: 'object' });
  for (const key of ['oneOf', 'anyOf', 'allOf', 'enum', 'not']) expect(parameters).not.toHaveProperty(key);
}

function judgeAnthropic({ name, input_schema: schema }: Node): void {
  expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(schema).toMatchObject({ type: 'object' });
  for (const key of ['oneOf', 'anyOf', 'allOf']) expect(schema).not.toHaveProperty(key);
  for (const [, node] of nodesOf(schema))
    for (const argument of Object.keys(isObject(node['properties']) ? node['properties'] : {}))
      expect(argument).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
}

const GEMINI = new Set(
  'type format title description nullable enum maxItems minItems properties required minProperties maxProperties minLength maxLength pattern example anyOf propertyOrdering default items minimum maximum'.split(
    ' ',
  ),
);
function judgeGemini({ name, parameters }: Node): void {
  expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/);
  for (const [path, node] of nodesOf(parameters)) {
    expect(Object.keys(node).filter((key) => !GEMINI.has(key), path)).toEqual([]);
    if (!('anyOf' in node))
      expect(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT']).toContain(node['type']);
    if (node['type'] === 'ARRAY') expect(node['items']).toBeDefined();
    if (node['enum'] !== undefined) expect(node['type']).toBe('STRING');
    for (const argument of Object.keys(isObject(node['properties']) ? node['properties'] : {}))
      expect(argument).toMatch(/^[a-zA-Z_]\w{0,63}$/);
  }
}
const JUDGES = { openai: judgeOpenAi, anthropic: judgeAnthropic, gemini: judgeGemini };
const CONVERT = { openai: toOpenAi, anthropic: toAnthropic, gemini: toGemini };

describe.each(Object.keys(JUDGES) as (keyof typeof JUDGES)[])('functions for %s', (vendor) => {
  it('are those of the set, and keep to what the vendor takes', async () => {
    const { status, body } = await send(app, ana.keyHeader, 'GET', `/api/sets/work/functions?for=${vendor}`);
    expect(status).toBe(200);
    expect(body.functions).toHaveLength(TOOLS.length);
    for (const made of body.functions) JUDGES[vendor](made);
  });

  it('keep to it for every tool of the gateway, and say what is lost', () => {
    const tools = app.deps.registry.tools.map(({ tool: { name, description, schema } }) => ({
      name,
      description,
      schema,
    }));
    const { functions, losses } = convertAll<Node>(tools, CONVERT[vendor]);
    expect(functions).toHaveLength(tools.length);
    for (const made of functions) JUDGES[vendor](made);
    for (const { tool, why } of losses) {
      expect(tools.map(({ name }) => name)).toContain(tool);
      expect(why).not.toBe('');
    }
    if (vendor === 'anthropic') expect(losses).toEqual([]);
  });

  it('keep to it for hard schemas of others', () => {
    const { functions, losses } = convertAll<Node>(HARD, CONVERT[vendor]);
    for (const made of functions) JUDGES[vendor](made);
    expect(losses.length).toBeGreaterThan(0);
  });
});

const HARD: FunctionTool[] = [
  {
    name: '3d_print',
    description: 'x'.repeat(3_000),
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: ['string', 'number'], description: 'two' },
        c: { enum: [1, 2] },
        d: { const: 'only' },
        e: {
          oneOf: [
            { type: 'string' },
            { type: 'object', properties: { x: { type: 'integer', exclusiveMinimum: 3 } } },
          ],
        },
        f: { type: 'array' },
        g: { type: 'object', additionalProperties: { type: 'string' } },
        h: true,
        'i j': { type: 'string' },
        k: { type: 'string', format: 'uri', pattern: '^x' },
        l: { not: { type: 'null' } },
      },
      required: ['a'],
      additionalProperties: false,
    },
  },
  {
    name: 'bad_name',
    description: '',
    schema: { type: 'object', properties: { 'a b': {} }, required: ['a b'] },
  },
  { name: 'nothing', description: 'No arguments', schema: { type: 'object', properties: {} } },
];

describe('the functions of Gemini', () => {
  it('say with its words what other schemas say', () => {
    const { functions } = convertAll<Node>(HARD, toGemini);
    const [print, nothing] = functions;
    expect(functions).toHaveLength(2);
    expect(nothing).toEqual({ name: 'nothing', description: 'No arguments' });
    expect(print).toMatchObject({
      name: '_3d_print',
      parameters: {
        properties: {
          a: { type: 'STRING', nullable: true },
          b: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], description: 'two' },
          d: { type: 'STRING', enum: ['only'] },
          e: {
            anyOf: [
              { type: 'STRING' },
              { type: 'OBJECT', properties: { x: { type: 'INTEGER', minimum: 4 } } },
            ],
          },
        },
      },
    });
  });
});

describe('what a caller may use', () => {
  it('is all that a description and functions have, for a named key too', async () => {
    const eva = await app.user('eva@example.com');
    await makeSet(app, eva, 'work', TOOLS);
    await setRules(app, eva, [
      { tool: 'shout', decision: 'block' },
      { tool: 'time_now', decision: 'ask' },
    ]);
    const { header } = await makeKey(app, eva, { set: 'work', access: 'read' });
    const { body } = await send(app, header, 'GET', '/api/sets/work/functions?for=anthropic');
    expect(body.functions.map(({ name }: Node) => name)).toEqual([
      'time_now',
      'github_list_issues',
      'keyed_whoami',
    ]);
    const described = await send(app, header, 'GET', '/sets/work/openapi.json');
    expect(Object.keys(described.body.paths)).toEqual([
      '/sets/work/tools/time_now',
      '/sets/work/tools/github_list_issues',
      '/sets/work/tools/keyed_whoami',
    ]);
    expect(described.body.paths['/sets/work/tools/time_now'].post).toMatchObject({
      'x-approval': 'required',
    });
    expect((await send(app, header, 'GET', '/api/sets/work/functions?for=nobody')).status).toBe(400);
    expect((await send(app, {}, 'GET', '/sets/work/openapi.json')).status).toBe(401);
  });
});

describe('the description of a set', () => {
  it('is valid, and has one operation for each tool', async () => {
    const { body } = await send(app, ana.keyHeader, 'GET', '/sets/work/openapi.json');
    expect(await validate(body)).toMatchObject({ valid: true });
    expect(compileSchemas(await readDescription(JSON.stringify(body)))).toBeGreaterThan(TOOLS.length);
    expect(Object.keys(body.paths)).toEqual(TOOLS.map((name) => `/sets/work/tools/${name}`));
  });

  it('names addresses that run the tools, and only these', async () => {
    const path = '/sets/work/tools/shout';
    expect(await send(app, ana.keyHeader, 'POST', path, { text: 'a' })).toMatchObject({
      status: 200,
      body: { integration: 'echo', tool: 'shout', result: 'A' },
    });
    expect(await send(app, ana.keyHeader, 'POST', '/sets/work/tools/echo_nothing', {})).toMatchObject({
      status: 404,
      body: { error: 'Tool not found: echo_nothing' },
    });
    expect((await send(app, ana.keyHeader, 'POST', '/sets/work/tools/keyed_whoami', {})).status).toBe(409);
    expect((await send(app, ana.keyHeader, 'POST', path, { nothing: 1 })).status).toBe(400);
    expect((await send(app, {}, 'POST', path, { text: 'a' })).status).toBe(401);
  });

  it('names addresses that run a call with a key once', async () => {
    await makeSet(app, ana, 'pages', ['delete_jot']);
    const ask = () =>
      app.request('/sets/pages/tools/delete_jot', {
        method: 'POST',
        headers: { ...ana.keyHeader, 'content-type': 'application/json', 'idempotency-key': 'one' },
        body: '{"name":"nothing"}',
      });
    const [first, second] = [await ask(), await ask()];
    expect(first.headers.get('idempotent-replayed')).toBe(null);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await second.text()).toBe(await first.text());
  });
});
