// Writes a JSON Schema as a type of TypeScript, which `tsc --strict` accepts whatever the schema is.
import { isObject } from './json.ts';

export interface TypeWriter {
  /** The type of a value of this schema. Pointers are looked up in `root`. */
  typeOf(schema: unknown, root: unknown): string;
  /** Declares the types that the written ones name. */
  aliases(): string[];
}

interface Bounds {
  /** How deep objects and lists are written. What lies deeper is `any`. */
  depth: number;
  /** Whether members have their descriptions. */
  describes: boolean;
}

const MAX_NODES = 5_000;
const MAX_CHOICES = 64;
const MAX_TUPLE = 32;
const MAX_WORDS = 200;
const ANY = 'any';

/** `prefix` begins the names of aliases. It is an identifier. */
export function createTypeWriter(prefix: string, { depth: deepest, describes }: Bounds): TypeWriter {
  const names = new Map<object, string>();
  const written = new Map<string, string>();
  /** The aliases that an alias names outside of an object or a list: a circle of them is an error of TypeScript. */
  const direct = new Map<string, Set<string>>();
  let nodes = 0;

  function reaches(from: string, to: string, seen = new Set<string>()): boolean {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(direct.get(from) ?? [])].some((next) => reaches(next, to, seen));
  }

  /** `within` is the alias that is being written, until an object or a list begins. */
  function reference(pointer: string, root: unknown, within: string | null): string {
    const target = resolve(pointer, root);
    if (!isObject(target)) return ANY;
    let name = names.get(target);
    if (name === undefined) {
      name = `${prefix}${names.size + 1}`;
      names.set(target, name);
      written.set(name, ANY);
      written.set(name, write(target, root, 0, name));
    }
    if (within === null) return name;
    if (reaches(name, within)) return ANY;
    direct.set(within, (direct.get(within) ?? new Set()).add(name));
    return name;
  }

  function write(schema: unknown, root: unknown, depth: number, within: string | null): string {
    if (schema === false) return 'never';
    if (!isObject(schema) || ++nodes > MAX_NODES) return ANY;
    if (typeof schema['$ref'] === 'string') return reference(schema['$ref'], root, within);
    if ('const' in schema) return literal(schema['const']) ?? ANY;
    const { enum: choices, nullable } = schema;
    const base = Array.isArray(choices) ? choicesOf(choices) : byType(schema, root, depth, within);
    const parts = [base];
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const kinds = schema[keyword];
      if (Array.isArray(kinds) && kinds.length > 0)
        parts.push(
          union(kinds.map((kind: unknown) => write(withoutNames(kind, schema), root, depth, within))),
        );
    }
    const { allOf } = schema;
    if (Array.isArray(allOf)) parts.push(...allOf.map((kind: unknown) => write(kind, root, depth, within)));
    const type = intersection(parts);
    return nullable === true && type !== ANY ? union([type, 'null']) : type;
  }

  function byType(
    schema: Record<string, unknown>,
    root: unknown,
    depth: number,
    within: string | null,
  ): string {
    const { type } = schema;
    if (Array.isArray(type))
      return union(type.map((each: unknown) => byType({ ...schema, type: each }, root, depth, within)));
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return listOf(schema, root, depth, within);
      case 'object':
        return objectOf(schema, root, depth);
      default:
        if (isObject(schema['properties'])) return objectOf(schema, root, depth);
        return 'items' in schema || 'prefixItems' in schema ? listOf(schema, root, depth, within) : ANY;
    }
  }

  /** TypeScript looks into the places of a tuple at once, so a tuple is no place for a circle. */
  function listOf(
    schema: Record<string, unknown>,
    root: unknown,
    depth: number,
    within: string | null,
  ): string {
    if (depth >= deepest) return `${ANY}[]`;
    const { items, prefixItems, additionalItems, minItems } = schema;
    const first: unknown = prefixItems ?? items;
    if (!Array.isArray(first)) return `(${write(items, root, depth + 1, null)})[]`;
    const rest = prefixItems === undefined ? additionalItems : items;
    const least = typeof minItems === 'number' ? minItems : 0;
    const places = first
      .slice(0, MAX_TUPLE)
      .map((each: unknown, at) => `(${write(each, root, depth + 1, within)})${at < least ? '' : '?'}`);
    const end =
      rest === false && first.length <= MAX_TUPLE ? [] : [`...(${write(rest, root, depth + 1, within)})[]`];
    return `[${[...places, ...end].join(', ')}]`;
  }

  function objectOf(schema: Record<string, unknown>, root: unknown, depth: number): string {
    const { properties, required, additionalProperties, patternProperties } = schema;
    const members = isObject(properties) ? Object.entries(properties) : [];
    if (members.length === 0) {
      const value = isObject(additionalProperties) && depth < deepest ? additionalProperties : true;
      if (additionalProperties === false && patternProperties === undefined)
        return '{ [key: string]: never }';
      return `{ [key: string]: ${write(patternProperties === undefined ? value : true, root, depth + 1, null)} }`;
    }
    if (depth >= deepest) return '{ [key: string]: any }';
    const needed = new Set<unknown>(Array.isArray(required) ? required : []);
    const lines = members.map(([key, node]) => {
      const words = describes ? describe(node) : '';
      return `${words}${keyOf(key)}${needed.has(key) ? '' : '?'}: ${write(node, root, depth + 1, null)}`;
    });
    const isOpen =
      patternProperties !== undefined || additionalProperties === true || isObject(additionalProperties);
    return `{ ${[...lines, ...(isOpen ? ['[key: string]: any'] : [])].join('; ')} }`;
  }

  return {
    typeOf: (schema, root) => write(schema, root, 0, null),
    aliases: () => [...written].map(([name, type]) => `type ${name} = ${type};`),
  };
}

