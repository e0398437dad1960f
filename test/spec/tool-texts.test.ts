// Tests the texts of every tool: what a model reads before its first call. reference: Tool descriptor
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { integrations } from '../../integrations/all.ts';
import { createJotsIntegration } from '../../src/jots/integration.ts';
import type { Jots } from '../../src/jots/jots.ts';
import { tool } from '../../src/kit/integration.ts';
import { createRegistry } from '../../src/kit/registry.ts';

const MAX_PATTERN = 80;
// "List the newest `limit` annotations" and "the first limit of its stories" use an argument as a number.
const LIMIT_AS_NUMBER =
  /\b(?:best|first|last|latest|newest|next|oldest|top|at most|up to)\s+`?limit\b|\blimit`?\s+of\b/i;
const KEYWORDS_OF_ONE = ['items', 'additionalProperties', 'not'];
const KEYWORDS_OF_MANY = ['anyOf', 'oneOf', 'allOf'];

interface Node {
  path: string;
  /** The name of the argument, or null for what is not an argument, such as the items of a list. */
  name: string | null;
  schema: Record<string, unknown>;
}

/** Yields a schema and everything below it. */
function* walk(node: Node): Generator<Node> {
  yield node;
  const { path, schema } = node;
  for (const [name, value] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
    yield* below(value, path === '' ? name : `${path}.${name}`, name);
  }
  for (const keyword of KEYWORDS_OF_ONE) {
    yield* below(schema[keyword], keyword === 'items' ? `${path}[]` : `${path}{}`, null);
  }
  for (const keyword of KEYWORDS_OF_MANY) {
    const branches: unknown = schema[keyword];
    if (Array.isArray(branches)) for (const branch of branches) yield* below(branch, path, null);
  }
}

function* below(value: unknown, path: string, name: string | null): Generator<Node> {
  if (isObject(value)) yield* walk({ path, name, schema: value });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns what is wrong with the description of an argument, or null. */
function faultOf(name: string, description: unknown): string | null {
  if (typeof description !== 'string' || description.trim() === '') return 'has no description';
  if (!/\S\s+\S/.test(description.trim())) return `has one word: ${description}`;
  if (wordsOf(description) === wordsOf(name)) return `repeats its name: ${description}`;
  return LIMIT_AS_NUMBER.test(description) ? `uses limit as a number: ${description}` : null;
}

/** The words without case, articles and punctuation: `issueNumber` and "The issue number." are the same. */
function wordsOf(text: string): string {
  const words =
    text
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.filter((word) => !['a', 'an', 'the'].includes(word)).join(' ');
}

// None of the tools runs here, so the jots are never asked for.
const { tools } = createRegistry([...integrations, createJotsIntegration({} as Jots)]);
const byIntegration = Map.groupBy(tools, ({ integration }) => integration.name);
const table = [...byIntegration].map(([name, entries]) => ({
  name,
  tools: entries.map(({ tool: own }) => ({
    name: own.name,
    description: own.description,
    nodes: [...walk({ path: '', name: null, schema: own.schema })],
  })),
}));

describe('the check of a description', () => {
  it.each([
    ['issueNumber', undefined, 'has no description'],
    ['issueNumber', ' ', 'has no description'],
    ['org', 'Organization', 'has one word: Organization'],
    ['issueNumber', 'The issue number.', 'repeats its name: The issue number.'],
    ['limit', 'List at most `limit` of them', 'uses limit as a number: List at most `limit` of them'],
    ['limit', 'How many to list, at most 100', null],
    ['issueNumber', '`number` from github_list_issues', null],
  ])('of %s: "%s" %s', (name, description, fault) => {
    expect(faultOf(name, description)).toBe(fault);
  });

  it('reaches the arguments below objects, lists, choices and maps', () => {
    const property = { type: 'string' };
    const schema = {
      properties: { a: { properties: { b: property } }, c: { items: { properties: { d: property } } } },
      anyOf: [{ properties: { e: property } }],
      additionalProperties: { properties: { f: property } },
    };
    const names = [...walk({ path: '', name: null, schema })].flatMap(({ name }) => name ?? []);
    expect(names).toEqual(['a', 'b', 'c', 'd', 'f', 'e']);
  });
});

describe('the schema of a text with a format', () => {
  const schemaOf = (argument: z.ZodType) =>
    tool(
      'acme_ping',
      'Ping Acme',
      () => ({ argument }),
      () => 'pong',
    ).schema['properties'];

  it.each([
    ['date-time', z.iso.datetime({ offset: true })],
    ['date', z.iso.date()],
    ['email', z.email()],
  ])('says %s without the pattern of zod', (format, argument) => {
    expect(schemaOf(argument)).toEqual({ argument: { type: 'string', format } });
  });

  it('keeps a pattern that an integration wrote', () => {
    const argument = z.string().regex(/^[a-z]{2}$/);
    expect(schemaOf(argument)).toEqual({ argument: { type: 'string', pattern: '^[a-z]{2}$' } });
  });

  it.each([
    [
      z.iso.datetime({ local: true, offset: true }),
      ['2024-02-29T09:30', '2026-03-01T09:30:00.25', '2026-03-01T09:30:00Z', '2026-03-01T09:30:00+01:00'],
    ],
    [z.uuid(), ['0190d5a4-7d1e-7c3b-9c1d-2f0a5e6b7c8d', '00000000-0000-0000-0000-000000000000']],
  ])('has a short pattern where draft-07 has no format, which refuses nothing valid', (argument, valid) => {
    expect(valid.filter((text) => !argument.safeParse(text).success)).toEqual([]);
    const schema = schemaOf(argument);
    expect(schema).toEqual({ argument: { type: 'string', pattern: expect.any(String) } });
    const { pattern } = z.object({ argument: z.object({ pattern: z.string() }) }).parse(schema).argument;
    expect(pattern.length).toBeLessThanOrEqual(MAX_PATTERN);
    expect(valid.filter((text) => !new RegExp(pattern).test(text))).toEqual([]);
    expect(new RegExp(pattern).test('soon')).toBe(false);
  });
});

describe.each(table)('the tools of $name', ({ name, tools: own }) => {
  it('describe every argument', () => {
    const named = own.flatMap((entry) =>
      entry.nodes.flatMap((node) => (node.name === null ? [] : [{ entry, ...node, name: node.name }])),
    );
    const faults = named.flatMap((each) => {
      const fault = faultOf(each.name, each.schema['description']);
      return fault === null ? [] : [`${each.entry.name} ${each.path} ${fault}`];
    });
    expect(faults, `${name}: ${faults.length} of ${named.length} arguments`).toEqual([]);
  });

  it(`have no pattern of more than ${MAX_PATTERN} characters`, () => {
    const long = own.flatMap((entry) =>
      entry.nodes
        .filter(({ schema: { pattern } }) => typeof pattern === 'string' && pattern.length > MAX_PATTERN)
        .map(({ path }) => `${entry.name} ${path}`),
    );
    expect(long, name).toEqual([]);
  });

  it('say in words how many they list', () => {
    const faults = own.filter(({ description }) => LIMIT_AS_NUMBER.test(description));
    expect(
      faults.map((entry) => `${entry.name}: ${entry.description}`),
      name,
    ).toEqual([]);
  });
});
