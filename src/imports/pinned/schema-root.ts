// Gives the arguments of a tool the form that clients expect: an object with properties, also for a schema of alternatives.
import { canonicalJson } from '../../json/canonical.ts';
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import type { Node } from './schema-soundness.ts';

/** Merging takes time that grows with both. A root with more stays as it is. */
const MAX_PARTS = 100;
const MAX_COMPARED = 20_000;

/** What a part of `allOf` may have to become a part of the root. */
const SIMPLE = new Set(['type', 'properties', 'required', 'title', 'description']);

export function shapeRoot(schema: Node): JsonSchema {
  if (typeof schema === 'boolean') return { type: 'object', properties: {}, required: [] };
  const { type: _, properties = {}, required = [], ...rest } = schema;
  let root: JsonSchema = { type: 'object', properties, required, ...rest };
  // With either, a property counts as known where it is declared. Declaring it at the root would change what is allowed.
  const isClosed = root['additionalProperties'] !== undefined || root['unevaluatedProperties'] !== undefined;
  if (isClosed) return root;
  root = mergeAll(root);
  for (const keyword of ['anyOf', 'oneOf']) root = nameAlternatives(root, root[keyword]);
  return root;
}

/** Takes the simple parts of `allOf` into the root. */
function mergeAll(root: JsonSchema): JsonSchema {
  const { allOf, ...rest } = root;
  if (!Array.isArray(allOf) || allOf.length > MAX_PARTS) return root;
  const left: unknown[] = [];
  let merged: JsonSchema = rest;
  for (const part of allOf) {
    const isSimple =
      isObject(part) && Object.keys(part).every((key) => SIMPLE.has(key)) && isObjectType(part['type']);
    if (!isSimple) {
      left.push(part);
      continue;
    }
    const { title: _, description: __, ...bare } = part;
    const properties = new Map(Object.entries(propertiesOf(merged)));
    for (const [name, node] of Object.entries(propertiesOf(bare))) {
      const known = properties.get(name);
      const isSame = known === undefined || canonicalJson(known) === canonicalJson(node);
      properties.set(name, isSame ? node : { allOf: [known, node] });
    }
    merged = {
      ...merged,
      properties: Object.fromEntries(properties),
      required: [...new Set([...requiredOf(merged), ...requiredOf(bare)])],
    };
  }
  return left.length > 0 ? { ...merged, allOf: left } : merged;
}

/**
 * Names the properties of alternatives at the root, so that a signature can show them. A property that not every
 * alternative declares the same way is only described: its form depends on the alternative.
 */
function nameAlternatives(root: JsonSchema, alternatives: unknown): JsonSchema {
  if (!Array.isArray(alternatives) || !alternatives.every(isObject)) return root;
  const properties = new Map(Object.entries(propertiesOf(root)));
  const names = new Set(alternatives.flatMap((part) => Object.keys(propertiesOf(part))));
  if (alternatives.length * names.size > MAX_COMPARED) return root;
  for (const name of names) {
    if (properties.has(name)) continue;
    const declared = alternatives.flatMap((part) => {
      const own = propertiesOf(part);
      return Object.hasOwn(own, name) ? [own[name]] : [];
    });
    const [first] = declared;
    const isSame =
      declared.length === alternatives.length &&
      new Set(declared.map((node) => canonicalJson(node))).size === 1;
    properties.set(name, isSame ? first : describeOnly(first));
  }
  const [one, ...others] = alternatives.map((part) => new Set(requiredOf(part)));
  const everywhere = others.reduce((known, next) => known.intersection(next), one ?? new Set<string>());
  return {
    ...root,
    properties: Object.fromEntries(properties),
    required: [...new Set([...requiredOf(root), ...everywhere])],
  };
}

function describeOnly(node: unknown): JsonSchema {
  const description = isObject(node) ? node['description'] : undefined;
  return typeof description === 'string' ? { description } : {};
}

const isObjectType = (type: unknown): boolean => type === undefined || type === 'object';
const propertiesOf = (node: JsonSchema): JsonSchema =>
  isObject(node['properties']) ? node['properties'] : {};
const requiredOf = (node: JsonSchema): string[] =>
  Array.isArray(node['required']) ? node['required'].filter((name) => typeof name === 'string') : [];
