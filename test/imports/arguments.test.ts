// Checks how arguments are checked against pinned schemas: sentences, limits and patterns of others. decision: 042
import { beforeAll, describe, expect, it } from 'vitest';
import { type CreateArguments, loadValidator } from '../../src/imports/pinned/arguments.ts';
import type { Parsed } from '../../src/kit/integration.ts';
import type { JsonSchema } from '../../src/kit/validation.ts';
import { normalise } from '../support/pinned-schemas.ts';

let create: CreateArguments;
beforeAll(async () => {
  create = await loadValidator();
});

const parse = (raw: JsonSchema, args: unknown): Parsed => create(normalise(raw))(args);
const messageOf = (raw: JsonSchema, args: unknown): string | null => {
  const parsed = parse(raw, args);
  return parsed.ok ? null : parsed.message;
};

const ISSUE: JsonSchema = {
  properties: {
    owner: { type: 'string', minLength: 1, maxLength: 5 },
    state: { enum: ['open', 'closed'] },
    kind: { const: 'bug' },
    page: { type: 'integer', minimum: 1, maximum: 9, multipleOf: 2 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    id: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    labels: { type: 'array', items: { type: 'string' }, uniqueItems: true, minItems: 1, maxItems: 3 },
    who: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
    'a/b': { type: 'boolean' },
    what: {
      oneOf: [
        { properties: { kind: { const: 'a' }, name: { type: 'string' } }, required: ['kind', 'name'] },
        { properties: { kind: { const: 'b' } }, required: ['kind'], additionalProperties: false },
      ],
    },
  },
  required: ['owner'],
  additionalProperties: false,
};
const NO_KEYS = 'there are none';

describe('arguments', () => {
  it('are returned as they are', () => {
    const args = JSON.parse('{"owner":"me","labels":["a","b"],"page":2,"id":null,"who":{"name":"x"}}');
    const parsed = parse(ISSUE, args);
    expect(parsed).toEqual({ ok: true, value: args });
    expect(parsed.ok && parsed.value).toBe(args);
  });

  it.each<[unknown, string]>([
    ['x', 'Invalid input: expected object, received string'],
    [[], 'Invalid input: expected object, received array'],
    [null, 'Invalid input: expected object, received null'],
    [undefined, 'Invalid input: expected object, received undefined'],
    [{}, 'owner: Invalid input: expected a value, received undefined'],
    [{ owner: 1 }, 'owner: Invalid input: expected string, received number'],
    [{ owner: '' }, 'owner: Too small: expected string to have >=1 characters'],
    [{ owner: 'abcdef' }, 'owner: Too big: expected string to have <=5 characters'],
    [{ owner: 'a', state: 'x' }, 'state: Invalid option: expected one of "open"|"closed"'],
    [{ owner: 'a', kind: 1 }, 'kind: Invalid input: expected "bug"'],
    [{ owner: 'a', page: 'two' }, 'page: Invalid input: expected integer, received string'],
    [{ owner: 'a', page: 0 }, 'page: Too small: expected number to be >=1'],
    [{ owner: 'a', page: 10 }, 'page: Too big: expected number to be <=9'],
    [{ owner: 'a', page: 3 }, 'page: Invalid number: must be a multiple of 2'],
    [{ owner: 'a', share: 0 }, 'share: Too small: expected number to be >0'],
    [{ owner: 'a', share: 1 }, 'share: Too big: expected number to be <1'],
    [{ owner: 'a', id: true }, 'id: Invalid input: expected string or number or null, received boolean'],
    [{ owner: 'a', labels: [] }, 'labels: Too small: expected array to have >=1 items'],
    [{ owner: 'a', labels: ['a', 2] }, 'labels.1: Invalid input: expected string, received number'],
    [
      { owner: 'a', labels: ['a', 'a'] },
      'labels: Invalid input: two items are equal, and each may come only once',
    ],
    [{ owner: 'a', who: { nam: 'x' } }, 'who: Unrecognized key: "nam" (known: name)'],
    [{ owner: 'a', 'a/b': 1 }, 'a/b: Invalid input: expected boolean, received number'],
    [
      { owner: 'a', what: { kind: 'a' } },
      'what: Invalid input: it matches none of the 2 allowed forms; the nearest one: what.name: Invalid input: expected a value, received undefined',
    ],
    [
      { owner: 1, page: 0 },
      'owner: Invalid input: expected string, received number; page: Too small: expected number to be >=1',
    ],
  ])('of %j are refused: %s', (args, message) => {
    expect(messageOf(ISSUE, args)).toBe(message);
  });

  it('with unknown keys are refused with the known ones, unless the schema allows others', () => {
    expect(messageOf({ properties: {}, additionalProperties: false }, { a: 1 })).toBe(
      `Unrecognized key: "a" (${NO_KEYS})`,
    );
    expect(messageOf({ properties: {} }, { a: 1 })).toBeNull();
    expect(messageOf({ properties: {}, unevaluatedProperties: false }, { a: 1 })).toBe(
      `Unrecognized key: "a" (${NO_KEYS})`,
    );
  });

  it('that match two of the forms of oneOf are refused', () => {
    const raw = { properties: { a: { oneOf: [{ minimum: 1 }, { maximum: 5 }] } } };
    expect(messageOf(raw, { a: 3 })).toBe(
      'a: Invalid input: it matches more than one of the 2 allowed forms',
    );
  });

  it.each(['__proto__', 'constructor', 'toString'])('named %s are arguments like others', (name) => {
    const raw = JSON.parse(
      `{"properties":{"${name}":{"type":"string"}},"required":["${name}"],"additionalProperties":false}`,
    );
    expect(messageOf(raw, JSON.parse(`{"${name}":"x"}`))).toBeNull();
    expect(messageOf(raw, JSON.parse(`{"${name}":1}`))).toBe(
      `${name}: Invalid input: expected string, received number`,
    );
    expect(messageOf(raw, {})).toBe(`${name}: Invalid input: expected a value, received undefined`);
    expect(messageOf({ additionalProperties: false }, JSON.parse(`{"${name}":1}`))).toBe(
      `Unrecognized key: "${name}" (${NO_KEYS})`,
    );
  });

  it('are refused in a sentence of at most 2 KiB', () => {
    const raw = { additionalProperties: { type: 'string' } };
    const args = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${index}${'k'.repeat(500)}`, 1]),
    );
    expect(messageOf(raw, args)?.length).toBeLessThanOrEqual(2_048);
  });

  it('with a key that is half a character are refused', () => {
    expect(messageOf({ additionalProperties: false }, { '\uD800': 1 })).toMatch(/^Invalid input: /);
  });
});

describe('patterns of others', () => {
  it('are shown and never run', () => {
    const raw = { properties: { a: { type: 'string', pattern: '^(a+)+$', format: 'uuid' } } };
    expect(normalise(raw)['properties']).toEqual(raw.properties);
    expect(messageOf(raw, { a: `${'a'.repeat(100)}!` })).toBeNull();
  });

  it('for names of keys are never run, and then other keys may be allowed', () => {
    const raw = { patternProperties: { '^(x+)+$': { type: 'string' } }, additionalProperties: false };
    expect(messageOf(raw, { [`${'x'.repeat(100)}!`]: 1 })).toBeNull();
  });

  it.each<[string, JsonSchema]>([
    ['oneOf', { oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }],
    ['oneOf beside anyOf', { anyOf: [{}], oneOf: [{ pattern: '^a' }, { pattern: '^b' }] }],
    ['not', { not: { pattern: '^b' } }],
    ['if', JSON.parse('{"if":{"pattern":"^b"},"then":{"maxLength":0}}')],
    ['not in an item', { not: { contains: { pattern: '^b' } } }],
    ['a key in not', { not: { patternProperties: { '^b': false } } }],
  ])('never make a good value wrong: %s', (_, a) => {
    expect(messageOf({ properties: { a } }, { a: 'a' })).toBeNull();
  });
});

describe('checks that would take long', () => {
  it('compare only so many items with each other', () => {
    const raw = { properties: { a: { type: 'array', uniqueItems: true } } };
    const items = Array.from({ length: 200_000 }, (_, index) => index);
    expect(messageOf(raw, { a: [...items, 0] })).toBeNull();
    expect(messageOf(raw, { a: [1, 2, 1] })).not.toBeNull();
  });

  it('are left to the source', () => {
    const anyOf = Array.from({ length: 5_000 }, (_, index) => ({ const: index }));
    const raw = { properties: { a: { type: 'array', items: { anyOf } } } };
    expect(messageOf(raw, { a: Array.from({ length: 100_000 }, () => 'x') })).toBeNull();
    expect(messageOf(raw, { a: ['x'] })).not.toBeNull();
  });

  it('end at the first mistake among many values', () => {
    const raw = { properties: { a: { type: 'array', items: { type: 'string' } } } };
    expect(messageOf(raw, { a: Array.from({ length: 100_000 }, () => 1) })).toBe(
      'a.0: Invalid input: expected string, received number',
    );
  });

  it('survive more mistakes than the library can hold', () => {
    const raw = { additionalProperties: { type: 'string' } };
    const many = Object.fromEntries(Array.from({ length: 190_000 }, (_, index) => [`k${index}`, 1]));
    expect(messageOf(raw, many)).toMatch(/Invalid input: /);
    expect(messageOf({ properties: { many: raw } }, { many })).toMatch(/Invalid input: /);
  });

  it('survive arguments that are nested deeply', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(400)}1${'}'.repeat(400)}`);
    expect(messageOf({ properties: { a: { type: 'object' } } }, deep)).toBeNull();
  });
});
