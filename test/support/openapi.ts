// Reads an OpenAPI description as a stranger's program does, and checks answers against it.
import { dereference, validate } from '@scalar/openapi-parser';
import { Ajv2020 } from 'ajv/dist/2020.js';

export type Json = Record<string, unknown>;

interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  security: Json[];
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>;
  'x-access': string;
}

export interface DescribedOperation extends Described {
  method: string;
  path: string;
}

export interface Description {
  document: Json & { openapi: string; servers: { url: string }[] };
  operations: readonly DescribedOperation[];
  find(operationId: string): DescribedOperation;
  /** What is wrong with an answer of the operation, or null. A field that the description lacks is wrong too. */
  faultIn(operationId: string, answer: Answered): string | null;
  /** What is wrong with the body of a request, or null. */
  faultInRequest(operationId: string, body: unknown): string | null;
}

export interface Answered {
  status: number;
  mediaType: string;
  body: unknown;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });

/** Throws unless the text is an OpenAPI document whose references resolve and whose schemas are JSON Schema 2020-12. */
export async function readDescription(text: string): Promise<Description> {
  const validated = await validate(text);
  if (!validated.valid) throw new Error(`not OpenAPI: ${JSON.stringify(validated.errors)}`);
  const { schema } = dereference(text);
  // The parser has just checked that the text is such a document.
  const document = schema as Description['document'];
  const paths = document['paths'] as Record<string, Record<string, Described>>;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ ...operation, method, path })),
  );

  function find(operationId: string): DescribedOperation {
    const found = operations.find((operation) => operation.operationId === operationId);
    if (found === undefined) throw new Error(`the description has no operation ${operationId}`);
    return found;
  }

  return {
    document,
    operations,
    find,

    faultIn(operationId, { status, mediaType, body }) {
      const { responses } = find(operationId);
      const response = responses[String(status)] ?? responses['default'];
      if (status < 300 && responses[String(status)] === undefined) return `status ${status} is not described`;
      if (response?.content === undefined) return body === '' ? null : 'the answer should have no body';
      const content = response.content[mediaType];
      if (content === undefined) return `${mediaType} is not described for ${status}`;
      return faultOf(closeObjects(content.schema ?? {}), body);
    },

    faultInRequest(operationId, body) {
      const content = find(operationId).requestBody?.content['application/json'];
      return content === undefined ? 'no body is described' : faultOf(content.schema, body);
    },
  };
}

/** Compiles every schema of a description strictly: throws for one that is not JSON Schema 2020-12. Returns how many differ. */
export function compileSchemas({ operations }: Description): number {
  const schemas = operations.flatMap(({ parameters = [], requestBody, responses }) => [
    ...parameters.map(({ schema }) => schema),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
    ...Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ schema }) => schema ?? []),
    ),
  ]);
  // Shared schemas appear once for each reference, and compiling is slow.
  const different = new Set(schemas.map((schema) => JSON.stringify(schema)));
  for (const schema of different) ajv.compile(JSON.parse(schema) as Json);
  return different.size;
}

function faultOf(schema: Json, value: unknown): string | null {
  return ajv.validate(schema, value) ? null : `${ajv.errorsText()} in ${JSON.stringify(value)}`;
}

/** Responses are described openly, because they may get fields. Here an unknown field is one that nobody described. */
function closeObjects(schema: unknown): Json {
  const close = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(close);
    if (typeof node !== 'object' || node === null) return node;
    const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]));
    return 'properties' in node && !('additionalProperties' in node)
      ? { ...closed, additionalProperties: false }
      : closed;
  };
  // An object stays an object.
  return close(schema) as Json;
}
