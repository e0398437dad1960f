// Reads a GraphQL endpoint into what an import is made of: a tool for queries, one for mutations and one for the schema. decision: 046
import * as z from 'zod';
import { EgressFailure } from '../../egress/failure.ts';
import { parseUpstreamJson } from '../../egress/json.ts';
import { refusalIn } from '../../kit/graphql-rows.ts';
import type { SendUpstream } from '../model/reach.ts';
import type { ImportAuth, SourceDescription, SourceTool } from '../model/source-description.ts';
import { nameSource } from '../openapi/names.ts';
import { GRAPHQL_HEADERS } from './call.ts';
import type { GraphqlRecipe } from './recipe.ts';
import { TYPES_PER_PAGE } from './schema-pages.ts';

const TIMEOUT_MS = 30_000;
const MAX_NAMED_CHARACTERS = 1_500;

const Fields = z.object({ fields: z.array(z.object({ name: z.string() })).nullish() }).nullish();
const Overview = z.object({
  data: z.object({ __schema: z.object({ queryType: Fields, mutationType: Fields }) }),
});
const Answers = z.object({ data: z.object({ __typename: z.string() }) });

const OVERVIEW =
  'query IntrospectionQuery { __schema { queryType { fields { name } } mutationType { fields { name } } } }';

const BEARER: ImportAuth = { type: 'headers', headers: { Authorization: 'Bearer {token}' } };
const PLAIN: ImportAuth = { type: 'headers', headers: { Authorization: '{token}' } };

/**
 * Null when the address does not speak GraphQL. `isSaid`: somebody says that it does. False where nobody gave the address, so
 * that it says nothing.
 */
export async function readGraphql(
  address: string,
  send: SendUpstream,
  isSaid?: boolean,
): Promise<SourceDescription | null> {
  const url = new URL(address);

  /** The payload is undefined when the answer is not JSON. */
  async function ask(query: string): Promise<{ status: number; payload: unknown }> {
    const body = JSON.stringify({ query });
    const response = await send(url, {
      method: 'POST',
      headers: GRAPHQL_HEADERS,
      body,
      timeoutMs: TIMEOUT_MS,
    });
    const text = await response.text();
    try {
      return { status: response.status, payload: parseUpstreamJson(text, url.host) };
    } catch (error) {
      if (error instanceof EgressFailure) return { status: response.status, payload: undefined };
      throw error;
    }
  }

  const { payload, status } = await ask(OVERVIEW);
  const overview = Overview.safeParse(payload).data?.data.__schema;
  if (overview !== undefined) {
    const { mutationType, queryType } = overview;
    return sourceOf(url, {
      auth: { type: 'none' },
      otherAuth: [BEARER, PLAIN],
      tools: [
        operationTool(url, 'query', namesOf(queryType)),
        ...(mutationType ? [operationTool(url, 'mutation', namesOf(mutationType))] : []),
        schemaTool(url),
      ],
      warnings: [
        'GraphQL does not say how to authenticate. Say it yourself if the service needs a credential.',
      ],
    });
  }
  const isRefused = refusalIn(payload) !== null;
  const isLocked = status === 401 || status === 403;
  if (isRefused && !isLocked && Answers.safeParse((await ask('query { __typename }')).payload).success)
    return sourceOf(url, {
      auth: { type: 'none' },
      otherAuth: [BEARER, PLAIN],
      tools: [operationTool(url, 'query', []), operationTool(url, 'mutation', [])],
      warnings: [
        'The service does not describe its schema, so the names of types and fields have to be known.',
      ],
    });
  // A service that wants a credential before it says anything is known by its address, by what somebody says, or by how it
  // writes its errors.
  const isNamed = isSaid ?? /graphql/i.test(url.hostname + url.pathname);
  if (isNamed ? isLocked || isRefused : isSaid === false && isRefused)
    return sourceOf(url, {
      auth: BEARER,
      otherAuth: [PLAIN],
      tools: [operationTool(url, 'query', []), operationTool(url, 'mutation', []), schemaTool(url)],
      warnings: [
        'The service wants a credential before it describes itself. How the credential is sent is a guess.',
      ],
    });
  return null;
}

function sourceOf(
  url: URL,
  found: Pick<SourceDescription, 'auth' | 'otherAuth' | 'tools' | 'warnings'>,
): SourceDescription {
  const base = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  return {
    kind: 'openapi',
    name: nameSource(url.hostname, base),
    displayName: url.hostname,
    description: `The GraphQL endpoint ${url.host}${url.pathname}`,
    isListed: true,
    base,
    ...found,
  };
}

const namesOf = (type: z.infer<typeof Fields>): string[] =>
  (type?.fields ?? []).map(({ name }) => name).filter((name) => /^[_A-Za-z][_0-9A-Za-z]{0,99}$/.test(name));

const recipeOf = (graphql: GraphqlRecipe['graphql'], { href }: URL) => ({ graphql, address: href });

/** A mutation can delete whatever the person can, and nothing tells which one does. */
function operationTool(url: URL, kind: 'query' | 'mutation', fields: readonly string[]): SourceTool {
  const example = kind === 'query' ? 'query($id: ID!) { … }' : 'mutation($input: …!) { … }';
  return {
    name: kind,
    title: kind === 'query' ? 'Run a GraphQL query' : 'Run a GraphQL mutation',
    description: `Run a GraphQL ${kind} at ${url.host}. Read the arguments and types of fields with the tool "schema" first, and ask for the fields that you need only.${listNames(fields)}`,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: `A document with one ${kind}, such as ${example}` },
        variables: { type: 'object', description: 'The values of its variables, by their names without $' },
      },
      required: ['query'],
      additionalProperties: false,
    },
    access: kind === 'query' ? 'read' : 'destroy',
    operation: recipeOf(kind, url),
  };
}

function listNames(fields: readonly string[]): string {
  if (fields.length === 0) return '';
  let named = '';
  let count = 0;
  for (const field of fields) {
    if (named.length + field.length > MAX_NAMED_CHARACTERS) break;
    named += count === 0 ? field : `, ${field}`;
    count++;
  }
  const others = fields.length - count;
  return ` Root fields: ${named}${others > 0 ? ` and ${others} more` : ''}.`;
}

function schemaTool(url: URL): SourceTool {
  return {
    name: 'schema',
    title: 'Read the GraphQL schema',
    description: `Read the GraphQL schema of ${url.host} in its schema language. Give names of types, or a text to look for, or read page after page: the root types come first.`,
    inputSchema: {
      type: 'object',
      properties: {
        types: {
          type: 'array',
          items: { type: 'string' },
          maxItems: TYPES_PER_PAGE,
          description: 'Names of types',
        },
        find: { type: 'string', description: 'A part of the names of types and root fields' },
        page: { type: 'integer', minimum: 1, default: 1 },
      },
      additionalProperties: false,
    },
    access: 'read',
    operation: recipeOf('schema', url),
  };
}
