// Mends arguments that a schema has refused, where there is no doubt about what is meant: `null` for what can be left out,
// and a number, a boolean, a list or an object that was written as text. reference: Meta-tools
import { readNested, readNumber } from '../json/exact-integers.ts';
import { isObject } from '../json/json.ts';

/** The types that a schema allows. Null stands for all of them. */
type Types = ReadonlySet<string> | null;

/** Changes nothing that the schema may allow as it is. Returns the same value where there is nothing to mend. */
export function mendArguments(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  let mended = readAs(value, schema);
  if (Array.isArray(mended)) mended = mendItems(mended, schema['items']);
  else if (isObject(mended)) mended = mendMembers(mended, schema);
  const branch = onlyBranch(mended, [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]);
  for (const part of [branch, ...listOf(schema['allOf'])]) mended = mendArguments(mended, part);
  return mended;
}

function readAs(value: unknown, schema: Record<string, unknown>): unknown {
  const types = typesOf(schema);
  if (types === null || types.has(typeOf(value))) return value;
  if (typeof value === 'string') return readText(value, types);
  return types.has('array') && isOneOf(schema['items'], value) ? [value] : value;
}

/** Whether an object stands in the place of a list of such objects. */
function isOneOf(schema: unknown, value: unknown): boolean {
  const required = isObject(schema) ? listOf(schema['required']) : [];
  return (
    isObject(value) && required.length > 0 && required.every((name) => Object.hasOwn(value, String(name)))
  );
}

function readText(text: string, types: ReadonlySet<string>): unknown {
  const number = types.has('integer') ? readNumber(text) : null;
  if (number !== null && (types.has('number') || isInteger(number))) return number;
  if (types.has('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const nested = types.has('array') || types.has('object') ? readNested(text) : text;
  return typeof nested !== 'string' && types.has(typeOf(nested)) ? nested : text;
}

const isInteger = (number: number | bigint): boolean =>
  typeof number === 'bigint' || Number.isInteger(number);

function mendItems(items: readonly unknown[], schema: unknown): readonly unknown[] {
  const mended = items.map((item, at) => mendArguments(item, Array.isArray(schema) ? schema[at] : schema));
  return mended.some((item, at) => item !== items[at]) ? mended : items;
}

function mendMembers(value: Record<string, unknown>, schema: Record<string, unknown>): unknown {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = new Set(listOf(schema['required']));
  let isChanged = false;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const isKnown = Object.hasOwn(properties, name);
    const own = isKnown ? properties[name] : schema['additionalProperties'];
    if (member === null && isKnown && !required.has(name) && !allows(own, 'null')) {
      isChanged = true;
      return [];
    }
    const mended = mendArguments(member, own);
    isChanged ||= mended !== member;
    return [[name, mended] as const];
  });
  return isChanged ? Object.fromEntries(members) : value;
}

/** Nobody can tell which one is meant where several have the type of the value. */
function onlyBranch(value: unknown, branches: readonly unknown[]): unknown {
  const [first, ...others] = branches.filter((branch) => allows(branch, typeOf(value)));
  return others.length === 0 ? first : undefined;
}

function allows(schema: unknown, type: string): boolean {
  if (typeof schema === 'boolean') return schema;
  const types = typesOf(schema);
  return types === null || types.has(type);
}

function typesOf(schema: unknown): Types {
  if (!isObject(schema)) return null;
  const { type, anyOf, oneOf } = schema;
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return [
    type === undefined ? null : withIntegers([type].flat().map(String)),
    Array.isArray(values) ? withIntegers(values.map(typeOf)) : null,
    ...[anyOf, oneOf].map((branches) => (Array.isArray(branches) ? either(branches.map(typesOf)) : null)),
    ...listOf(schema['allOf']).map(typesOf),
  ].reduce(both);
}

/** An integer is a number, so a schema that allows numbers allows integers. */
const withIntegers = (types: readonly string[]): Types =>
  new Set(types.includes('number') ? [...types, 'integer'] : types);

function both(one: Types, other: Types): Types {
  if (one === null || other === null) return one ?? other;
  return one.intersection(other);
}

const either = (all: readonly Types[]): Types =>
  all.reduce<Types>((one, other) => (one === null || other === null ? null : one.union(other)), new Set());

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
