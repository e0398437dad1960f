// Writes the keywords of other drafts and of OpenAPI 3.0 as those of draft 7. decision: 042
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';

/** `node` is the copy of `raw` with the keywords that are kept. */
export function tidyNode(node: JsonSchema, raw: JsonSchema): JsonSchema {
  const { prefixItems, ...rest } = node;
  const tidied: JsonSchema = rest;
  if (prefixItems !== undefined) {
    if (rest['items'] !== undefined && !Array.isArray(rest['items']))
      tidied['additionalItems'] = rest['items'];
    tidied['items'] = prefixItems;
  }
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (raw[exclusive] !== true || tidied[bound] === undefined) continue;
    tidied[exclusive] = tidied[bound];
    delete tidied[bound];
  }
  if (raw['nullable'] === true && typeof tidied['type'] === 'string' && tidied['type'] !== 'null')
    tidied['type'] = [tidied['type'], 'null'];
  if (tidied['type'] === 'array') tidied['items'] ??= {};
  if (tidied['type'] === 'object') tidied['properties'] ??= {};
  // A pattern that nobody can read may allow any other key.
  const [patterns, readable] = [raw['patternProperties'], tidied['patternProperties']];
  if (isObject(patterns) && isObject(readable) && Object.keys(patterns).length > Object.keys(readable).length)
    for (const key of ['additionalProperties', 'unevaluatedProperties']) delete tidied[key];
  if (tidied['if'] === undefined) for (const key of ['then', 'else']) delete tidied[key];
  return tidied;
}
