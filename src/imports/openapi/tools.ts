// Makes a tool of one operation: name, texts, the schema of its arguments and the recipe of its call.
import type { JsonSchema } from '../../kit/validation.ts';
import type { SourceTool } from '../model/source-description.ts';
import { addBody } from './bodies.ts';
import { type Description, listOf, member, type Node, objectOf, textOf } from './document.ts';
import type { OperationRecipe } from './operation.ts';
import { addParameters, createArguments, listParameters } from './parameters.ts';
import { shorten } from './plain.ts';
import { createSchemaMaker, type Detail, type SchemaCache, TooLarge } from './schemas.ts';
import { fromSwagger } from './swagger.ts';

/** An operation before anything of it is read. */
export interface Found {
  name: string;
  id: string | undefined;
  method: string;
  path: string;
  tags: readonly string[];
  pathItem: Node;
  operation: Node;
}

export interface ToolContext {
  description: Description;
  cache: SchemaCache;
  isCarried: (place: string, name: string) => boolean;
  /** The base of this operation alone. */
  base: string | undefined;
  problems: Set<string>;
}

// About 12,000 tokens: more of it would leave a model no room for its work.
const MAX_SCHEMA_CHARACTERS = 48_000;
const MAX_DESCRIPTION = 4_000;
const MAX_TITLE = 200;
const MAX_ACCEPTS = 5;

/** An operation is described with the first detail that fits. The last one describes no object at all. */
export const DETAILS: readonly Detail[] = [
  { depth: 20, text: 2_000, values: 500 },
  { depth: 20, text: 300, values: 200 },
  { depth: 8, text: 200, values: 100 },
  { depth: 6, text: 150, values: 60 },
  { depth: 4, text: 120, values: 40 },
  { depth: 3, text: 100, values: 40 },
  { depth: 2, text: 80, values: 30 },
  { depth: 1, text: 80, values: 20 },
  { depth: 0, text: 60, values: 10 },
];

export function makeTool(found: Found, context: ToolContext): SourceTool | null {
  const made = makeSchema(found, context);
  if (made === null) {
    context.problems.add('Its arguments are too large to be described, so it is left out');
    return null;
  }
  const { method, name, operation, path, tags } = found;
  const summary = textOf(operation, 'summary');
  return {
    name,
    ...(summary === undefined ? {} : { title: shorten(summary, MAX_TITLE) }),
    description:
      describe(summary, textOf(operation, 'description')) ?? `${method} ${path}`.slice(0, MAX_DESCRIPTION),
    inputSchema: made.schema,
    access: accessOf(method),
    operation: { ...made.recipe },
    tags,
    ...(member(operation, 'deprecated') === true ? { deprecated: true } : {}),
  };
}

export function accessOf(method: string): 'read' | 'write' | 'destroy' {
  if (method === 'GET' || method === 'HEAD' || method === 'QUERY') return 'read';
  return method === 'DELETE' ? 'destroy' : 'write';
}

function describe(summary: string | undefined, description: string | undefined): string | undefined {
  const parts = [summary, description].filter((part) => part !== undefined);
  const repeats = summary !== undefined && description?.startsWith(summary) === true;
  return parts.length === 0
    ? undefined
    : shorten((repeats ? parts.slice(1) : parts).join('\n\n'), MAX_DESCRIPTION);
}

function makeSchema(
  found: Found,
  context: ToolContext,
): { schema: JsonSchema; recipe: OperationRecipe } | null {
  const request = readRequest(found, context);
  for (const [index, detail] of DETAILS.entries()) {
    const problems = new Set<string>();
    try {
      const made = makeWith(detail, found, request, { ...context, problems });
      if (index > 1) problems.add('Its arguments are large, so parts of them are not described');
      for (const problem of problems) context.problems.add(problem);
      return made;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
    }
  }
  return null;
}

interface Request {
  parameters: readonly Node[];
  requestBody: unknown;
  accepts: string[];
}

function readRequest({ operation, pathItem }: Found, { description, problems }: ToolContext): Request {
  const parameters = listParameters(description, pathItem, operation, problems);
  if (description.version !== '2.0')
    return {
      parameters,
      requestBody: member(operation, 'requestBody'),
      accepts: orderTypes(answerTypes(operation, description)),
    };
  const { produces, ...request } = fromSwagger(description, operation, parameters);
  return { ...request, accepts: orderTypes(produces) };
}

function makeWith(
  detail: Detail,
  found: Found,
  request: Request,
  context: ToolContext,
): { schema: JsonSchema; recipe: OperationRecipe } {
  const { method, path } = found;
  const { base, cache, description, isCarried, problems } = context;
  const make = createSchemaMaker(description, cache, detail, MAX_SCHEMA_CHARACTERS);
  const args = createArguments();
  const parameters = addParameters(request.parameters, args, { path, detail, make, isCarried, problems });
  const { body, more } =
    request.requestBody === undefined
      ? { body: undefined, more: {} }
      : addBody(request.requestBody, method, args, { description, detail, make, problems });
  const schema = args.schema(more);
  // What parameters say beside their schemas was not counted.
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) throw new TooLarge();
  return {
    schema,
    recipe: {
      method,
      path,
      ...(base === undefined ? {} : { base }),
      parameters,
      ...(body === undefined ? {} : { body }),
      accepts: request.accepts,
    },
  };
}

/** The media types of successful answers, or of the default one. */
function answerTypes(operation: Node, description: Description): string[] {
  const responses = objectOf(operation, 'responses');
  const successful = Object.keys(responses).filter((status) => status.startsWith('2'));
  const statuses = successful.length > 0 ? successful : ['default'];
  return statuses.flatMap((status) => {
    const followed = description.follow(member(responses, status));
    return followed.problem === undefined ? Object.keys(objectOf(followed.node, 'content')) : [];
  });
}

function orderTypes(types: readonly unknown[]): string[] {
  const isJson = (type: string) => /[/+]json\b/.test(type);
  const usable = types
    .filter((type) => typeof type === 'string')
    .map((type) => type.trim())
    .filter((type) => /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(\s*;[\x20-\x7E]{0,200})?$/.test(type));
  return [...new Set(usable)]
    .toSorted((one, other) => Number(isJson(other)) - Number(isJson(one)))
    .slice(0, MAX_ACCEPTS);
}

/** The tags of an operation, as texts. */
export function tagsOf(operation: Node): string[] {
  return [...new Set(listOf(operation, 'tags').filter((tag) => typeof tag === 'string'))]
    .slice(0, 20)
    .map((tag) => tag.slice(0, 100));
}
