// Fuzzes pinned definitions: hostile schemas become sound ones, texts lose what nobody sees, and another validator agrees.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../drivers/system/clock.ts';
import { type CreateArguments, loadValidator } from '../../src/imports/pinned/arguments.ts';
import { cleanText } from '../../src/imports/pinned/clean-text.ts';
import { parseDefinition } from '../../src/imports/pinned/definition.ts';
import { pinTools } from '../../src/imports/pinned/pin.ts';
import type { JsonSchema } from '../../src/kit/validation.ts';
import { expectSelfContained, normaliseSchema } from '../support/pinned-schemas.ts';
import { type Chance, fuzz } from './chance.ts';
import { mutateJson, mutateText } from './mutate.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const clock = createSystemClock(setImmediate);

let create: CreateArguments;
beforeAll(async () => {
  create = await loadValidator();
});

const OPTIONS = { strict: false, logger: false } as const;
const newest = new Ajv2020(OPTIONS);
const pinnedDraft = new Ajv2019(OPTIONS);

// The other validator finds members that every object inherits, such as `constructor`. Unit tests cover those.
const KEYS = ['a', 'b', 'c', 'd'];
const VALUES = ['', 'a', 'bc', 0, 1, 2.5, -3, 7, true, null];

function valueOf(chance: Chance, depth = 0): unknown {
  if (depth > 3 || chance.below(3) === 0) return chance.pick(VALUES);
  const size = chance.below(4);
  if (chance.below(2) === 0) return Array.from({ length: size }, () => valueOf(chance, depth + 1));
  return objectOf(chance, depth);
}

function objectOf(chance: Chance, depth = 0): JsonSchema {
  return Object.fromEntries(
    Array.from({ length: chance.below(4) }, () => [chance.pick(KEYS), valueOf(chance, depth + 1)]),
  );
}

const some = <T>(chance: Chance, make: () => T): T[] => Array.from({ length: 1 + chance.below(3) }, make);

/**
 * Makes a schema of 2020-12 without patterns, whose references are no cycles. The other validator counts what a failed
 * `if` has seen as evaluated when there is an `else`, so a schema has either `else` or `unevaluatedProperties`.
 */
function schemaOf(chance: Chance, depth = 0, hasElse = chance.below(2) === 0): JsonSchema | boolean {
  if (depth > 3) return chance.pick([true, {}, { type: 'string' }, { $ref: '#/$defs/text' }]);
  const inner = () => schemaOf(chance, depth + 1, hasElse);
  const keyed = () => Object.fromEntries(some(chance, () => [chance.pick(KEYS), inner()]));
  const members: (() => JsonSchema)[] = [
    () => ({ type: chance.pick(['string', 'number', 'integer', 'object', 'array', 'boolean', 'null']) }),
    () => ({ type: ['string', chance.pick(['number', 'array', 'object'])] }),
    () => ({ enum: some(chance, () => valueOf(chance, 2)) }),
    () => ({ const: valueOf(chance, 2) }),
    () => ({ minimum: chance.below(4), maximum: 2 + chance.below(4) }),
    () => ({ exclusiveMinimum: chance.below(3), multipleOf: chance.pick([1, 2, 0.5]) }),
    () => ({ minLength: chance.below(3), maxLength: chance.below(3) }),
    () => ({ minItems: chance.below(3), maxItems: chance.below(4), uniqueItems: true }),
    () => ({ minProperties: chance.below(3), maxProperties: chance.below(4) }),
    () => ({ properties: keyed(), required: [chance.pick(KEYS)] }),
    () => ({ properties: keyed(), additionalProperties: inner() }),
    () => ({ properties: keyed(), ...(!hasElse && { unevaluatedProperties: false }) }),
    () => ({ items: inner() }),
    () => ({ prefixItems: some(chance, inner), items: inner() }),
    // The other validator accepts an empty list for a schema that contains anything.
    () => ({
      contains: { type: chance.pick(['string', 'number']) },
      minContains: chance.below(3),
      maxContains: 1 + chance.below(3),
    }),
    () => ({ allOf: some(chance, inner) }),
    () => ({ anyOf: some(chance, inner) }),
    () => ({ oneOf: some(chance, inner) }),
    () => ({ not: inner() }),
    () =>
      Object.fromEntries(['if', 'then', ...(hasElse ? ['else'] : [])].map((keyword) => [keyword, inner()])),
    () => ({ dependentRequired: { [chance.pick(KEYS)]: [chance.pick(KEYS)] } }),
    () => ({ dependentSchemas: { [chance.pick(KEYS)]: inner() } }),
    () => ({ propertyNames: { minLength: chance.below(2), enum: KEYS } }),
    () => ({ $ref: chance.pick(['#/$defs/text', '#/$defs/pair', '#pair']) }),
  ];
  return Object.assign({}, ...some(chance, () => chance.pick(members)()));
}

