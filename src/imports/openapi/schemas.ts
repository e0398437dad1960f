// Makes self-contained JSON Schema 2020-12 of the schemas of any version, for the arguments of a tool.
// `pinned/schema.ts` says why it is not the normaliser of pinned schemas.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { type Description, listOf, member, type Node, objectOf } from './document.ts';
import { copyKeywords, isNullable, typesOf } from './keywords.ts';
import { mergeSchemas } from './merge.ts';

/** How much of a schema is said. Large operations are said with less. */
export interface Detail {
  /** How many schemas lie in each other. */
  depth: number;
  /** The characters of a description. */
  text: number;
  /** The values of an enumeration. */
  values: number;
}

/** A schema that was made, and what decides whether it can be used at another place too. */
export interface Made {
  schema: JsonSchema;
  /** About the characters of its JSON. */
  size: number;
  /** How many schemas lie in each other. Infinity when something was cut because of the depth. */
  height: number;
  /** The references around it at which it was cut, because they lead back to themselves. */
  cuts: ReadonlySet<string>;
  /** What could not be read, in sentences. */
  problems: ReadonlySet<string>;
  /** It is a member of answers alone. */
  readOnly: boolean;
}

/** The schemas of an operation are larger than they may be. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

export type MakeSchema = (schema: unknown) => Made;

/** What the operations of one description share: the schemas behind references, for each detail. */
export type SchemaCache = Map<Detail, Map<string, Made>>;

const NONE: ReadonlySet<string> = new Set();
const RECURSIVE = 'Recursive: the same again.';
const CUT = 'Not described further.';
const MAX_BRANCHES = 100;

/** Makes the schemas of one operation, which together have at most `most` characters. Throws a TooLarge. */
export function createSchemaMaker(
  description: Description,
  cache: SchemaCache,
  detail: Detail,
  most: number,
): MakeSchema {
  const known = cache.get(detail) ?? new Map<string, Made>();
  cache.set(detail, known);
  let left = most;

  function charge(size: number): void {
    left -= size;
    if (left < 0) throw new TooLarge();
  }

  function leaf(schema: JsonSchema, more: Partial<Made> = {}): Made {
    const size = JSON.stringify(schema).length;
    charge(size);
    return { schema, size, height: 0, cuts: NONE, problems: NONE, readOnly: false, ...more };
  }

  function make(schema: unknown, depth: number, open: readonly string[]): Made {
    if (schema === false) return leaf({ not: {} });
    if (!isObject(schema)) return leaf({});
    if (typeof member(schema, '$ref') !== 'string') return makeObject(schema, depth, open);
    const { $ref: _, ...beside } = schema;
    const target = makeTarget(schema, depth, open);
    // What stands beside a reference holds too, and a description there is about this place.
    return Object.keys(beside).length === 0
      ? target
      : makeObject({ ...beside, allOf: [schema, ...listOf(beside, 'allOf')] }, depth, open, target);
  }

  function makeTarget(schema: Node, depth: number, open: readonly string[]): Made {
    const found = description.follow(schema);
    if (found.problem !== undefined) return leaf({}, { problems: new Set([found.problem]) });
    const pointer = found.pointer ?? '';
    if (open.includes(pointer)) {
      const [type] = typesOf(found.node);
      const said = type === undefined ? {} : { type };
      return leaf({ ...said, description: RECURSIVE }, { cuts: new Set([pointer]) });
    }
    const before = known.get(pointer);
    if (before !== undefined && before.height <= depth) {
      charge(before.size);
      return before;
    }
    const made = make(found.node, depth, [...open, pointer]);
    const result = { ...made, cuts: without(made.cuts, pointer) };
    // A cut that depends on the way to this schema must not appear on another way.
    if (result.cuts.size === 0 && result.height !== Infinity) known.set(pointer, result);
    return result;
  }

  /** `target` is what the first part of `allOf` has been made into already. */
  function makeObject(schema: Node, depth: number, open: readonly string[], target?: Made): Made {
    const own = copyKeywords(schema, detail);
    const readOnly = member(schema, 'readOnly') === true;
    if (depth <= 0 && target === undefined && hasParts(schema)) {
      const { required: _, ...rest } = own;
      const said = own['description'];
      const text = typeof said === 'string' ? `${said} ${CUT}` : CUT;
      return leaf({ ...rest, description: text }, { height: Infinity, readOnly });
    }
    const gathered = gather(leaf(own));
    const add = (part: unknown) => gathered.add(make(part, depth - 1, open));
    addProperties(schema, own, (part) => {
      const made = make(part, depth - 1, open);
      return made.readOnly ? null : gathered.add(made);
    });
    addParts(schema, own, add);
    const all = listOf(schema, 'allOf').slice(0, MAX_BRANCHES);
    const parts = all.map((part, index) =>
      gathered.add(index === 0 && target !== undefined ? target : make(part, depth - 1, open)),
    );
    const whole = allowNull(schema, addType(combine(parts, own)));
    return { ...gathered.facts(), schema: whole, readOnly: readOnly || target?.readOnly === true };
  }

  return (schema) => make(schema, detail.depth, []);
}

