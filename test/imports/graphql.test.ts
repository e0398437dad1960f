// Imports GraphQL endpoints that a real GraphQL library serves, and calls them over sockets. decision: 046
import { getRequestListener } from '@hono/node-server';
import { buildSchema, graphql, type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { Hono } from 'hono';
import { afterEach, describe, expect, it } from 'vitest';
import { callGraphql } from '../../src/imports/graphql/call.ts';
import { readGraphql } from '../../src/imports/graphql/read.ts';
import { readRecipe } from '../../src/imports/graphql/recipe.ts';
import type { SourceDescription } from '../../src/imports/model/source-description.ts';
import { closeAll, listen, open } from '../support/egress-door.ts';

afterEach(closeAll);

const SDL = `
"""A thing that has an id."""
interface Node { id: ID! }
enum State { OPEN CLOSED @deprecated(reason: "use \\"OPEN\\"") }
scalar Time
"""
Has two lines.
And says \\"""this\\""".
"""
type Issue implements Node {
  id: ID!
  "In one line."
  title(upper: Boolean = false): String!
  state: State!
  related(
    "How many."
    first: Int = 10
  ): [[Issue!]!]!
  at: Time @deprecated(reason: "gone")
}
type Person implements Node { id: ID! name: String }
union Found = Issue | Person
input NewIssue { title: String! states: [State!] = [OPEN] }
type Query { issue(id: ID!): Issue search(text: String!): [Found!]! large: Int broken: Int }
type Mutation { createIssue(input: NewIssue!): Issue deleteIssue(id: ID!): Boolean }
`;

const issue = (id: string) => ({ __typename: 'Issue', id, title: 'A bug', state: 'OPEN', related: [] });
const ROOT = {
  issue: ({ id }: { id: string }) => issue(id),
  search: () => [issue('1'), { __typename: 'Person', id: '2', name: 'Ann' }],
  broken: () => {
    throw new Error('The database is away');
  },
  createIssue: ({ input }: { input: { title: string } }) => ({ ...issue('9'), title: input.title }),
  deleteIssue: () => {
    throw new Error('You may not delete');
  },
};

interface Asked {
  query: string;
  variables?: Record<string, unknown>;
}

interface Serving {
  schema?: GraphQLSchema;
  /** Answers instead of the library when it returns something. */
  before?: (asked: Asked, headers: Headers) => Response | undefined;
  path?: string;
}

async function serve({ schema = buildSchema(SDL), before, path = '/graphql' }: Serving = {}) {
  const asked: Asked[] = [];
  const app = new Hono().post(path, async (c) => {
    const body = await c.req.json<Asked>();
    asked.push(body);
    const other = before?.(body, c.req.raw.headers);
    if (other !== undefined) return other;
    const { query: source, variables: variableValues } = body;
    const result = await graphql({ schema, source, rootValue: ROOT, variableValues });
    return c.json(result, result.data === undefined ? 400 : 200, {
      'content-type': 'application/graphql-response+json',
    });
  });
  const answer = getRequestListener(app.fetch);
  const { url } = await listen((request, response) => void answer(request, response));
  const { egress } = open({ loopback: true });
  const send = (to: URL, init: object) => egress.fetch(to, init);
  const source = await readGraphql(`${url}${path}`, send);
  const call = (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const recipe = source?.tools.find((tool) => tool.name === name)?.operation;
    if (recipe === undefined) throw new Error(`no tool ${name}`);
    return callGraphql(readRecipe(recipe), args, { base: source?.base ?? '', send });
  };
  return { asked, call, source, url };
}

const namesIn = (source: SourceDescription | null) => source?.tools.map(({ access, name }) => [name, access]);

describe('an import of a GraphQL endpoint', () => {
  it('has a tool for queries, one for mutations and one for the schema', async () => {
    const { source, url } = await serve();
    expect(source).toMatchObject({
      kind: 'openapi',
      name: expect.stringMatching(/^[a-z]/),
      auth: { type: 'none' },
      isListed: true,
      base: `${url}/graphql`,
    });
    expect(namesIn(source)).toEqual([
      ['query', 'read'],
      ['mutation', 'destroy'],
      ['schema', 'read'],
    ]);
    expect(source?.tools[0]?.description).toContain('Root fields: issue, search, large, broken.');
    expect(source?.tools[1]?.description).toContain('Root fields: createIssue, deleteIssue.');
  });

  it('has no tool for mutations when the schema has none', async () => {
    const { source } = await serve({ schema: buildSchema('type Query { a: Int }') });
    expect(namesIn(source)?.map(([name]) => name)).toEqual(['query', 'schema']);
  });

  it('has no tool for the schema when the service does not describe itself', async () => {
    const before = ({ query }: Asked) =>
      query.includes('__schema')
        ? Response.json({ errors: [{ message: 'introspection is disabled' }] }, { status: 400 })
        : undefined;
    const { call, source } = await serve({ before });
    expect(namesIn(source)?.map(([name]) => name)).toEqual(['query', 'mutation']);
    expect(source?.warnings).toEqual([expect.stringContaining('does not describe its schema')]);
    expect(await call('query', { query: '{ issue(id: "7") { id } }' })).toEqual({ issue: { id: '7' } });
  });

  it('asks for a token when the service says nothing without one', async () => {
    const before = () => Response.json({ message: 'Bad credentials' }, { status: 401 });
    const { source } = await serve({ before });
    expect(source?.auth).toEqual({ type: 'headers', headers: { Authorization: 'Bearer {token}' } });
    expect(namesIn(source)?.map(([name]) => name)).toEqual(['query', 'mutation', 'schema']);
    expect((await serve({ before, path: '/api' })).source).toBeNull();
  });

  it.each([
    ['HTML', () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } })],
    ['other JSON', () => Response.json({ data: [] })],
    ['JSON that is nested too deeply', () => new Response('['.repeat(100_000))],
    ['nothing', () => new Response(null, { status: 404 })],
  ])('is none when the address answers %s', async (_, before) => {
    expect((await serve({ before, path: '/api' })).source).toBeNull();
  });
});