const DEFS = {
  text: { type: 'string', maxLength: 3 },
  pair: { $anchor: 'pair', properties: { a: { $ref: '#/$defs/text' } }, required: ['b'] },
};

const REAL = [
  'ajv/dist/refs/json-schema-draft-07.json',
  'ajv/dist/refs/json-schema-2020-12/schema.json',
  'ajv/dist/refs/json-schema-2020-12/meta/applicator.json',
  'ajv-draft-04/dist/refs/json-schema-draft-04.json',
  'oxfmt/configuration_schema.json',
].map((path) => readFileSync(`node_modules/${path}`, 'utf8'));

/** Returns null where the other validator fails: at a schema that refers to itself without end, and by a mistake of its own. */
function ask(validate: (args: unknown) => unknown, args: unknown): boolean | null {
  try {
    return validate(args) === true;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return null;
    throw error;
  }
}

describe('a pinned schema', () => {
  it('accepts exactly what the whole schema accepts, by another validator', async () => {
    let accepted = 0;
    let refused = 0;
    await fuzz(500, async (chance) => {
      const made = schemaOf(chance);
      const raw = { ...(typeof made === 'boolean' ? {} : made), type: 'object', $defs: DEFS };
      const normalised = normaliseSchema(raw, 'input', new Map());
      if (normalised === null) throw new Error('no schema');
      const whole = newest.compile(raw);
      const pinned = pinnedDraft.compile(normalised.schema);
      const parse = create(normalised.schema);
      for (let left = 12; left > 0; left--) {
        const args = objectOf(chance);
        const expected = ask(whole, args);
        if (expected === null) continue;
        const parsed = parse(args);
        // Arguments that are refused may be mended, such as by leaving out a null. The mended ones have to fit.
        const fits = parsed.ok ? (ask(whole, parsed.value) ?? true) : expected;
        const seen = { pinned: ask(pinned, args) ?? expected, parsed: parsed.ok || !expected, fits };
        expect(seen, JSON.stringify({ raw, schema: normalised.schema, args })).toEqual({
          pinned: expected,
          parsed: true,
          fits: parsed.ok,
        });
        if (expected) accepted++;
        else refused++;
      }
    });
    expect(Math.min(accepted, refused)).toBeGreaterThan(0);
  });

  it('never refuses what the whole schema accepts, with patterns and cycles', async () => {
    const loose = {
      text: { type: 'string', pattern: '^b' },
      pair: { ...DEFS.pair, properties: { a: { $ref: '#' } } },
    };
    await fuzz(250, async (chance) => {
      const made = schemaOf(chance);
      const extra = chance.pick([{}, { patternProperties: { '^a': schemaOf(chance, 2, true) } }]);
      const raw = { ...(typeof made === 'boolean' ? {} : made), ...extra, type: 'object', $defs: loose };
      const normalised = normaliseSchema(raw, 'input', new Map());
      if (normalised === null) throw new Error('no schema');
      const whole = newest.compile(raw);
      const parse = create(normalised.schema);
      for (let left = 12; left > 0; left--) {
        const args = objectOf(chance);
        if (ask(whole, args) !== true) continue;
        expect(parse(args), JSON.stringify({ raw, args })).toEqual({ ok: true, value: args });
      }
    });
  });

  it('is self-contained and readable for every client, whatever the source sends', async () => {
    await fuzz(200, async (chance) => {
      const good = chance.pick([...REAL, JSON.stringify({ ...Object(schemaOf(chance)), $defs: DEFS })]);
      const raw: unknown = JSON.parse(mutateJson(good, chance));
      const normalised = normaliseSchema(raw, 'input', new Map());
      if (normalised === null) return;
      // A key with half a character has no canonical form, so its tool is left out.
      if (!JSON.stringify(normalised.schema).includes(String.raw`\ud`))
        expectSelfContained(normalised.schema);
      const again = normaliseSchema(normalised.schema, 'input', new Map());
      expect(again?.schema).toEqual(normalised.schema);
      create(normalised.schema)(objectOf(chance));
    });
  });
});

