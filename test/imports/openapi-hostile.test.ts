// Reads OpenAPI descriptions that want to cost time or memory, or to reach the objects of the gateway. decision: 046
import { describe, expect, it } from 'vitest';
import { MAX_TOOLS, readOpenApi } from '../../src/imports/openapi/read.ts';
import type { SourceDescription } from '../../src/imports/model/source-description.ts';
import { SourceFailure } from '../../src/imports/model/source-failure.ts';
import { expectSoundSource } from '../support/openapi-source.ts';

type Json = Record<string, unknown>;

const OPTIONS = { address: 'https://api.example.com/openapi.json' };
const OK = { 200: { description: 'OK' } };

const describeApi = (paths: Json, schemas: Json = {}): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Hostile' }, paths, components: { schemas } });

const post = (schema: unknown): Json => ({
  '/a': {
    post: { requestBody: { required: true, content: { 'application/json': { schema } } }, responses: OK },
  },
});

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function read(text: string): Promise<SourceDescription> {
  const source = await readOpenApi(text, OPTIONS);
  expectSoundSource(source);
  return source;
}

async function readOrRefuse(text: string): Promise<SourceDescription | SourceFailure> {
  try {
    return await read(text);
  } catch (error) {
    if (error instanceof SourceFailure) return error;
    throw error;
  }
}

const refused = (result: SourceDescription | SourceFailure) =>
  result instanceof SourceFailure ? result.status : null;

it('describes schemas that all contain each other within the limits', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `S${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, reference(name)]));
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
  const source = await read(describeApi(post(reference('S0')), schemas));
  expect(source.tools).toHaveLength(1);
  expect(source.warnings.join(' ')).toContain('parts of them are not described: POST /a');
});

it('describes schemas that double at each level within the limits', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `S${index}`,
      { type: 'object', properties: { a: reference(`S${index + 1}`), b: reference(`S${index + 1}`) } },
    ]),
  );
  await read(describeApi(post(reference('S0')), { ...schemas, S60: { type: 'string' } }));
  const all = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `S${index}`,
      { allOf: [reference(`S${index + 1}`), reference(`S${index + 1}`)] },
    ]),
  );
  await read(describeApi(post(reference('S0')), { ...all, S60: { type: 'object', properties: { a: {} } } }));
});

it('survives references that lead to themselves, to everything and to nothing', async () => {
  const schemas = {
    Self: reference('Self'),
    One: reference('Two'),
    Two: reference('One'),
    All: { $ref: '#' },
    Up: { $ref: '#/components' },
    Out: { $ref: '#/paths/~1a/post/requestBody/content' },
    Bad: { $ref: '#/components/schemas/%E0%A4%A' },
    Proto: { $ref: '#/__proto__/toString' },
    Index: { $ref: '#/servers/length' },
    Number: { $ref: 7 },
  };
  for (const name of Object.keys(schemas)) {
    const source = await read(
      describeApi(post({ type: 'object', properties: { a: reference(name) } }), schemas),
    );
    expect(source.tools).toHaveLength(1);
  }
});

it('refuses JSON and YAML that are nested too deeply', async () => {
  const json = `{"openapi":"3.1.0","paths":${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}}`;
  expect(refused(await readOrRefuse(json))).toBe(422);
  expect(refused(await readOrRefuse(`openapi: 3.1.0\npaths: ${'['.repeat(100_000)}`))).toBe(422);
  let block = 'openapi: 3.1.0\npaths:\n';
  for (let depth = 1; depth < 1_000; depth++) block += `${' '.repeat(depth)}a:\n`;
  expect(refused(await readOrRefuse(block))).toBe(422);
});

it('reads schemas that are nested as deeply as JSON may be', async () => {
  let schema: Json = { type: 'string' };
  for (let depth = 0; depth < 120; depth++) schema = { type: 'object', properties: { a: schema } };
  await read(describeApi(post(schema)));
});

it('does not expand the aliases of YAML', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 30; level++)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  const text = `openapi: 3.1.0
info: { title: Bomb }
x-bomb:
  ${lines.join('\n  ')}
paths:
  /a:
    get:
      parameters:
        - { name: a, in: query, schema: { enum: *a29, default: *a29, example: *a29 } }
        - { name: b, in: query, schema: *a29 }
      tags: *a29
      responses: *a29
`;
  const source = await read(text);
  expect(source.tools[0]?.inputSchema['properties']).toEqual({ a: {}, b: {} });
  const many = `openapi: 3.1.0\nx: &x 1\ny: [${'*x,'.repeat(20_000)}]\npaths: {}\n`;
  expect(refused(await readOrRefuse(many))).toBe(422);
});

it('survives YAML that contains itself', async () => {
  const text = `openapi: 3.1.0
info: { title: Cycle }
paths:
  /a: &path
    get: &get
      operationId: own
      parameters: &parameters
        - { name: a, in: query, schema: &schema { type: object, default: *get, properties: { a: *schema }, enum: [*path] } }
      tags: *parameters
      responses: *path
      security: [*get]
`;
  const result = await readOrRefuse(text);
  if (result instanceof SourceFailure) expect(result.status).toBe(422);
  else expect(result.tools).toHaveLength(1);
});

it('never uses the names of Object.prototype as anything but names', async () => {
  const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
  const properties = `{${names.map((name) => `"${name}":{"type":"string"}`).join(',')}}`;
  const text = `{"openapi":"3.1.0","info":{"title":"__proto__"},"__proto__":{"servers":[{"url":"https://evil.example.com"}]},
    "paths":{"__proto__":{"get":{}},"/a":{"post":{"operationId":"__proto__","tags":["__proto__","constructor"],
      "parameters":[${names.map((name) => `{"name":"${name}","in":"query"}`).join(',')}],
      "requestBody":{"required":true,"content":{"__proto__":{},"application/json":{"schema":{"type":"object",
        "properties":${properties},"required":["__proto__","constructor"],"default":{"__proto__":{"polluted":1}}}}}}}}}}`;
  const source = await read(text);
  expect(source.base).toBe('https://api.example.com');
  expect(source.tags).toContainEqual({ name: '__proto__', tools: 1 });
  const [tool] = source.tools.filter(({ operation }) => operation?.['path'] === '/a');
  expect(Object.keys(tool?.inputSchema['properties'] ?? {})).toEqual([
    'proto',
    'constructor',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'constructor_body',
    'toString_body',
    'hasOwnProperty_body',
    'valueOf_body',
  ]);
  expect({}).not.toHaveProperty('polluted');
});

const manyPaths = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/p/${index}`,
      { get: { operationId: 'same', tags: [`tag${index % 3}`], responses: OK } },
    ]),
  );

