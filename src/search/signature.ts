// Writes a tool's arguments as one line that an agent can call from: github_list_issues({owner, repo, state?: open|closed}).
import { isObject } from '../json/json.ts';
import { keyOf } from '../json/typescript.ts';
import type { JsonSchema } from '../kit/validation.ts';

const MAX_LENGTH = 320;
const MAX_CHOICES = 8;
const MAX_CHOICES_LENGTH = 80;
const MAX_CHOICE_LENGTH = 40;
const MAX_MEMBERS = 8;
const MAX_DEPTH = 2;

/**
 * Names the required arguments first and leaves out the type of a text. A long signature loses the types of its
 * optional arguments, then arguments from its end; "…" says that get_tool_schema has more.
 */
export function signatureOf(name: string, schema: JsonSchema): string {
  const properties = Object.entries(membersOf(schema['properties']));
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const needed = properties
    .filter(([key]) => required.has(key))
    .map(([key, node]) => keyOf(key) + typed(node));
  const optional = properties.filter(([key]) => !required.has(key));
  const whole = write(name, [...needed, ...optional.map(([key, node]) => `${keyOf(key)}?${typed(node)}`)]);
  if (whole.length <= MAX_LENGTH) return whole;
  const named = [...needed, ...optional.map(([key]) => `${keyOf(key)}?`)];
  while (named.length > needed.length && write(name, [...named, MORE]).length > MAX_LENGTH) named.pop();
  return write(name, named.length === properties.length ? named : [...named, MORE]);
}

const MORE = '…';

/** A script calls a tool with one object, and `execute_tools` takes the same one as `args`. */
const write = (name: string, parts: readonly string[]): string =>
  parts.length === 0 ? `${name}()` : `${name}({${parts.join(', ')}})`;

function typed(node: unknown): string {
  const type = typeOf(node, 0);
  return type === 'string' ? '' : `: ${type}`;
}

function typeOf(node: unknown, depth: number): string {
  if (!isObject(node)) return 'any';
  if ('const' in node) return literal(node['const']);
  const choices = node['enum'];
  if (Array.isArray(choices)) return choicesOf(choices);
  const kinds = node['anyOf'] ?? node['oneOf'];
  if (Array.isArray(kinds)) return union(kinds.map((kind) => typeOf(kind, depth)));
  const type = node['type'];
  if (Array.isArray(type)) return union(type.map((each) => typeOf({ ...node, type: each }, depth)));
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listOf(typeOf(node['items'], depth));
    default:
      return type === 'object' || 'properties' in node ? objectOf(node, depth) : 'any';
  }
}

/** Writes the members of an object while they are few: `{path, content?}`. */
function objectOf(node: Record<string, unknown>, depth: number): string {
  const members = Object.keys(membersOf(node['properties']));
  const required: unknown = node['required'];
  if (members.length === 0 || members.length > MAX_MEMBERS || depth >= MAX_DEPTH) return '{…}';
  const keys = members.map((key) => (Array.isArray(required) && required.includes(key) ? key : `${key}?`));
  return `{${keys.join(', ')}}`;
}

const listOf = (item: string): string => (item.includes('|') ? `(${item})[]` : `${item}[]`);

/** Null only says that an argument may be left empty. */
function union(kinds: readonly string[]): string {
  const telling = [...new Set(kinds)].filter((kind) => kind !== 'null');
  return telling.length > 0 ? telling.join('|') : 'null';
}

function choicesOf(choices: readonly unknown[]): string {
  const texts = choices.filter((choice) => choice !== null).map(literal);
  const shown = texts.slice(0, MAX_CHOICES);
  while (shown.length > 1 && shown.join('|').length > MAX_CHOICES_LENGTH) shown.pop();
  return shown.length < texts.length ? `${shown.join('|')}|…` : shown.join('|');
}

const literal = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'any')).slice(0, MAX_CHOICE_LENGTH);

const membersOf = (properties: unknown): Record<string, unknown> => (isObject(properties) ? properties : {});
