// Shows a pinned schema in words of 2020-12, the default of MCP. What is pinned and checked stays in words of draft 7.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';
import { ONE_SCHEMA, SCHEMA_LIST, SCHEMA_MAP } from './schema-keywords.ts';

/** A list of schemas in `items`, each for its place, is `prefixItems` there. Everything else means the same in both. */
export function showSchema(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema;
  const isTuple = Array.isArray(items);
  const places = isTuple
    ? { prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
    : items === undefined
      ? {}
      : { items };
  return Object.fromEntries(
    Object.entries({ ...rest, ...places }).map(([key, value]) => [key, showMember(key, value)]),
  );
}

function showMember(key: string, value: unknown): unknown {
  if (SCHEMA_MAP.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, node]) => [name, showNode(node)]));
  if ((key === 'prefixItems' || SCHEMA_LIST.has(key)) && Array.isArray(value)) return value.map(showNode);
  return ONE_SCHEMA.has(key) ? showNode(value) : value;
}

const showNode = (node: unknown): unknown => (isObject(node) ? showSchema(node) : node);

/** Most definitions have no such list, and their text tells it. It is written without spaces. */
export const mayHoldTuples = (text: string): boolean => text.includes('"items":[');
