// Describes Zod issues in sentences that name the argument, and makes portable JSON Schema.
import * as z from 'zod';
import { truncate } from '../json/truncate.ts';

export type JsonSchema = { [key: string]: unknown };

/** Truncates the text, because a call can have any number of mistakes. */
export function describeIssues(error: z.core.$ZodError): string {
  return truncate(error.issues.map(describeIssue).join('; '));
}

/** Pass this to `safeParse`, so that the error for an unknown key lists the known keys. */
export const namingKeys: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => {
    if (issue.code === 'invalid_type' && typeof issue.input === 'bigint')
      return describeLarge(issue.expected);
    if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return undefined;
    const sent = issue.keys.map((key) => JSON.stringify(key)).join(', ');
    const known = Object.keys(issue.inst.shape).join(', ');
    return `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${sent} (${known === '' ? 'there are none' : `known: ${known}`})`;
  },
};

/** Rounded to what a number can hold, an id would name another thing. */
const describeLarge = (expected: string): string =>
  expected === 'number' || expected === 'int'
    ? 'Too large: this tool cannot hold an integer of this size with all its digits, so nothing was run'
    : `Invalid input: expected ${expected}, received number`;

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.map(String).join('.');
  return path === '' ? issue.message : `${path}: ${issue.message}`;
}

// Makes draft-07 that every client reads: always with `properties`, and without bounds that only mean "a safe integer".
export function portableSchema(schema: z.ZodType): JsonSchema {
  const json = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema, zodSchema }) => {
      tidySchema(jsonSchema);
      shortenPattern(jsonSchema, zodSchema);
    },
  });
  const { $schema: _, ...rest } = json;
  return rest.type === 'object' ? { ...rest, required: rest.required ?? [] } : rest;
}

// Strict validators refuse unknown formats, such as zod's own "starts_with". Draft-07 §7.3
const FORMATS: unknown[] = ['date-time', 'date', 'time', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'regex'];

/** Takes what readers of the schema do not know or need out of one of its nodes. */
export function tidySchema(node: JsonSchema): void {
  if (!FORMATS.includes(node['format'])) delete node['format'];
  if (node['minimum'] === Number.MIN_SAFE_INTEGER) delete node['minimum'];
  if (node['maximum'] === Number.MAX_SAFE_INTEGER) delete node['maximum'];
  if (node['type'] === 'array') node['items'] ??= {};
  if (node['type'] === 'object') node['properties'] ??= {};
  if (isPlainStringNames(node['propertyNames'])) delete node['propertyNames'];
}

// Zod's patterns for its own formats have up to 340 characters, and a model reads each of them.
const MAX_PATTERN = 80;

// The formats without a keyword in draft-07. They accept all that zod accepts, which checks the rest itself.
const SHORT_PATTERNS: Record<string, string> = {
  datetime: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$`,
  uuid: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
};

function shortenPattern(node: JsonSchema, { _zod: { def } }: z.core.$ZodTypes): void {
  if (typeof node['pattern'] !== 'string' || node['pattern'].length <= MAX_PATTERN) return;
  if (node['format'] !== undefined) delete node['pattern'];
  else if (def.type === 'string' && 'format' in def) {
    node['pattern'] = SHORT_PATTERNS[String(def.format)] ?? node['pattern'];
  }
}

function isPlainStringNames(names: unknown): boolean {
  return typeof names === 'object' && names !== null && Object.keys(names).length === 1 && 'type' in names;
}
