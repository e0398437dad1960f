// Makes a schema of others self-contained: no references, no cycles, bounded, and in words that every client reads.
// decision: 042
//
// OpenAPI descriptions pass through `openapi/schemas.ts` before. It has rules of its own for dialects, details and limits.
// The digest of each stored OpenAPI tool covers what both have made, so one normaliser for both would make accepted tools
// look changed. They stay two until a way is found that keeps every digest.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { cleanText, cutText, quoteName, type Removed } from './clean-text.ts';
import * as keywords from './schema-keywords.ts';
import { draftOf, indexReferences, type References } from './schema-references.ts';
import { shapeRoot } from './schema-root.ts';
import { keepSound, type Node } from './schema-soundness.ts';
import { tidyNode } from './schema-tidy.ts';
import { copyValue } from './schema-values.ts';

export const MAX_SCHEMA_TEXT = 8_192;
/** A longer schema is cut at fewer levels of its references: `get_tool_schema` shows no more than this. */
const READABLE_CHARACTERS = 60_000;
export const MAX_SCHEMA_BYTES = 256 * 1024;
/** A node of a written schema has at least so many characters, so that an attempt ends before it is written. */
const CHARACTERS_PER_NODE = 12;
/** Removing so many characters takes as long as copying a node. */
const REMOVED_PER_NODE = 4;
/** Reading one property of Unicode in a pattern takes as long as copying so many nodes. */
const NODES_PER_PROPERTY = 20;
const MAX_DEPTH = 64;
/** The characters that are read while one schema is made, each text as often as it is referred to. */
const MAX_READ = 4 * 1024 * 1024;
/** Reading stops here, long before the end of a very long text. */
const MAX_TEXT_READ = 64 * 1024;

export interface Normalised {
  schema: JsonSchema;
  /** Sentences without a subject, such as `refers to example.com, which is not read`. */
  notes: readonly string[];
}

class TooLarge extends Error {}

/** Counts the nodes that were copied for the schemas of a whole list, failed attempts included. */
export interface Work {
  nodes: number;
}

/**
 * Counts what is removed from texts in `removed`. Returns null if even the shallowest version is too long. It yields
 * after each attempt, so that others can have their turn.
 */
