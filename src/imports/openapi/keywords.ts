// Copies the keywords of a schema that hold no other schemas, from any version of OpenAPI into JSON Schema 2020-12.
import type { JsonSchema } from '../../kit/validation.ts';
import { listOf, member, type Node, textOf } from './document.ts';
import { copyValue, shorten } from './plain.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'];
const COUNTS = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const MAX_PATTERN = 300;
const MAX_EXAMPLE = 80;
const MAX_REQUIRED = 500;

/** The keywords, with descriptions of `text` characters and enumerations of `values` values. */
export function copyKeywords(schema: Node, { text, values }: { text: number; values: number }): JsonSchema {
  const copied: JsonSchema = {};
  const types = typesOf(schema);
  if (types.length > 0) copied['type'] = types.length === 1 ? types[0] : types;
  const description = textOf(schema, 'description');
  if (description !== undefined) copied['description'] = shorten(description, text);
  copyEnumeration(schema, copied, values);
  copyNumbers(schema, copied);
  copyTexts(schema, copied);
  const required = listOf(schema, 'required').filter((name) => typeof name === 'string');
  if (required.length > 0) copied['required'] = [...new Set(required)].slice(0, MAX_REQUIRED);
  if (member(schema, 'uniqueItems') === true) copied['uniqueItems'] = true;
  if (member(schema, 'deprecated') === true) copied['deprecated'] = true;
  const value = copyValue(member(schema, 'default'));
  // Many descriptions write `default: null` where they mean that there is none.
  if (value !== undefined && value !== null) copied['default'] = value;
  return copied;
}

/** The types that a schema names, and `null` when it says so in any version's way. */
export function typesOf(schema: unknown): string[] {
  const given = member(schema, 'type');
  const types = (Array.isArray(given) ? given : [given])
    // OpenAPI 2.0 has a type for files.
    .map((type) => (type === 'file' ? 'string' : type))
    .filter((type) => typeof type === 'string')
    .filter((type) => TYPES.includes(type));
  if (types.length > 0 && isNullable(schema)) types.push('null');
  return [...new Set(types)];
}

export function isNullable(schema: unknown): boolean {
  return member(schema, 'nullable') === true || member(schema, 'x-nullable') === true;
}

function copyEnumeration(schema: Node, copied: JsonSchema, values: number): void {
  const constant = copyValue(member(schema, 'const'));
  if (constant !== undefined) copied['const'] = constant;
  const given = listOf(schema, 'enum');
  const known = given.slice(0, values).map(copyValue);
  const example = exampleOf(schema);
  if (given.length > values) copied['examples'] = known.filter((value) => value !== undefined).slice(0, 5);
  else if (known.length > 0 && !known.includes(undefined)) {
    if (isNullable(schema) && !known.includes(null)) known.push(null);
    copied['enum'] = uniqueValues(known);
  } else if (example !== undefined) copied['examples'] = [example];
}

function uniqueValues(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** A short example tells a model the form of a text better than its description. */
function exampleOf(schema: Node): unknown {
  const given = member(schema, 'example') ?? listOf(schema, 'examples')[0];
  if (typeof given === 'number' && Number.isFinite(given)) return given;
  return typeof given === 'string' && given !== '' && given.length <= MAX_EXAMPLE ? given : undefined;
}

function copyNumbers(schema: Node, copied: JsonSchema): void {
  for (const keyword of COUNTS) {
    const value = member(schema, keyword);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) copied[keyword] = value;
  }
  const multiple = numberOf(schema, 'multipleOf');
  if (multiple !== undefined && multiple > 0) copied['multipleOf'] = multiple;
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const bound = numberOf(schema, plain);
    // Before 3.1 it was a flag beside the bound.
    const isExclusive = member(schema, exclusive) === true;
    if (bound !== undefined) copied[isExclusive ? exclusive : plain] = bound;
    copied[exclusive] ??= numberOf(schema, exclusive);
    if (copied[exclusive] === undefined) delete copied[exclusive];
  }
}

function numberOf(schema: Node, keyword: string): number | undefined {
  const value = member(schema, keyword);
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function copyTexts(schema: Node, copied: JsonSchema): void {
  const format = textOf(schema, 'format');
  if (format !== undefined && /^[a-zA-Z0-9_.-]{1,40}$/.test(format)) copied['format'] = format;
  const pattern = textOf(schema, 'pattern');
  if (pattern !== undefined && pattern.length <= MAX_PATTERN && isPattern(pattern))
    copied['pattern'] = pattern;
  const encoding = textOf(schema, 'contentEncoding');
  if (encoding !== undefined) copied['contentEncoding'] = encoding.slice(0, 40);
}

// Descriptions have patterns of every language. JSON Schema §6.4 asks for those of ECMA-262.
function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
}
