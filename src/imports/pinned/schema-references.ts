// Finds what the references within a schema of others point to. Nothing is ever fetched.
import { isObject } from '../../json/json.ts';
import { resolvePointer } from '../../json/pointer.ts';

export interface References {
  /** Finds the target of a reference that `from` makes. */
  find(reference: string, from: object, isDynamic?: boolean): Found;
}

export type Found =
  | { kind: 'found'; target: unknown }
  /** The schema does not hold it. `host` is set when it is at another address. */
  | { kind: 'missing'; host: string | null };

/** A schema without an address of its own lies here. */
const ROOT = 'import://schema/';
const MAX_NODES = 25_000;
const MAX_DEPTH = 200;
/** These hold values, not schemas. */
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'example', 'required', '$vocabulary']);

/** These hold schemas by name. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

export function indexReferences(root: unknown, draft: string): References {
  /** The resource that each node belongs to. */
  const baseOf = new Map<object, string>();
  const resources = new Map<string, unknown>([[ROOT, root]]);
  const anchors = new Map<string, unknown>();
  /** The outermost definition of a dynamic anchor wins. */
  const dynamic = new Map<string, unknown>();
  const idKey = draft === '4' ? 'id' : '$id';

  function index(node: unknown, base: string, depth: number, isMap = false): void {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return;
    if (baseOf.has(node) || baseOf.size >= MAX_NODES) return;
    if (Array.isArray(node)) {
      baseOf.set(node, base);
      for (const item of node) index(item, base, depth + 1);
      return;
    }
    const members = new Map(Object.entries(node));
    // In a map, the keys are names that the author chose.
    const own = isMap ? base : identify(members, node, base);
    baseOf.set(node, own);
    for (const [key, value] of members)
      if (isMap || !VALUES.has(key)) index(value, own, depth + 1, !isMap && MAPS.has(key));
  }

  function identify(members: ReadonlyMap<string, unknown>, node: object, base: string): string {
    const id = members.get(idKey);
    let own = base;
    if (typeof id === 'string') {
      const url = URL.parse(id, base);
      if (id.startsWith('#')) remember(anchors, base, id.slice(1), node);
      else if (url !== null) {
        own = withoutFragment(url);
        if (!resources.has(own)) resources.set(own, node);
      }
    }
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = members.get(keyword);
      if (typeof anchor !== 'string') continue;
      remember(anchors, own, anchor, node);
      if (keyword === '$dynamicAnchor' && !dynamic.has(anchor)) dynamic.set(anchor, node);
    }
    return own;
  }

  index(root, ROOT, 0);

  function find(reference: string, from: string, isDynamic: boolean): Found {
    const url = URL.parse(reference, from);
    if (url === null) return { kind: 'missing', host: null };
    const base = withoutFragment(url);
    const fragment = decode(url.hash.slice(1));
    if (isDynamic && dynamic.has(fragment)) return { kind: 'found', target: dynamic.get(fragment) };
    const anchor = `${base}#${fragment}`;
    if (anchors.has(anchor)) return { kind: 'found', target: anchors.get(anchor) };
    const resolved = resources.has(base) ? resolvePointer(resources.get(base), fragment) : null;
    if (resolved !== null) return { kind: 'found', target: resolved.value };
    const isElsewhere = !resources.has(base) && url.protocol.startsWith('http');
    return { kind: 'missing', host: isElsewhere ? url.host : null };
  }

  /** The same few references are followed again and again. */
  const known = new Map<string, Found>();
  return {
    find(reference, from, isDynamic = false) {
      const base = baseOf.get(from) ?? ROOT;
      const key = `${isDynamic} ${base} ${reference}`;
      const found = known.get(key) ?? find(reference, base, isDynamic);
      known.set(key, found);
      return found;
    },
  };
}

function remember(anchors: Map<string, unknown>, base: string, name: string, node: object): void {
  const key = `${base}#${name}`;
  if (!anchors.has(key)) anchors.set(key, node);
}

function withoutFragment(url: URL): string {
  const bare = new URL(url);
  bare.hash = '';
  return bare.href;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Says which draft a schema is written in: `4`, `6`, `7`, or `2019` for every later one. */
export function draftOf(schema: unknown): string {
  const named = isObject(schema) ? schema['$schema'] : undefined;
  return (typeof named === 'string' ? /draft-0([467])/.exec(named)?.[1] : undefined) ?? '2019';
}