/** Adds up what is known about the parts of a schema. */
function gather(own: Made): {
  add: (part: Made) => JsonSchema;
  facts: () => Omit<Made, 'schema' | 'readOnly'>;
} {
  let { size, height } = own;
  const cuts = new Set<string>();
  const problems = new Set<string>();
  return {
    add(part) {
      size += part.size;
      height = Math.max(height, part.height + 1);
      for (const cut of part.cuts) cuts.add(cut);
      for (const problem of part.problems) problems.add(problem);
      return part.schema;
    },
    facts: () => ({
      size,
      height,
      cuts: cuts.size === 0 ? NONE : cuts,
      problems: problems.size === 0 ? NONE : problems,
    }),
  };
}

function without(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  if (!set.has(value)) return set;
  const rest = new Set(set);
  rest.delete(value);
  return rest;
}

const PARTS = ['properties', 'items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'patternProperties'];

function hasParts(schema: Node): boolean {
  return PARTS.some((name) => typeof member(schema, name) === 'object');
}

/** Leaves out the members that are only in answers. */
function addProperties(schema: Node, own: JsonSchema, make: (part: unknown) => JsonSchema | null): void {
  const hidden = new Set<unknown>();
  const properties: [string, JsonSchema][] = [];
  for (const [name, part] of Object.entries(objectOf(schema, 'properties'))) {
    // Copies of objects lose this name, and no service asks for it.
    const made = name === '__proto__' ? null : make(part);
    if (made === null) hidden.add(name);
    else properties.push([name, made]);
  }
  if (properties.length > 0) own['properties'] = Object.fromEntries(properties);
  const required = listOf(own, 'required').filter((name) => !hidden.has(name));
  if (required.length > 0) own['required'] = required;
  else delete own['required'];
}

function addParts(schema: Node, own: JsonSchema, add: (part: unknown) => JsonSchema): void {
  const additional = member(schema, 'additionalProperties');
  if (additional === false) own['additionalProperties'] = false;
  else if (isObject(additional)) own['additionalProperties'] = add(additional);
  else if (additional === true) own['additionalProperties'] = true;
  const patterns = Object.entries(objectOf(schema, 'patternProperties')).slice(0, MAX_BRANCHES);
  // Names by pattern stay possible, and what they hold is not checked here.
  if (patterns.length > 0 && own['additionalProperties'] === false) delete own['additionalProperties'];
  const items = member(schema, 'items');
  if (isObject(items)) own['items'] = add(items);
  const first = listOf(schema, 'prefixItems').slice(0, MAX_BRANCHES);
  if (first.length > 0) own['prefixItems'] = first.map(add);
  // After a cut two branches of `oneOf` may accept the same value, so any branch is enough.
  const any = [...listOf(schema, 'oneOf'), ...listOf(schema, 'anyOf')].slice(0, MAX_BRANCHES);
  const discriminate = readDiscriminator(schema);
  if (any.length > 0) own['anyOf'] = any.map((branch) => discriminate(branch, add(branch)));
}

/** Says in each branch which value of the discriminator leads to it. OpenAPI 3.1 §4.8.25 */
function readDiscriminator(schema: Node): (branch: unknown, made: JsonSchema) => JsonSchema {
  const property = member(objectOf(schema, 'discriminator'), 'propertyName');
  if (typeof property !== 'string' || property === '__proto__') return (_, made) => made;
  const mapping = Object.entries(objectOf(objectOf(schema, 'discriminator'), 'mapping'));
  return (branch, made) => {
    const reference = member(branch, '$ref');
    if (typeof reference !== 'string' || !isObject(made['properties'])) return made;
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    const values = mapping.filter(([, to]) => to === reference || to === name).map(([value]) => value);
    const known = member(made['properties'], property);
    if (isObject(known) && ('enum' in known || 'const' in known)) return made;
    const said = {
      type: 'string',
      ...(isObject(known) ? known : {}),
      enum: values.length > 0 ? values : [name],
    };
    return {
      ...made,
      properties: { ...made['properties'], [property]: said },
      required: [...new Set([...listOf(made, 'required'), property])],
    };
  };
}

/** Says everything that all parts say in one schema, where that is possible. */
function combine(parts: readonly JsonSchema[], own: JsonSchema): JsonSchema {
  let merged: JsonSchema | null = null;
  const rest: JsonSchema[] = [];
  for (const part of [...parts, own]) {
    const both: JsonSchema | null = merged === null ? part : mergeSchemas(merged, part);
    if (both === null) rest.push(part);
    else merged = both;
  }
  return rest.length === 0
    ? (merged ?? {})
    : { ...merged, allOf: [...listOf(merged, 'allOf').filter(isObject), ...rest] };
}

/** Says the type that the other keywords mean: without it they accept anything of another type. */
function addType(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== undefined || schema['anyOf'] !== undefined) return schema;
  if (schema['properties'] !== undefined) return { type: 'object', ...schema };
  return schema['items'] === undefined ? schema : { type: 'array', ...schema };
}

/** Before 3.1 a flag beside the keywords allowed null. `copyKeywords` has read it where there is a type. */
function allowNull(source: Node, schema: JsonSchema): JsonSchema {
  if (!isNullable(source)) return schema;
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) return { ...withNull(schema, type), anyOf: [...anyOf, { type: 'null' }] };
  return withNull(schema, type);
}

function withNull(schema: JsonSchema, type: unknown): JsonSchema {
  const values = listOf(schema, 'enum');
  return {
    ...schema,
    ...(type === undefined ? {} : { type: [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])] }),
    ...(values.length === 0 || values.includes(null) ? {} : { enum: [...values, null] }),
  };
}
