// Describes REST and the portal API of the whole gateway. The tools are in the descriptions of their integrations.
import type * as z from 'zod';
import type { Operation, RouteName, SharedSchemaName } from '../../http/operation.ts';
import { isObject } from '../../json/json.ts';
import type { Feature } from '../../kit/feature.ts';
import type { Registry } from '../../kit/registry.ts';
import type { DescribedOperations } from '../../ports/texts.ts';
import { VERSION } from '../../ports/version.ts';
import { accessOf, type Json, openApiDocument, type Place, refer, responseOf } from './document.ts';
import { allOperations, sharedByName, TAGS } from './chapters.ts';
import { toSchema } from './schema.ts';

/** What the parameters in paths mean, by their names. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  integration: 'The name of an integration, such as `time`',
  tool: 'The name of a tool, in full or without the prefix of its integration',
  path: "A path of the integration's own API",
  clientId: 'The `client_id` of an agent',
  name: 'The name of a jot, an import or a set',
};

interface Needs {
  config: Place;
  operations: DescribedOperations;
  registry: Pick<Registry, 'integrations'>;
}

export function describeGateway({ config, operations, registry }: Needs): Json {
  const links = registry.integrations.map(
    ({ name, displayName }) => `- [${displayName}](${config.SERVER_PUBLIC_URL}/rest/${name}/openapi.json)`,
  );
  return openApiDocument(config, {
    title: 'Tool gateway',
    version: VERSION,
    description: `REST and the portal API. Each integration has a description of its own, with an operation for each tool:\n\n${links.join('\n')}`,
    tags: TAGS,
    ...operations,
  });
}

/** The same in every gateway. A Worker reads it from a file. decision: 066 */
export function describeOperations(
  features: readonly Pick<Feature, 'name' | 'operations' | 'schemas'>[],
): DescribedOperations {
  const paths: Record<string, Json> = {};
  for (const [route, operation] of allOperations(features)) {
    const { method, path } = readRoute(route);
    paths[path] = { ...paths[path], [method]: describeOperation(path, operation) };
  }
  return shareSchemas(paths, sharedByName(features));
}

/** Replaces what is written out several times with references to one schema. */
function shareSchemas(
  paths: Record<string, Json>,
  repeated: readonly SharedSchemaName[],
): DescribedOperations {
  const shared = repeated.map(({ name, schema, io }) => [name, toSchema(schema, io)] as const);
  const references = new Map(shared.map(([name, json]) => [JSON.stringify(json), refer('schemas', name)]));

  function share(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(share);
    return isObject(node) ? (references.get(JSON.stringify(node)) ?? shareMembers(node)) : node;
  }
  const shareMembers = (node: Json): Json =>
    Object.fromEntries(Object.entries(node).map(([key, member]) => [key, share(member)]));

  return {
    paths: shareMembers(paths),
    schemas: Object.fromEntries(shared.map(([name, json]) => [name, shareMembers(json)])),
  };
}

/** `GET /api/jots/:name` is the method `get` and the path `/api/jots/{name}`. */
function readRoute(route: RouteName): { method: string; path: string } {
  const space = route.indexOf(' ');
  return {
    method: route.slice(0, space).toLowerCase(),
    path: route.slice(space + 1).replaceAll(/:(\w+)/g, '{$1}'),
  };
}

function describeOperation(path: string, operation: Operation): Json {
  const { id, tag, summary, description, caller, access, query, headers, body, replies } = operation;
  const parameters = [
    ...pathParameters(path),
    ...(query === undefined ? [] : parametersOf('query', query)),
    ...(headers === undefined ? [] : parametersOf('header', headers)),
  ];
  const responses = Object.entries(replies).map(([status, one]) => [status, responseOf(one)]);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: describeBody(body) }),
    ...accessOf(caller, access, Object.fromEntries(responses)),
  };
}

function describeBody({ schema, example, optional = false }: NonNullable<Operation['body']>): Json {
  const described = { schema: toSchema(schema, 'input'), ...(example === undefined ? {} : { example }) };
  return { required: !optional, content: { 'application/json': described } };
}

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(PATH_PARAMETERS[name] === undefined ? {} : { description: PATH_PARAMETERS[name] }),
    schema: { type: 'string' },
  }));

function parametersOf(place: 'query' | 'header', fields: z.ZodObject): Json[] {
  return Object.entries(fields.shape).map(([name, field]: [string, z.ZodType]) => {
    const { description, ...schema } = toSchema(field, 'input');
    return {
      name,
      in: place,
      required: !field.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}
