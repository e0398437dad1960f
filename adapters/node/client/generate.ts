// Writes the client for service keys out of the description of the API: types, and one function for each operation.
// decision: 069
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Record<string, unknown>;

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Json> };
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  security: Json[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Json }[];
  requestBody?: { content: { 'application/json': { schema: Json } } };
  responses: Record<string, { content?: Record<string, { schema?: Json }> }>;
}

const HEAD = `// The client of a tool gateway for service keys. Written by \`npm run client\` from /openapi.json: do not change it here.
`;

/** `description` is what /openapi.json answers. */
export function writeClient(description: unknown): string {
  // The gateway has just made it.
  const { paths, components } = description as Described;
  const used = new Set<string>();
  const typeOf = createTypeOf(used);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.security.some((each) => 'serviceKey' in each)
        ? [{ method: method.toUpperCase(), path, operation }]
        : [],
    ),
  );
  const written = operations.map((each) => writeOperation(each, typeOf));
  const types: string[] = [];
  // A type may name others, which are added to the set while it is gone through.
  for (const name of used) types.push(`export type ${name} = ${typeOf(components.schemas[name] ?? {})};\n`);
  const [, base = ''] = /^(?:\/\/.*\n)+\n([\s\S]*)$/.exec(readBase()) ?? [];
  return [
    HEAD,
    base.replace('export function createCalls', 'function createCalls'),
    types.join('\n'),
    `export interface GatewayClient {
  /** Calls for one actor. */
  actor(externalId: string): Acting;
  /** All actors, page by page. */
  everyActor(): AsyncGenerator<Actor>;
${written.map(({ declaration }) => declaration).join('\n')}
}
`,
    `export function createClient(options: ClientOptions): GatewayClient {
  const { actor, call, escape } = createCalls(options);
  const client: GatewayClient = {
    actor,
    async *everyActor() {
      let cursor: string | undefined;
      do {
        const page = await client.listActors(cursor === undefined ? {} : { cursor });
        yield* page.actors;
        cursor = page.nextCursor;
      } while (cursor !== undefined);
    },
${written.map(({ definition }) => definition).join('\n')}
  };
  return client;
}
`,
  ].join('\n');
}

const readBase = (): string => readFileSync(join(import.meta.dirname, 'base.ts'), 'utf8');

type TypeOf = (schema: Json) => string;

function writeOperation(
  { method, path, operation }: { method: string; path: string; operation: DescribedOperation },
  typeOf: TypeOf,
): { declaration: string; definition: string } {
  const { operationId: id, summary, parameters = [], requestBody, responses } = operation;
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  const inQuery = parameters.filter((each) => each.in === 'query');
  const body = requestBody?.content['application/json'].schema;
  const answers = Object.entries(responses).flatMap(([status, { content }]) => {
    const schema = content?.['application/json']?.schema;
    return status.startsWith('2') && schema !== undefined ? [typeOf(schema)] : [];
  });
  const answer = [...new Set(answers)].join(' | ') || 'void';
  const query = inQuery.map(({ name, schema }) => `${name}?: ${typeOf(schema)}`).join('; ');
  const given = [
    ...inPath.map((name) => `${name}: string`),
    ...(body === undefined ? [] : [`body: ${typeOf(body)}`]),
    ...(query === '' ? [] : [`query?: { ${query} }`]),
  ];
  const names = [...inPath, ...(body === undefined ? [] : ['body']), ...(query === '' ? [] : ['query'])];
  const address = path.replaceAll(/\{(\w+)\}/g, '${escape($1)}');
  const quoted = address.includes('${') ? `\`${address}\`` : `'${address}'`;
  const more = [...(body === undefined ? [] : ['body']), ...(query === '' ? [] : ['query'])];
  const rest = more.length === 0 ? '' : `, { ${more.join(', ')} }`;
  return {
    declaration: `  /** ${summary}. */\n  ${id}(${given.join(', ')}): Promise<${answer}>;`,
    definition: `    ${id}: async (${names.join(', ')}) => (await call('${method}', ${quoted}${rest})) as ${answer},`,
  };
}

/** Adds the names of the shared schemas that a type needs to `used`. */
function createTypeOf(used: Set<string>): TypeOf {
  return function typeOf(schema: Json): string {
    const reference = schema['$ref'];
    if (typeof reference === 'string') {
      const name = reference.split('/').at(-1) ?? '';
      used.add(name);
      return name;
    }
    if ('const' in schema) return JSON.stringify(schema['const']);
    const { enum: choices, type } = schema;
    if (Array.isArray(choices)) return choices.map((each) => JSON.stringify(each)).join(' | ');
    const several = schema['anyOf'] ?? schema['oneOf'];
    // Each of them is a schema by the standard of JSON Schema.
    if (Array.isArray(several)) return several.map((each) => typeOf(each as Json)).join(' | ');
    if (Array.isArray(type))
      return type.map((each) => typeOf({ ...schema, type: each as unknown })).join(' | ');
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return `(${typeOf((schema['items'] ?? {}) as Json)})[]`;
      case 'object':
        return objectOf(schema, typeOf);
      default:
        return 'unknown';
    }
  };
}

function objectOf(schema: Json, typeOf: TypeOf): string {
  // Both are so by the standard of JSON Schema.
  const properties = (schema['properties'] ?? {}) as Record<string, Json>;
  const required = (schema['required'] ?? []) as string[];
  const members = Object.entries(properties).map(([name, each]) => {
    const about = typeof each['description'] === 'string' ? `/** ${each['description']} */ ` : '';
    return `${about}${name}${required.includes(name) ? '' : '?'}: ${typeOf(each)}`;
  });
  return `{ ${members.join('; ')} }`;
}
