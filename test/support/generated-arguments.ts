// Makes arguments that fit a JSON Schema, by seeded chance.
import { isObject } from '../../src/json/json.ts';
import type { Chance } from '../fuzz/chance.ts';

export interface Wish {
  /** The share of optional members that are given, in percent. */
  optional: number;
  /** Only characters that a header can hold. */
  plain: boolean;
}

const MAX_DEPTH = 6;
const WORDS = ['text', 'two words', 'grün', 'a&b=c', '100%', 'x+y', '#1', 'it’s', '😀'];
const PLAIN_WORDS = ['text', 'two words', 'a&b=c'];
const OF_FORMAT: Record<string, string> = {
  'date-time': '2026-03-01T12:30:00Z',
  date: '2026-03-01',
  time: '12:30:00Z',
  email: 'ann@example.com',
  uri: 'https://example.com/a?b=c',
  url: 'https://example.com/a',
  uuid: '6f2a5a1e-6c4b-4f0e-9a53-2f3f3c1f7d10',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
  byte: 'aGVsbG8=',
  int64: '12',
};
/** Real descriptions ask for these. */
const OF_PATTERN = [
  ...Object.values(OF_FORMAT),
  'text',
  'Text',
  'abc-def',
  'a',
  'A',
  'AB',
  'ABC',
  '1',
  '12',
  '1234',
  '12345',
  '123456789012345678',
  '0x12',
  '#AABBCC',
  'AABBCC',
  '12:30',
  'a@b.de',
  'a/b',
  'refs/heads/main',
  'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  '0123456789abcdef0123456789abcdef01234567',
  '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  '0.000000000000000001',
  '1.0.0',
  'urn:altinn:resource:text',
  'en_US',
  '5d',
  '2026-03',
  '',
];

/** Returns undefined where it does not find a value that fits. */
export function makeValue(schema: unknown, chance: Chance, wish: Wish, depth = 0): unknown {
  if (!isObject(schema)) return chance.pick(PLAIN_WORDS);
  const whole = chooseBranches(schema, chance);
  if ('const' in whole) return whole['const'];
  if (Array.isArray(whole['enum'])) return chance.pick(whole['enum']);
  if (Array.isArray(whole['examples']) && depth > 0 && chance.below(2) === 0) return whole['examples'][0];
  switch (typeOf(whole, chance)) {
    case 'object':
      return makeObject(whole, chance, wish, depth);
    case 'array':
      return makeList(whole, chance, wish, depth);
    case 'integer':
      return makeNumber(whole, chance, true);
    case 'number':
      return makeNumber(whole, chance, false);
    case 'boolean':
      return chance.below(2) === 0;
    case 'null':
      return null;
    default:
      return makeText(whole, chance, wish);
  }
}

function chooseBranches(schema: Record<string, unknown>, chance: Chance): Record<string, unknown> {
  let whole = schema;
  const { anyOf, oneOf, allOf } = schema;
  const chosen = [anyOf, oneOf].flatMap((branches) =>
    Array.isArray(branches) ? [chance.pick(branches)] : [],
  );
  for (const part of [...chosen, ...(Array.isArray(allOf) ? allOf : [])]) {
    if (!isObject(part)) continue;
    const more = chooseBranches(part, chance);
    whole = {
      ...whole,
      ...more,
      properties: { ...asObject(whole['properties']), ...asObject(more['properties']) },
      required: [...asList(whole['required']), ...asList(more['required'])],
    };
  }
  return whole;
}

const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function typeOf(schema: Record<string, unknown>, chance: Chance): unknown {
  const { type } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((name) => name !== 'null');
    return types.length === 0 ? 'null' : chance.pick(types);
  }
  if (type !== undefined) return type;
  if (Object.keys(asObject(schema['properties'])).length > 0) return 'object';
  return schema['items'] === undefined ? 'string' : 'array';
}

function makeObject(schema: Record<string, unknown>, chance: Chance, wish: Wish, depth: number): unknown {
  const required = new Set(asList(schema['required']));
  const properties = Object.entries(asObject(schema['properties']));
  const made = properties.flatMap(([name, property]) => {
    const isWanted = required.has(name) || (depth < MAX_DEPTH && chance.below(100) < wish.optional);
    const value = isWanted ? makeValue(property, chance, wish, depth + 1) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  const { additionalProperties: extra, minProperties } = schema;
  const isOpen = properties.length === 0 && isObject(extra) && depth < MAX_DEPTH;
  const more = isOpen || (typeof minProperties === 'number' && made.length < minProperties);
  return {
    ...Object.fromEntries(made),
    ...(more ? { key: makeValue(isObject(extra) ? extra : {}, chance, wish, depth + 1) } : {}),
  };
}

function makeList(schema: Record<string, unknown>, chance: Chance, wish: Wish, depth: number): unknown {
  const { items, maxItems, minItems, prefixItems } = schema;
  const least = typeof minItems === 'number' ? minItems : depth >= MAX_DEPTH ? 0 : 1;
  const most = typeof maxItems === 'number' ? maxItems : least + 2;
  const count = least + chance.below(Math.max(1, Math.min(3, most - least + 1)));
  const made = new Map<string, unknown>();
  for (let index = 0; index < count * 5 && made.size < count; index++) {
    const value = makeValue(asList(prefixItems)[made.size] ?? items, chance, wish, depth + 1);
    if (value !== undefined) made.set(JSON.stringify(value), value);
  }
  return [...made.values()];
}

function makeNumber(schema: Record<string, unknown>, chance: Chance, isWhole: boolean): number {
  const bound = (name: string) => (typeof schema[name] === 'number' ? schema[name] : undefined);
  const step = bound('multipleOf') ?? (isWhole ? 1 : 0.5);
  const exclusive = bound('exclusiveMinimum');
  const least = Math.max(
    bound('minimum') ?? -Infinity,
    exclusive === undefined ? -Infinity : exclusive + step,
  );
  const most = Math.min(bound('maximum') ?? Infinity, (bound('exclusiveMaximum') ?? Infinity) - step);
  const from = least === -Infinity ? (most === Infinity ? 0 : Math.min(0, most - 10 * step)) : least;
  const steps = Math.min(20, Math.max(0, Math.floor((most - from) / step)));
  return Math.ceil(from / step) * step + chance.below(steps + 1) * step;
}

function makeText(schema: Record<string, unknown>, chance: Chance, { plain }: Wish): string | undefined {
  const { examples, format, maxLength = Infinity, minLength = 0, pattern } = schema;
  const [least, most] = [Number(minLength), Number(maxLength)];
  const fits = (text: string) => {
    const { length } = Array.from(text);
    return length >= least && length <= most;
  };
  if (typeof pattern === 'string') {
    const expression = new RegExp(pattern, 'u');
    return [...asList(examples), ...OF_PATTERN]
      .filter((text) => typeof text === 'string')
      .find((text) => fits(text) && expression.test(text));
  }
  const known = typeof format === 'string' ? OF_FORMAT[format] : undefined;
  const text = known ?? chance.pick(plain ? PLAIN_WORDS : WORDS);
  if (fits(text)) return text;
  return text.length > most ? 'abcdefghij'.slice(0, most) : text.padEnd(least, 'x');
}