export function* normaliseSchema(
  raw: unknown,
  kind: 'input' | 'output',
  removed: Removed,
  work: Work = { nodes: 0 },
): Generator<undefined, Normalised | null> {
  // Levels of references, and how long the schema may be then.
  const attempts: [levels: number, characters: number][] = [
    ...[Infinity, 8, 5, 3, 2].map((levels): [number, number] => [levels, READABLE_CHARACTERS]),
    ...[2, 1, 0].map((levels): [number, number] => [levels, MAX_SCHEMA_BYTES]),
  ];
  let index: References | undefined;
  // Most schemas refer to nothing.
  const references: References = {
    find: (...asked) => (index ??= indexReferences(raw, draftOf(raw))).find(...asked),
  };
  for (const [levels, characters] of attempts) {
    const counts: Removed = new Map();
    try {
      const notes = new Set<string>();
      const schema = inline(
        raw,
        references,
        { levels, nodes: characters / CHARACTERS_PER_NODE, work },
        counts,
        notes,
      );
      const shaped = kind === 'input' ? shapeRoot(schema) : isObject(schema) ? schema : {};
      if (JSON.stringify(shaped).length > characters) throw new TooLarge();
      for (const [name, count] of counts) removed.set(name, (removed.get(name) ?? 0) + count);
      if (levels !== Infinity) notes.add(`nests so many definitions that it is shown ${levels} levels deep`);
      return { schema: shaped, notes: [...notes] };
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
    yield;
  }
  return null;
}

function inline(
  root: unknown,
  references: References,
  limits: { levels: number; nodes: number; work: Work },
  removed: Removed,
  notes: Set<string>,
): Node {
  const draft = draftOf(root);
  /** What is being copied right now: a node that comes again within itself is a cycle. */
  const open = new Set<object>();
  const cuts = new Set<JsonSchema>();
  const { levels, work } = limits;
  /** Whether something of the node that is copied right now was left out, so that it allows more. */
  let isLoosened = false;
  let nodes = 0;
  let read = 0;

  const count = (added = 1): void => {
    work.nodes += added;
    nodes += added;
    if (nodes > limits.nodes) throw new TooLarge();
  };
  const charge = (value: string): string => {
    const part = value.slice(0, MAX_TEXT_READ);
    read += part.length;
    if (read > MAX_READ) throw new TooLarge();
    return part;
  };
  const clean = (value: string, counts: Removed): string => {
    const part = charge(value);
    const cleaned = cleanText(part, counts);
    count(Math.floor((part.length - cleaned.length) / REMOVED_PER_NODE));
    return cleaned;
  };
  const isPlain = (value: string): boolean => clean(value, new Map()) === value.slice(0, MAX_TEXT_READ);
  const isPattern = (value: unknown): value is string => {
    if (typeof value === 'string' && value.length <= keywords.MAX_PATTERN)
      count((value.match(/\\p/gi)?.length ?? 0) * NODES_PER_PROPERTY);
    return keywords.isPattern(value);
  };
  const text = (value: string): string => {
    if (value.length > MAX_SCHEMA_TEXT)
      notes.add(`has a text of more than ${MAX_SCHEMA_TEXT} characters, which is cut`);
    return cutText(clean(value, removed), MAX_SCHEMA_TEXT);
  };
  const cut = (description: string): JsonSchema => {
    const node = { description };
    cuts.add(node);
    return node;
  };

  function copy(node: unknown, depth: number, followed: number): Node {
    count();
    if (typeof node === 'boolean') return node;
    if (!isObject(node)) return {};
    if (open.has(node)) return cut('Recursive: the same form as the value around it.');
    if (depth > MAX_DEPTH) {
      notes.add('nests deeper than 64 levels, which are left out');
      return cut('Nested too deeply to be shown.');
    }
    open.add(node);
    const reference = node['$ref'] ?? node['$dynamicRef'] ?? node['$recursiveRef'];
    const copied =
      typeof reference === 'string'
        ? copyReference(node, reference, depth, followed)
        : copyMembers(node, depth, followed);
    open.delete(node);
    return copied;
  }

  function copyReference(node: JsonSchema, reference: string, depth: number, followed: number): Node {
    const target = follow(node, reference, depth, followed);
    const { $ref: _, $dynamicRef: __, $recursiveRef: ___, ...beside } = node;
    const own = copyMembers(beside, depth, followed);
    const [said, asked] = split(own);
    const described: Node =
      typeof target === 'boolean' || Object.keys(said).length === 0 ? target : describeTarget(target, said);
    // Until draft 7, nothing beside a reference counts.
    if (draft !== '2019' || Object.keys(asked).length === 0) return described;
    return { ...said, allOf: [target, asked] };
  }

  function describeTarget(target: JsonSchema, said: JsonSchema): JsonSchema {
    const node = { ...target, ...said };
    if (cuts.has(target)) cuts.add(node);
    return node;
  }

  function follow(node: JsonSchema, reference: string, depth: number, followed: number): Node {
    const found = references.find(reference, node, node['$ref'] === undefined);
    if (found.kind === 'missing') {
      notes.add(
        found.host === null
          ? `refers to ${quoteName(reference)}, which it does not hold`
          : `refers to ${quoteName(found.host)}, which is not read`,
      );
      return cut('Defined elsewhere.');
    }
    if (followed >= levels) return cut('Left out because the whole schema is too long.');
    return copy(found.target, depth + 1, followed + 1);
  }

  function copyMembers(node: JsonSchema, depth: number, followed: number): JsonSchema {
    const outer = isLoosened;
    isLoosened = false;
    const members = Object.entries(node).flatMap(([key, value]) => {
      const copied = copyMember(key, value, depth, followed);
      return copied === undefined ? [] : [[key, copied] as const];
    });
    const copied = tidyNode(Object.fromEntries(members), node);
    if (isLoosened) cuts.add(copied);
    isLoosened = outer;
    return copied;
  }

  /** What a person does not see must not reach a model either, so a part with such a text is left out. */
  function isShown(value: string, what: string): boolean {
    if (isPlain(value)) return true;
    isLoosened = true;
    notes.add(`has the ${what} ${quoteName(value)}, which holds invisible characters and is left out`);
    return false;
  }

  function copyMember(key: string, value: unknown, depth: number, followed: number): unknown {
    const inner = (part: unknown): Node => copy(part, depth + 1, followed);
    if (Object.hasOwn(keywords.PLAIN, key)) {
      if (keywords.PLAIN[key]?.(value) !== true) return undefined;
      return typeof value !== 'string' || isShown(value, key) ? value : undefined;
    }
    if (key === 'prefixItems' || (keywords.SCHEMA_LIST.has(key) && Array.isArray(value)))
      return Array.isArray(value) && value.length > 0 ? value.map(inner) : undefined;
    if (keywords.SCHEMA_MAP.has(key)) return isObject(value) ? copyMap(key, value, inner) : undefined;
    if (keywords.ONE_SCHEMA.has(key))
      return isObject(value) || typeof value === 'boolean' ? inner(value) : undefined;
    return copyText(key, value);
  }

  function copyMap(key: string, value: JsonSchema, inner: (part: unknown) => Node): JsonSchema {
    const isPatterns = key === 'patternProperties';
    const named = Object.entries(value).filter(
      ([name]) => (!isPatterns || isPattern(name)) && isShown(name, isPatterns ? 'pattern' : 'argument'),
    );
    return Object.fromEntries(
      named.map(([name, part]) => [
        name,
        key === 'dependencies' && Array.isArray(part) ? namesOf(part) : inner(part),
      ]),
    );
  }

  const namesOf = (list: readonly unknown[]): string[] =>
    textsOf(list).filter((name) => isShown(name, 'argument'));

  function copyText(key: string, value: unknown): unknown {
    switch (key) {
      case 'title':
      case 'description':
        return typeof value === 'string' ? text(value) : undefined;
      case 'type':
        return typeOf(value);
      case 'pattern':
        return isPattern(value) && isShown(value, 'pattern') ? value : undefined;
      case 'required':
        return Array.isArray(value) ? namesOf(value) : undefined;
      case 'dependentRequired':
        if (!isObject(value)) return undefined;
        return Object.fromEntries(
          Object.entries(value).flatMap(([name, list]) =>
            Array.isArray(list) && isShown(name, 'argument') ? [[name, namesOf(list)]] : [],
          ),
        );
      case 'enum':
        return Array.isArray(value) ? choicesOf(value) : undefined;
      case 'const':
        return exactValue(value);
      case 'default':
        return copyValue(value, count, text, isPlain);
      case 'examples':
        return Array.isArray(value)
          ? value.map((example) => copyValue(example, count, text, isPlain))
          : undefined;
      default:
        return undefined;
    }
  }

  /** The source compares with these values, so they are not cleaned. One that is not shown is undefined. */
  function exactValue(value: unknown): unknown {
    let isWhole = true;
    const keeps = (part: string): boolean => (isWhole = isShown(part, 'value') && isWhole);
    const copied = copyValue(value, count, (part) => (keeps(part) ? part : ''), keeps);
    return isWhole ? copied : undefined;
  }

  function choicesOf(values: readonly unknown[]): unknown[] | undefined {
    const shown = values.map(exactValue).filter((value) => value !== undefined);
    return shown.length > 0 ? shown : undefined;
  }

  const whole = copy(root, 0, 0);
  return keepSound(whole, (node) => (cuts.has(node) ? node : null)).schema;
}

/** Splits a node into what describes and what restricts. */
function split(node: JsonSchema): [said: JsonSchema, asked: JsonSchema] {
  const entries = Object.entries(node);
  const isSaid = ([key]: [string, unknown]) => keywords.ANNOTATIONS.has(key);
  return [
    Object.fromEntries(entries.filter(isSaid)),
    Object.fromEntries(entries.filter((entry) => !isSaid(entry))),
  ];
}

const textsOf = (list: readonly unknown[]): string[] => [
  ...new Set(list.filter((item) => typeof item === 'string')),
];

function typeOf(value: unknown): unknown {
  if (typeof value === 'string') return keywords.TYPES.includes(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const types = textsOf(value).filter((type) => keywords.TYPES.includes(type));
  return types.length > 1 ? types : types[0];
}
