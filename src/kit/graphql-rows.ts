// Turns GraphQL documents into tools. The result is the field that the document asks for at its root.
import * as z from 'zod';
import { writeJson } from '../json/exact-integers.ts';
import { type Access, type Tool, tool, type ToolContext, type Upstream } from './integration.ts';
import { readPayload, UpstreamError } from './payload.ts';

/** For arguments that an API takes as a text of JSON. */
export { writeJson };

type Operation = 'query' | 'mutation';
/** The variables that the document declares between its first parentheses. */
type Declared<Head extends string> = Head extends `${string}$${infer Name}:${infer Rest}`
  ? Name | Declared<Rest>
  : never;
type Variables<Document extends string> = Document extends `${string}(${infer Head})${string}`
  ? Exclude<Declared<Head>, 'input'>
  : never;

export interface GraphqlRows {
  /** Each `$name` must be an argument. Arguments without a variable become the fields of `$input`. */
  row: <const Document extends string>(
    name: string,
    document: `${Operation}${Document}`,
    description: string,
    shape: () => z.ZodRawShape & Record<Variables<Document>, z.ZodType>,
    options?: { access?: Access },
  ) => Tool;
  /** Sends a document and returns the field at its root, for tools with logic of their own. */
  ask: (
    upstream: Upstream,
    document: `${Operation}${string}`,
    args: Record<string, unknown>,
  ) => Promise<unknown>;
}

const Refusal = z.lazy(() =>
  z.object({
    message: z.string(),
    // Linear sends this text for people; its `message` is for developers.
    extensions: z.object({ userPresentableMessage: z.string() }).nullish().catch(null),
  }),
);
const RefusedAnswer = z.lazy(() => z.object({ errors: z.array(Refusal).min(1) }));
const Answer = z.lazy(() => z.object({ data: z.record(z.string(), z.unknown()) }));

/** `path` is the path of the GraphQL endpoint. */
export function createGraphqlRows({ path }: { path: `/${string}` }): GraphqlRows {
  async function ask(upstream: Upstream, document: string, args: Record<string, unknown>): Promise<unknown> {
    return readGraphql(
      await send(upstream, path, { query: document, variables: variablesOf(document, args) }),
    );
  }

  return {
    ask,
    row(name, document, description, shape, options = {}) {
      const run = (args: Record<string, unknown>, { upstream }: ToolContext): Promise<unknown> =>
        ask(upstream, document, args);
      const access = options.access ?? (document.startsWith('query') ? 'read' : 'write');
      // A spread would build every schema at the start.
      return Object.assign(tool(name, description, shape, run, access), {
        request: { method: 'POST', path },
      });
    },
  };
}

async function send(upstream: Upstream, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  try {
    return await readPayload(await upstream({ method: 'POST', path, headers, body: writeJson(body) }));
  } catch (error) {
    throw inOwnWords(error);
  }
}

/** GraphQL writes the reason of an error status as it writes every error. */
export function inOwnWords(error: unknown): unknown {
  const why = error instanceof UpstreamError ? refusalIn(error.payload) : null;
  return error instanceof UpstreamError && why !== null
    ? new UpstreamError(error.status, { message: why }, error.retryAfter)
    : error;
}

/** GraphQL reports errors with a 200 too, sometimes together with partial data. */
export function readGraphql(payload: unknown): unknown {
  const why = refusalIn(payload);
  if (why !== null) throw new Error(why);
  const answer = Answer.safeParse(payload).data;
  if (answer === undefined) throw new Error('The service answered without data');
  const fields = Object.values(answer.data);
  return fields.length === 1 ? fields[0] : answer.data;
}

/** The words of all errors. Null when there are none. */
export function refusalIn(payload: unknown): string | null {
  const refused = RefusedAnswer.safeParse(payload).data;
  if (refused === undefined) return null;
  const words = refused.errors.flatMap(({ message, extensions }) => [
    message,
    extensions?.userPresentableMessage ?? message,
  ]);
  return [...new Set(words)].join(' ');
}

function variablesOf(document: string, args: Record<string, unknown>): Record<string, unknown> {
  const [head = ''] = document.split('{');
  const declared = new Set([...head.matchAll(/\$(\w+)/g)].map(([, name]) => name));
  const isDeclared = ([name]: [string, unknown]) => declared.has(name);
  const { own = [], fields = [] } = Object.groupBy(Object.entries(args), (argument) =>
    isDeclared(argument) ? 'own' : 'fields',
  );
  const variables = Object.fromEntries(own);
  return declared.has('input') ? { ...variables, input: Object.fromEntries(fields) } : variables;
}
