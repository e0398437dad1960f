// Checks how schemas of others become self-contained: references, cycles, drafts, sizes and real tools. decision: 042
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../src/kit/validation.ts';
import { ajv, expectSelfContained, normalise, normaliseSchema } from '../support/pinned-schemas.ts';

const require = createRequire(import.meta.url);
const propertiesOf = (raw: unknown): unknown => normalise(raw)['properties'];
const notesOf = (raw: unknown): readonly string[] | undefined =>
  normaliseSchema(raw, 'input', new Map())?.notes;

describe('a reference', () => {
  it.each<[string, JsonSchema]>([
    ['$defs', { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { type: 'string' } } }],
    [
      'definitions',
      { properties: { a: { $ref: '#/definitions/x' } }, definitions: { x: { type: 'string' } } },
    ],
    [
      'an escaped name',
      { properties: { a: { $ref: '#/$defs/x~1y%20z' } }, $defs: { 'x/y z': { type: 'string' } } },
    ],
    ['$anchor', { properties: { a: { $ref: '#x' } }, $defs: { x: { $anchor: 'x', type: 'string' } } }],
    [
      '$dynamicRef',
      { properties: { a: { $dynamicRef: '#x' } }, $defs: { x: { $dynamicAnchor: 'x', type: 'string' } } },
    ],
    [
      'a relative $id',
      {
        $id: 'https://example.com/root.json',
        properties: { a: { $ref: 'part.json' } },
        $defs: { x: { $id: 'part.json', type: 'string' } },
      },
    ],
    [
      'a reference within a resource of its own',
      {
        $id: 'https://example.com/root.json',
        properties: { a: { $ref: 'part.json#/$defs/y' } },
        $defs: { x: { $id: 'part.json', $defs: { y: { $ref: '#/$defs/z' }, z: { type: 'string' } } } },
      },
    ],
    [
      'a URN',
      {
        $id: 'urn:example:root',
        properties: { a: { $ref: 'urn:example:root#/$defs/x' } },
        $defs: { x: { type: 'string' } },
      },
    ],
    [
      'the id of draft 4',
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        properties: { a: { $ref: '#x' } },
        definitions: { x: { id: '#x', type: 'string' } },
      },
    ],
    ['another property', { properties: { b: { type: 'string' }, a: { $ref: '#/properties/b' } } }],
  ])('by %s is inlined', (_, raw) => {
    expect(propertiesOf(raw)).toMatchObject({ a: { type: 'string' } });
    expectSelfContained(normalise(raw));
  });

  it('keeps what is said beside it', () => {
    const $defs = { x: { type: 'string', description: 'any' } };
    const raw = { properties: { a: { $ref: '#/$defs/x', description: 'mine' } }, $defs };
    expect(propertiesOf(raw)).toEqual({ a: { type: 'string', description: 'mine' } });
  });

  it('is combined with what is asked beside it, except until draft 7', () => {
    const raw = { properties: { a: { $ref: '#/$defs/x', minLength: 1 } }, $defs: { x: { type: 'string' } } };
    expect(propertiesOf(raw)).toEqual({ a: { allOf: [{ type: 'string' }, { minLength: 1 }] } });
    expect(propertiesOf({ ...raw, $schema: 'http://json-schema.org/draft-07/schema#' })).toEqual({
      a: { type: 'string' },
    });
  });

  it.each([
    ['https://evil.example/schema.json', 'refers to "evil.example", which is not read'],
    ['#/$defs/nothing', 'refers to "#/$defs/nothing", which it does not hold'],
    ['#/constructor', 'refers to "#/constructor", which it does not hold'],
    ['http://[', 'refers to "http://[", which it does not hold'],
  ])('to %s allows anything, with a warning', ($ref, note) => {
    const raw = { properties: { a: { $ref } } };
    expect(propertiesOf(raw)).toEqual({ a: { description: 'Defined elsewhere.' } });
    expect(notesOf(raw)).toEqual([note]);
  });

  it('at the root is inlined', () => {
    const raw = { $ref: '#/$defs/x', $defs: { x: { type: 'object', properties: { a: { type: 'null' } } } } };
    expect(normalise(raw)).toEqual({ type: 'object', properties: { a: { type: 'null' } }, required: [] });
  });
});

describe('a cycle', () => {
  const RECURSIVE = { description: 'Recursive: the same form as the value around it.' };

  it('of references ends in an open schema', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node' } } };
    const raw = { properties: { list: { $ref: '#/$defs/node' } }, $defs: { node } };
    expect(propertiesOf(raw)).toEqual({ list: { type: 'object', properties: { next: RECURSIVE } } });
  });

  it.each([
    ['to itself', { $defs: { a: { $ref: '#/$defs/a' } }, properties: { a: { $ref: '#/$defs/a' } } }],
    ['to the root', { properties: { a: { $ref: '#' } } }],
    [
      'of two',
      {
        $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
        properties: { a: { $ref: '#/$defs/a' } },
      },
    ],
    ['by $recursiveRef', { $recursiveAnchor: true, properties: { a: { $recursiveRef: '#' } } }],
  ])('%s ends', (_, raw) => {
    expect(propertiesOf(raw)).toEqual({ a: RECURSIVE });
  });

  it('of objects in memory ends', () => {
    const raw: JsonSchema = { type: 'object' };
    raw['properties'] = { self: raw };
    expect(propertiesOf(raw)).toEqual({ self: RECURSIVE });
  });

  it('allows more than the whole schema, and never less', () => {
    const raw = {
      properties: {
        a: { oneOf: [{ type: 'string' }, { $ref: '#' }], not: { required: ['x'] } },
        b: { not: { $ref: '#' } },
      },
    };
    expect(propertiesOf(raw)).toEqual({
      a: { anyOf: [{ type: 'string' }, RECURSIVE], not: { required: ['x'] } },
      b: {},
    });
  });
});

