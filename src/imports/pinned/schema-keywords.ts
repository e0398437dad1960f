// Lists the keywords of JSON Schema that a pinned schema may have, and what their values look like.

export const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** The value is one schema. */
export const ONE_SCHEMA = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** The value is a list of schemas. `items` may have either form. */
export const SCHEMA_LIST = new Set(['allOf', 'anyOf', 'oneOf', 'items']);
/** The value names schemas. `dependencies` may also name lists of keys. */
export const SCHEMA_MAP = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies']);

/** Say something about a value, and do not restrict it. */
export const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'format',
  'contentEncoding',
  'contentMediaType',
  'x-mcp-header',
]);

const MAX_SAFE = Number.MAX_SAFE_INTEGER;
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);
const isCount = (value: unknown) =>
  typeof value === 'number' && value >= 0 && value <= MAX_SAFE && value % 1 === 0;
const isFlag = (value: unknown) => typeof value === 'boolean';
const isShort = (value: unknown) => typeof value === 'string' && value.length <= 100;

/** The values of these keywords are copied when they have the right form. */
export const PLAIN: Readonly<Record<string, (value: unknown) => boolean>> = {
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  uniqueItems: isFlag,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  contentEncoding: isShort,
  contentMediaType: isShort,
  format: isShort,
  // Says in which header an MCP client repeats the argument. SEP-2243
  'x-mcp-header': isShort,
};

export const MAX_PATTERN = 1_000;

/** Patterns are shown and never run. One that no reader could compile would spoil the whole schema for strict readers. */
export function isPattern(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PATTERN) return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