describe('a call of GraphQL', () => {
  it('answers the data', async () => {
    const { asked, call } = await serve();
    const query =
      'query Q($id: ID!) { one: issue(id: $id) { id title(upper: true) } search(text: "x") { ...P } } fragment P on Person { name }';
    expect(await call('query', { query, variables: { id: '7' } })).toEqual({
      one: { id: '7', title: 'A bug' },
      search: [{}, { name: 'Ann' }],
    });
    expect(asked.at(-1)?.variables).toEqual({ id: '7' });
  });

  it('keeps large integers', async () => {
    const before = ({ query }: Asked) =>
      query.includes('large')
        ? new Response('{"data":{"large":12345678901234567890}}', {
            headers: { 'content-type': 'application/json' },
          })
        : undefined;
    const { call } = await serve({ before });
    expect(await call('query', { query: '{ large }' })).toEqual({ large: '12345678901234567890' });
  });

  it('throws the words of the service', async () => {
    const { call } = await serve();
    await expect(call('query', { query: '{ nothing }' })).rejects.toThrow(
      '400: Cannot query field "nothing" on type "Query".',
    );
    await expect(call('query', { query: '{ broken }' })).rejects.toThrow('The database is away');
  });

  it('shows what a mutation did before it failed', async () => {
    const { call } = await serve();
    const query = 'mutation { createIssue(input: { title: "New" }) { title } deleteIssue(id: 1) }';
    expect(await call('mutation', { query })).toMatchObject({
      data: { createIssue: { title: 'New' }, deleteIssue: null },
      errors: [{ message: 'You may not delete', path: ['deleteIssue'] }],
    });
  });

  it.each([
    ['mutation { deleteIssue(id: 1) }', 'This tool runs a query only, and the document has a mutation'],
    ['subscription { a }', 'the document has a subscription'],
    ['query A { broken } mutation B { deleteIssue(id: 1) }', 'one operation'],
    ['{ broken } { broken }', 'one operation'],
    ['fragment F on Query { broken }', 'one operation'],
    ['type Query { a: Int }', 'one operation'],
    [
      '{ broken',
      'The document is not GraphQL: Syntax Error: Expected Name, found <EOF>. at line 1, column 9',
    ],
    [`${'{ a '.repeat(9_000)}${'}'.repeat(9_000)}`, 'nested too deeply'],
    [`{ ${'a '.repeat(30_000)} }`, 'more than 20000 tokens'],
    [`{ a(b: "${'x'.repeat(200_000)}") }`, 'Give long values as variables'],
  ])('refuses what is not one query: document %#', async (query, message) => {
    const { asked, call } = await serve();
    const before = asked.length;
    await expect(call('query', { query })).rejects.toThrow(message);
    expect(asked).toHaveLength(before);
  });

  it('sends what it has understood, so that comments and separators hide nothing', async () => {
    const { asked, call } = await serve();
    await call('query', {
      query: '#\u2028 mutation { deleteIssue(id: 1) }\n{,issue(id:"""7 # \\"""""")\uFEFF{id}}',
    });
    const query = asked.at(-1)?.query ?? '';
    expect(query).not.toContain('mutation');
    expect(query.replaceAll(/\s+/g, ' ')).toBe('{ issue(id: """ 7 # \\""" """) { id } }');
  });
});

describe('the schema of a GraphQL endpoint', () => {
  async function readAll(call: Awaited<ReturnType<typeof serve>>['call']): Promise<string> {
    const parts: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = (await call('schema', { page })) as { sdl: string; page: number; pages: number };
      expect(answer.page).toBe(page);
      pages = answer.pages;
      parts.push(answer.sdl);
    }
    return parts.join('\n\n');
  }
  const sorted = (sdl: string | GraphQLSchema) =>
    printSchema(lexicographicSortSchema(typeof sdl === 'string' ? buildSchema(sdl) : sdl));

  it('is complete in its pages', async () => {
    const { call } = await serve();
    expect(sorted(await readAll(call))).toBe(sorted(SDL));
  });

  it('is complete in its pages when it has hundreds of types', async () => {
    const types = Array.from(
      { length: 200 },
      (_, index) => `type T${index} { a: [T${(index + 1) % 200}!]! }`,
    );
    const large = `type Query { t0: T0 }\n${types.join('\n')}`;
    const { call } = await serve({ schema: buildSchema(large) });
    expect(sorted(await readAll(call))).toBe(sorted(large));
  });

  it('is answered by the names of types', async () => {
    const { call } = await serve();
    expect(await call('schema', { types: ['State', 'Found'] })).toEqual({
      sdl: 'enum State {\n  OPEN\n  CLOSED @deprecated(reason: "use \\"OPEN\\"")\n}\n\nunion Found = Issue | Person',
    });
    await expect(call('schema', { types: ['Nothing'] })).rejects.toThrow('There is no type Nothing');
    await expect(call('schema', { types: ['A") { name } x: __type(name: "B'] })).rejects.toThrow(
      'is not the name of a type',
    );
  });

  it('is searched in the names of types and root fields', async () => {
    const { call } = await serve();
    const { sdl } = (await call('schema', { find: 'issue' })) as { sdl: string };
    expect(sdl).toContain('type Query {\n  issue(id: ID!): Issue\n}');
    expect(sdl).toContain('createIssue');
    expect(sdl).toContain('input NewIssue {');
    expect(sdl).not.toContain('Person {');
    expect(sdl).not.toContain('search');
  });
});
