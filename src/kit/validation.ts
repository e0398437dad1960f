// Zod issues as sentences that name the argument and what would be right, and portable JSON Schema.
import * as z from 'zod';
import { truncate } from '../json/truncate.ts';

export type JsonSchema = { [key: string]: unknown };

/** A caller's mistakes can be as many as its arguments: held to what an error may be. */
export function describeIssues(error: z.core.$ZodError): string {
  return truncate(error.issues.map(describeIssue).join('; '));
}

/** For `safeParse`: who sent a key that is none reads which there are. */
export const namingKeys: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => {
    if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return undefined;
    const sent = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    const known = Object.keys(issue.inst.shape).join(', ');
    return `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${sent} (${known === '' ? 'there are none' : `known: ${known}`})`;
  },
};

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

// Draft-07, as every client can read it: `properties` always, no bounds that only mean "a safe integer".
export function portableSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => tidy(jsonSchema),
  });
  const { $schema: _, ...rest } = json;
  return rest.type === 'object' ? { ...rest, required: rest.required ?? [] } : rest;
}

// Draft-07 §7.3: strict validators refuse a schema for a format they do not know, such as zod's own "starts_with".
const FORMATS: unknown[] = ['date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'regex'];

function tidy(node: JsonSchema): void {
  if (!FORMATS.includes(node['format'])) delete node['format'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  if (node['type'] === 'array') node['items'] ??= {};
  if (node['type'] === 'object') node['properties'] ??= {};
  if (isPlainStringNames(node['propertyNames'])) delete node['propertyNames'];
}

function isPlainStringNames(names: unknown): boolean {
  return typeof names === 'object' && names !== null && Object.keys(names).length === 1 && 'type' in names;
}