it('reads at most 100,000 operations and counts those without a tag', async () => {
  const item = { get: {}, put: {}, post: {}, delete: {}, patch: {} };
  const paths = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`/p/${index}`, item]));
  const source = await readOpenApi(describeApi(paths), {
    ...OPTIONS,
    choose: { operations: ['GET /p/19999'] },
  });
  expect(source.tools.map(({ name }) => name)).toEqual(['get_p_19999']);
  expect(source.tags?.[0]).toEqual({ name: '', tools: 100_000 });
  expect(source.warnings).toContain('Only the first 100000 operations are read.');
});

it('makes at most 10,000 tools and says how to choose them', async () => {
  const source = await read(describeApi(manyPaths(MAX_TOOLS + 1)));
  expect(source.tools).toHaveLength(MAX_TOOLS);
  expect(source.warnings.join(' ')).toContain('Choose some of them with include, for example by a tag');
});

it('keeps large enumerations, texts and objects within the limits', async () => {
  const long = 'word '.repeat(50_000);
  const many = Array.from({ length: 5_000 }, (_, index) => `value-${index}`);
  const wide = Object.fromEntries(
    many.map((name) => [name, { type: 'string', description: long.slice(0, 200) }]),
  );
  const source = await read(
    describeApi({
      ...post({
        type: 'object',
        description: long,
        properties: { a: { type: 'string', enum: many, description: long } },
      }),
      '/b': {
        post: {
          description: long,
          requestBody: { content: { 'application/json': { schema: { type: 'object', properties: wide } } } },
        },
      },
      '/c': {
        get: {
          parameters: many.map((name) => ({
            name,
            in: 'query',
            description: long.slice(0, 300),
            schema: { enum: many.slice(0, 40) },
          })),
        },
      },
      '/d': { get: { tags: many, summary: long, operationId: long } },
      [`/${'e'.repeat(3_000)}`]: { get: {} },
    }),
  );
  expect(source.tools.map(({ operation }) => operation?.['path'])).toEqual(['/a', '/b', '/c', '/d']);
  for (const tool of source.tools) expect(JSON.stringify(tool).length).toBeLessThan(120_000);
  expect(source.warnings.join('').length).toBeLessThan(20_000);
});

it('takes patterns only where they are those of JavaScript', async () => {
  const property = async (pattern: unknown) => {
    const source = await read(
      describeApi(post({ type: 'object', properties: { a: { type: 'string', pattern } } })),
    );
    return (source.tools[0]?.inputSchema as { properties: Json } | undefined)?.properties['a'];
  };
  expect(await property('^[a-z]+$')).toEqual({ type: 'string', pattern: '^[a-z]+$' });
  expect(await property('(?i)abc')).toEqual({ type: 'string' });
  expect(await property('a'.repeat(1_000))).toEqual({ type: 'string' });
  expect(await property({})).toEqual({ type: 'string' });
});

describe('a description with more values than any real one', () => {
  const MANY = 300_001;

  it.each([
    ['JSON', `{"openapi":"3.1.0","x":[${'{},'.repeat(MANY)}{}]}`],
    ['YAML lists in one line', `openapi: 3.0.0\nx: [${'{a},'.repeat(MANY / 2)}]\n`],
    ['YAML lines', `openapi: 3.0.0\nx:\n${'- a\n'.repeat(MANY)}`],
    ['YAML lines that end with a carriage return', `openapi: 3.0.0\rx:\r${'- a\r'.repeat(MANY)}`],
    ['YAML keys', `openapi: 3.0.0\n${Array.from({ length: MANY }, (_, n) => `k${n}: 1\n`).join('')}`],
    ['nested YAML lists with tabs', `x:\n${`${'-\t'.repeat(400)}a\n`.repeat(MANY / 400)}`],
    ['YAML keys with question marks', `${'?\t'.repeat(400)}a\n`.repeat(MANY / 400)],
    ['folded YAML text', `openapi: 3.0.0\nx: >\n${'  a\n'.repeat(MANY)}`],
  ])('is refused before it is parsed: %s', async (_, text) => {
    await expect(readOpenApi(text, OPTIONS)).rejects.toMatchObject({
      status: 413,
      message: 'The description has more than 300,000 values. Give a smaller part of it.',
    });
  });

  it('is refused as YAML of more than 6 MiB, which could be read as JSON', async () => {
    const long = 'a'.repeat(6 * 1024 * 1024);
    await expect(readOpenApi(`openapi: 3.1.0\nx: ${long}`, OPTIONS)).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining('Give it as JSON'),
    });
    const json = { openapi: '3.1.0', paths: { '/a': { get: { responses: OK } } }, x: long };
    expect((await read(JSON.stringify(json))).tools).toHaveLength(1);
  });
});