/** A choice often repeats only which members are required. The members themselves stand beside it. */
function withoutNames(kind: unknown, parent: Record<string, unknown>): unknown {
  const onlyNames = isObject(kind) && 'required' in kind && !('properties' in kind) && !('$ref' in kind);
  return onlyNames && 'properties' in parent ? true : kind;
}

/** The type of a member or of a tool, by its name. */
export const keyOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : textOf(key));

/** A comment in the form of JSDoc, or nothing. */
export function commentOf(words: unknown, most: number): string {
  if (typeof words !== 'string') return '';
  const line = words.replaceAll(/\s+/g, ' ').trim();
  const cut = line.length > most ? `${line.slice(0, most - 1)}…` : line;
  const safe = cut.replaceAll('*/', '*\\/').toWellFormed();
  return safe === '' ? '' : `/** ${safe} */ `;
}

function describe(node: unknown): string {
  if (!isObject(node)) return '';
  const given = node['default'];
  const text = given === undefined || given === null ? '' : (JSON.stringify(given) ?? '');
  const words = typeof node['description'] === 'string' ? node['description'] : '';
  return commentOf(text === '' || text.length > 40 ? words : `${words} Default: ${text}`, MAX_WORDS);
}

const textOf = (text: string): string => JSON.stringify(text.toWellFormed());

function literal(value: unknown): string | null {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return textOf(value);
  return typeof value === 'number' && Number.isFinite(value) ? JSON.stringify(value) : null;
}

function choicesOf(choices: readonly unknown[]): string {
  if (choices.length > 0 && choices.length <= MAX_CHOICES)
    return union(choices.map((choice) => literal(choice) ?? ANY));
  const kinds = new Set(choices.map((choice) => (choice === null ? 'null' : typeof choice)));
  return union([...kinds].map((kind) => (PLAIN.has(kind) ? kind : ANY)));
}

const PLAIN = new Set(['string', 'number', 'boolean', 'null']);

function union(kinds: readonly string[]): string {
  const different = [...new Set(kinds)];
  if (different.length === 0 || different.includes(ANY)) return ANY;
  return different.length === 1 ? different.join('') : `(${different.join(' | ')})`;
}

/** What says nothing is left out. */
function intersection(parts: readonly string[]): string {
  const telling = [...new Set(parts)].filter((part) => part !== ANY);
  if (telling.length === 0) return ANY;
  return telling.length === 1 ? telling.join('') : `(${telling.join(' & ')})`;
}

/** A pointer into the same schema. Null for any other. RFC 6901 */
function resolve(pointer: string, root: unknown): unknown {
  if (pointer !== '#' && !pointer.startsWith('#/')) return null;
  let place: unknown = root;
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(place)) place = place[Number(key)];
    else if (isObject(place) && Object.hasOwn(place, key)) place = place[key];
    else return null;
  }
  return place;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
