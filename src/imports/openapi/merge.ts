// Merges two schemas that both hold, as `allOf` says. A model reads one object more easily than a list of them.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';

type Combine = (one: unknown, other: unknown) => unknown;

// The value of a keyword that both schemas have and that cannot be said once.
const NEITHER = Symbol('neither');

const either: Combine = (one, other) => (JSON.stringify(one) === JSON.stringify(other) ? one : NEITHER);
const least: Combine = (one, other) => Math.min(Number(one), Number(other));
const most: Combine = (one, other) => Math.max(Number(one), Number(other));
// The schema that refers to another one describes it better.
const last: Combine = (_, other) => other;

const COMBINE: Readonly<Record<string, Combine>> = {
  type: intersectTypes,
  enum: intersectLists,
  required: (one, other) => [...new Set([...asList(one), ...asList(other)])],
  properties: mergeProperties,
  description: last,
  default: last,
  examples: last,
  deprecated: (one, other) => one === true || other === true,
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
};

/** Returns null when one schema cannot say what the two say. */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema | null {
  const merged: JsonSchema = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    if (merged[keyword] === undefined) merged[keyword] = value;
    else {
      const both = (COMBINE[keyword] ?? either)(merged[keyword], value);
      if (both === NEITHER) return null;
      merged[keyword] = both;
    }
  }
  // A closed part would refuse the properties of the other parts, and no author means that.
  if (
    one['additionalProperties'] !== other['additionalProperties'] &&
    one['properties'] !== other['properties']
  )
    delete merged['additionalProperties'];
  return merged;
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

function intersectTypes(one: unknown, other: unknown): unknown {
  const [ones, others] = [asList(one), asList(other)];
  const shared = ones.filter((type) => others.includes(type));
  if (
    (ones.includes('integer') && others.includes('number')) ||
    (ones.includes('number') && others.includes('integer'))
  )
    shared.push('integer');
  const types = [...new Set(shared)];
  if (types.length === 0) return NEITHER;
  return types.length === 1 ? types[0] : types;
}

function intersectLists(one: unknown, other: unknown): unknown {
  const others = new Set(asList(other));
  const shared = asList(one).filter((value) => others.has(value));
  return shared.length === 0 ? NEITHER : shared;
}

function mergeProperties(one: unknown, other: unknown): unknown {
  if (!isObject(one) || !isObject(other)) return NEITHER;
  const merged = new Map(Object.entries(one));
  for (const [name, schema] of Object.entries(other)) {
    const known = merged.get(name);
    if (!isObject(known) || !isObject(schema)) merged.set(name, schema);
    else merged.set(name, mergeSchemas(known, schema) ?? { allOf: [known, schema] });
  }
  return Object.fromEntries(merged);
}
