// Loosens a schema where a part of it is not checked, so that it never refuses what the whole schema would allow.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from './schema-keywords.ts';

export type Node = JsonSchema | boolean;
export type Sound = { schema: Node; isExact: boolean };

/**
 * Takes out what `loosen` says: it returns the node without what is not checked, or the same node. Where more values now
 * match a part, `not`, `if` and `oneOf` around it could refuse good values. They are left out or become `anyOf`.
 */
export function keepSound(schema: Node, loosen: (node: JsonSchema) => JsonSchema | null): Sound {
  if (typeof schema === 'boolean') return { schema, isExact: true };
  const loosened = loosen(schema);
  const inexact = new Set<string>();
  const members = Object.entries(loosened ?? schema).map(([key, value]): [string, unknown] => {
    const parts: Sound[] = [];
    const part = (node: unknown): unknown => {
      if (!isObject(node) && typeof node !== 'boolean') return node;
      const sound = keepSound(node, loosen);
      parts.push(sound);
      return sound.schema;
    };
    let next = value;
    if (SCHEMA_MAP.has(key) && isObject(value))
      next = Object.fromEntries(Object.entries(value).map(([name, node]) => [name, part(node)]));
    else if (SCHEMA_LIST.has(key) && Array.isArray(value)) next = value.map(part);
    else if (ONE_SCHEMA.has(key)) next = part(value);
    if (parts.some(({ isExact }) => !isExact)) inexact.add(key);
    return [key, next];
  });
  const isExact = loosened === null && inexact.size === 0;
  if (isExact) return { schema, isExact };
  const gone = new Set<string>(['unevaluatedItems', 'unevaluatedProperties']);
  if (inexact.has('not')) gone.add('not');
  if (inexact.has('contains')) gone.add('maxContains');
  if (inexact.has('if')) for (const key of ['if', 'then', 'else']) gone.add(key);
  let kept = members.filter(([key]) => !gone.has(key));
  if (inexact.has('oneOf')) kept = withoutOneOf(kept);
  return { schema: Object.fromEntries(kept), isExact: false };
}

function withoutOneOf(members: readonly [string, unknown][]): [string, unknown][] {
  if (!members.some(([key]) => key === 'anyOf'))
    return members.map(([key, value]) => [key === 'oneOf' ? 'anyOf' : key, value]);
  const oneOf = members.find(([key]) => key === 'oneOf')?.[1];
  const allOf = members.find(([key]) => key === 'allOf')?.[1];
  const parts = [...(Array.isArray(allOf) ? allOf : []), { anyOf: oneOf }];
  return [...members.filter(([key]) => key !== 'oneOf' && key !== 'allOf'), ['allOf', parts]];
}
