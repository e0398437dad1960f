// The function declarations of Gemini: the subset of OpenAPI 3.0 that https://ai.google.dev/api/caching#Schema lists.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { type Convert, type Lose, pointer, withoutBadNames } from './losses.ts';

type GeminiFunction = {
  name: string;
  description: string;
  /** Absent for a tool without arguments: an object has to have some. */
  parameters?: JsonSchema;
};

/** Taken as they are. */
const KEPT = new Set([
  'title',
  'description',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'default',
  'example',
  'nullable',
]);
/** Say nothing that a caller needs. */
const SILENT = new Set(['$schema', '$id', '$comment', 'examples', 'readOnly', 'writeOnly', 'deprecated']);
const FORMATS: Readonly<Record<string, readonly unknown[]>> = {
  STRING: ['enum', 'date-time'],
  NUMBER: ['float', 'double'],
  INTEGER: ['int32', 'int64'],
};
const ARGUMENT = /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/;
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object']);

export const toGemini: Convert<GeminiFunction> = ({ name, description, schema }, lose) => {
  const named = withoutBadNames(schema, { pattern: ARGUMENT, lose });
  if (named === null) {
    lose('', 'the tool is left out: it could not be called');
    return null;
  }
  const parameters = convert({ ...named, type: 'object' }, '', lose);
  // A name begins with a letter or an underscore.
  const called = /^[0-9]/.test(name) ? `_${name}`.slice(0, 64) : name;
  if (called !== name) lose('', `the function is called ${called}`);
  const hasAny = isObject(parameters['properties']) && Object.keys(parameters['properties']).length > 0;
  return { name: called, description, ...(hasAny ? { parameters } : {}) };
};

function convert(schema: unknown, path: string, lose: Lose): JsonSchema {
  if (!isObject(schema)) {
    if (schema === false) lose(path, 'a schema that allows nothing is not taken');
    return { type: 'STRING', description: 'Any value, as JSON' };
  }
  const types = typesOf(schema);
  const isNullable = types.includes('null') || schema['nullable'] === true;
  const [type, ...others] = types.filter((each) => TYPES.has(each));
  if (others.length > 0) return anyOf(type === undefined ? others : [type, ...others], schema, path, lose);
  const made: JsonSchema = { ...convertMembers(schema, type, path, lose) };
  if (isNullable) made['nullable'] = true;
  if (type !== undefined) made['type'] = type.toUpperCase();
  else if (!('anyOf' in made)) {
    made['type'] = 'STRING';
    if (made['enum'] === undefined) lose(path, 'a value of any type is asked for as a text');
  }
  if (type === 'array') made['items'] = convert(schema['items'] ?? {}, `${path}/items`, lose);
  return made;
}

function typesOf({ type, properties, items, enum: values, const: value }: JsonSchema): string[] {
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if (typeof type === 'string') return [type];
  if (properties !== undefined) return ['object'];
  if (items !== undefined) return ['array'];
  const all: unknown[] = Array.isArray(values) ? values : value === undefined ? [] : [value];
  const kinds = new Set(all.map((each) => (each === null ? 'null' : typeof each)));
  return all.length > 0 ? [...kinds] : [];
}

function anyOf(types: readonly string[], schema: JsonSchema, path: string, lose: Lose): JsonSchema {
  const { description, type: _, ...rest } = schema;
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: types.map((type) => convert({ ...rest, type }, path, lose)),
  };
}

function convertMembers(schema: JsonSchema, type: string | undefined, path: string, lose: Lose): JsonSchema {
  const made: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    const at = pointer(path, key);
    switch (key) {
      case 'type':
      case 'items':
        break;
      case 'properties':
        if (isObject(value))
          made['properties'] = Object.fromEntries(
            Object.entries(value).map(([name, below]) => [name, convert(below, pointer(at, name), lose)]),
          );
        break;
      case 'required':
        if (Array.isArray(value) && value.length > 0) {
          const known = isObject(schema['properties']) ? Object.keys(schema['properties']) : [];
          made['required'] = value.filter((name) => known.includes(String(name)));
        }
        break;
      case 'enum':
      case 'const':
        convertEnum(key === 'enum' ? value : [value], made, at, lose);
        break;
      case 'anyOf':
      case 'oneOf':
        if (Array.isArray(value))
          made['anyOf'] = value.map((each, index) => convert(each, pointer(at, index), lose));
        if (key === 'oneOf') lose(at, 'oneOf is taken as anyOf');
        break;
      case 'format':
        if (FORMATS[type?.toUpperCase() ?? '']?.includes(value) === true) made['format'] = value;
        else lose(at, 'this format is not taken');
        break;
      case 'additionalProperties':
        // Only arguments that are described are written, so closing an object loses nothing.
        if (value !== false) lose(at, 'members without a description are not taken');
        break;
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        convertBound(key, value, type, made, at, lose);
        break;
      default:
        if (KEPT.has(key)) made[key] = value;
        else if (!SILENT.has(key)) lose(at, `${key} is not taken`);
    }
  }
  return made;
}

/** Only texts can be listed. */
function convertEnum(value: unknown, made: JsonSchema, path: string, lose: Lose): void {
  const values = Array.isArray(value) ? value.filter((each) => each !== null) : [];
  if (values.length > 0 && values.every((each) => typeof each === 'string' && each !== ''))
    made['enum'] = values;
  else lose(path, 'only texts can be listed');
}

/** The bound of an integer moves by one. */
function convertBound(
  key: string,
  value: unknown,
  type: string | undefined,
  made: JsonSchema,
  path: string,
  lose: Lose,
): void {
  if (type !== 'integer' || typeof value !== 'number') return lose(path, `${key} is not taken`);
  if (key === 'exclusiveMinimum') made['minimum'] = Math.floor(value) + 1;
  else made['maximum'] = Math.ceil(value) - 1;
}
