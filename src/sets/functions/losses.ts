// What a vendor's function definitions cannot say of a tool, and what several vendors refuse alike.
import { isObject } from '../../json/json.ts';
import type { JsonSchema } from '../../kit/validation.ts';

export interface Loss {
  /** The name of the tool. */
  tool: string;
  /** A JSON Pointer into the schema of its arguments. Empty for the whole. */
  path: string;
  why: string;
}

/** Notes a loss of one tool. */
export type Lose = (path: string, why: string) => void;

/** Null leaves the tool out. */
export type Convert<Made> = (tool: FunctionTool, lose: Lose) => Made | null;

export interface FunctionTool {
  name: string;
  description: string;
  schema: JsonSchema;
}

export function convertAll<Made>(
  tools: readonly FunctionTool[],
  convert: Convert<Made>,
): { functions: Made[]; losses: Loss[] } {
  const losses: Loss[] = [];
  const functions = tools.flatMap((tool) => {
    const lose: Lose = (path, why) => void losses.push({ tool: tool.name, path, why });
    const made = convert(tool, lose);
    return made === null ? [] : [made];
  });
  return { functions, losses };
}

export function cutDescription(description: string, most: number, lose: Lose): string {
  if (description.length <= most) return description;
  lose('', `the description is cut at ${most} characters`);
  return `${description.slice(0, most - 1).toWellFormed()}…`;
}

/** Takes keywords out of the root that the vendor takes only below it. */
export function withoutAtRoot(schema: JsonSchema, keywords: readonly string[], lose: Lose): JsonSchema {
  const kept: JsonSchema = { type: 'object' };
  for (const [key, value] of Object.entries(schema)) {
    if (key === '$schema') continue;
    if (keywords.includes(key)) lose(`/${key}`, `${key} is not taken at the root`);
    else kept[key] = value;
  }
  return kept;
}

export const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Takes arguments out whose names the vendor refuses. Null when such an argument is required: the tool could not be called.
 */
export function withoutBadNames(
  schema: JsonSchema,
  { pattern, lose, path = '' }: { pattern: RegExp; lose: Lose; path?: string },
): JsonSchema | null {
  if (!isObject(schema['properties'])) return schema;
  const required: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const kept: JsonSchema = {};
  for (const [name, value] of Object.entries(schema['properties'])) {
    const at = pointer(`${path}/properties`, name);
    if (!pattern.test(name)) {
      lose(at, 'the name of the argument is not taken');
      if (required.includes(name)) return null;
      continue;
    }
    const below = isObject(value) ? withoutBadNames(value, { pattern, lose, path: at }) : value;
    if (below === null && required.includes(name)) return null;
    if (below !== null) kept[name] = below;
  }
  return { ...schema, properties: kept };
}