describe('a large schema', () => {
  it('is shown fewer levels deep when its references multiply', () => {
    const $defs: JsonSchema = { d40: { type: 'string' } };
    for (let level = 0; level < 40; level++) {
      const $ref = `#/$defs/d${level + 1}`;
      $defs[`d${level}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } } };
    }
    const raw = { properties: { top: { $ref: '#/$defs/d0' } }, $defs };
    expect(JSON.stringify(normalise(raw)).length).toBeLessThan(60_000);
    expect(notesOf(raw)).toEqual(['nests so many definitions that it is shown 8 levels deep']);
    expectSelfContained(normalise(raw));
  });

  it('is refused when it is large without references', () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`p${index}`, {}]));
    expect(normaliseSchema({ properties }, 'input', new Map())).toBeNull();
  });

  it('costs little when ten thousand references lead to a description of a megabyte', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`p${index}`, { $ref: '#/$defs/x' }]),
    );
    const raw = { properties, $defs: { x: { description: 'x'.repeat(1_000_000) } } };
    expect(normaliseSchema(raw, 'input', new Map())).not.toBeUndefined();
  });

  it('loses what is nested deeper than 64 levels', () => {
    let deep: JsonSchema = { type: 'string' };
    for (let level = 0; level < 100_000; level++) deep = { type: 'array', items: deep };
    const raw = { properties: { deep } };
    expect(notesOf(raw)).toEqual(['nests deeper than 64 levels, which are left out']);
    expectSelfContained(normalise(raw));
  });
});

describe('the root', () => {
  it.each([
    [undefined],
    [null],
    [true],
    ['x'],
    [[]],
    [{}],
    [{ type: 'object' }],
    [{ type: ['object', 'null'] }],
  ])('of %j is an object with properties', (raw) => {
    expect(normalise(raw)).toEqual({ type: 'object', properties: {}, required: [] });
  });

  it('takes in simple parts of allOf', () => {
    const raw = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { type: 'number' } } },
      ],
    };
    expect(normalise(raw)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    });
  });

  it.each(['anyOf', 'oneOf'])('names the arguments of %s', (keyword) => {
    const id = { type: 'string' };
    const raw = {
      [keyword]: [
        { properties: { id, name: { type: 'string', description: 'A name' } }, required: ['id', 'name'] },
        { properties: { id, size: { type: 'number' } }, required: ['id', 'size'] },
      ],
    };
    expect(normalise(raw)).toMatchObject({
      properties: { id, name: { description: 'A name' }, size: {} },
      required: ['id'],
      [keyword]: raw[keyword],
    });
  });
});

describe('another draft', () => {
  it.each<[string, JsonSchema, JsonSchema]>([
    ['exclusive bounds of draft 4', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    ['nullable of OpenAPI 3.0', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['prefixItems of 2020-12', { prefixItems: [{}], items: false }, { items: [{}], additionalItems: false }],
    ['unknown keywords', { 'x-internal': 1, example: 1, type: 'file' }, {}],
    [
      'values of the wrong form',
      { minimum: '1', enum: 'a', required: true, anyOf: [], items: 1, pattern: '(' },
      {},
    ],
  ])('is understood: %s', (_, raw, schema) => {
    expect(propertiesOf({ properties: { a: raw } })).toEqual({ a: schema });
  });
});

describe('real schemas', () => {
  it.each([
    'ajv/dist/refs/json-schema-draft-06.json',
    'ajv/dist/refs/json-schema-draft-07.json',
    'ajv/dist/refs/json-schema-2019-09/schema.json',
    'ajv/dist/refs/json-schema-2020-12/schema.json',
    'ajv/dist/refs/json-schema-2020-12/meta/applicator.json',
    'ajv-draft-04/dist/refs/json-schema-draft-04.json',
    'oxfmt/configuration_schema.json',
    'wrangler/config-schema.json',
  ])('become self-contained: %s', (path) => {
    const raw: unknown = JSON.parse(readFileSync(`node_modules/${path}`, 'utf8'));
    expectSelfContained(normalise(raw));
  });

  it('of a draft accept what the draft accepts, as far as they are shown', () => {
    const raw: unknown = JSON.parse(
      readFileSync('node_modules/ajv/dist/refs/json-schema-draft-07.json', 'utf8'),
    );
    const check = ajv.compile(normalise(raw));
    expect(check({ type: 'string', properties: { a: { minimum: 1 } } })).toBe(true);
    expect(check({ type: 'text' })).toBe(false);
    expect(check({ minLength: -1 })).toBe(false);
  });

  it.each([
    ['everything', ['stdio']],
    ['memory', []],
    ['filesystem', ['.']],
  ])('of the tools of server-%s become self-contained', async (name, args) => {
    const path = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [path, ...args], stderr: 'ignore' }),
    );
    try {
      const { tools } = await client.listTools();
      expect(tools.length).toBeGreaterThan(5);
      for (const tool of tools) {
        const made = normaliseSchema(tool.inputSchema, 'input', new Map());
        expect(made?.notes).toEqual([]);
        expectSelfContained(made?.schema ?? {});
        expect(Object.keys(made?.schema['properties'] ?? {})).toEqual(
          Object.keys(tool.inputSchema.properties ?? {}),
        );
      }
    } finally {
      await client.close();
    }
  });
});