const TEXTS = [
  'Lists the issues 👩🏽‍💻 of می‌خواهم क्‍ष',
  '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  'a\r\nb\u2028c',
];
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}\p{Cs}\p{Co}\u{E0001}-\u{E001F}\u200B\u2060\uFEFF\u00AD]/v;
const PIECES = [
  '\u200D',
  '\u200C',
  '\uFE0F',
  '\uFE0E',
  '\u{E0100}',
  '\u{E0067}',
  '\u202E',
  '\uD83D',
  '\u180B',
  '👩',
  'क',
  'ا',
  '\u{1F3FD}',
  '1',
  '\u20E3',
];

describe('a cleaned text', () => {
  it('has nothing more to clean, and nothing that nobody sees', async () => {
    await fuzz(5_000, async (chance) => {
      let text = mutateText(chance.pick(TEXTS), chance);
      for (let left = chance.below(10); left > 0; left--) {
        const at = chance.below(text.length + 1);
        text = text.slice(0, at) + chance.pick(PIECES) + text.slice(at);
      }
      const cleaned = cleanText(text, new Map());
      expect(cleanText(cleaned, new Map()), JSON.stringify(text)).toBe(cleaned);
      expect(INVISIBLE.test(cleaned.replace(/[\t\n]/g, '')), JSON.stringify(text)).toBe(false);
    });
  });
});

describe('a pinned tool', () => {
  it('has a valid name, a digest and a text that is read back, in any order of the source', async () => {
    const good = JSON.stringify([
      { name: 'getUser', description: 'Gets', inputSchema: { properties: { a: { type: 'string' } } } },
      {
        name: 'get_user',
        description: 'Gets',
        title: 'T',
        inputSchema: {},
        annotations: { readOnlyHint: true },
      },
      {
        name: 'get-user',
        description: 'Gets',
        inputSchema: {},
        outputSchema: { type: 'array' },
        tags: ['a'],
      },
    ]);
    await fuzz(1_000, async (chance) => {
      const mutated: unknown = JSON.parse(mutateJson(good, chance));
      const tools = (Array.isArray(mutated) ? mutated : []).filter(isTool);
      const options = {
        origin: 'https://a.example',
        isTaken: (name: string) => name === 'acme_get_user',
        sha256,
        clock,
      };
      const { pinned } = await pinTools('acme', tools, options);
      for (const { name, text, definition } of pinned) {
        expect(name).toMatch(/^acme_[a-z0-9_]{1,59}$/);
        expect(parseDefinition(text)).toEqual(definition);
      }
      expect(new Set(pinned.map(({ name }) => name)).size).toBe(pinned.length);
      const digests = (all: typeof pinned) => all.map(({ name, digest }) => `${name} ${digest}`).toSorted();
      const unique = [...new Map(tools.toReversed().map((tool) => [tool.name, tool])).values()];
      const again = await pinTools('acme', unique, options);
      expect(digests(again.pinned)).toEqual(digests(pinned));
    });
  });
});

interface Listed {
  name: string;
  description: string;
  inputSchema: JsonSchema;
}

/** A client of MCP has checked that much. */
function isTool(value: unknown): value is Listed {
  if (typeof value !== 'object' || value === null) return false;
  const tool = new Map<string, unknown>(Object.entries(value));
  const isText = (key: string) => typeof tool.get(key) === 'string';
  const isSchema = typeof tool.get('inputSchema') === 'object' && tool.get('inputSchema') !== null;
  const rest = (!tool.has('title') || isText('title')) && (!tool.has('tags') || isTexts(tool.get('tags')));
  return isText('name') && isText('description') && isSchema && rest;
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
