// Calls the tools of a GraphQL endpoint. decision: 046
import { writeJson } from '../../json/exact-integers.ts';
import { isObject } from '../../json/json.ts';
import { inOwnWords, refusalIn } from '../../kit/graphql-rows.ts';
import { readPayload } from '../../kit/payload.ts';
import type { SendUpstream } from '../model/reach.ts';
import { readDocument } from './document.ts';
import type { GraphqlRecipe } from './recipe.ts';
import { readSchema } from './schema-pages.ts';

/** The answers of GraphQL over HTTP, and of services that are older than it. */
export const GRAPHQL_HEADERS = {
  accept: 'application/graphql-response+json, application/json;q=0.9',
  'content-type': 'application/json',
};

export async function callGraphql(
  { address, graphql }: GraphqlRecipe,
  args: Record<string, unknown>,
  { base, send }: { base: string; send: SendUpstream },
): Promise<unknown> {
  const url = new URL(address);
  if (url.origin !== new URL(base).origin) throw new Error('The endpoint is outside of the service');

  async function ask(query: string, variables: unknown): Promise<unknown> {
    const body = writeJson({ query, ...(isObject(variables) ? { variables } : {}) });
    const response = await send(url, { method: 'POST', headers: GRAPHQL_HEADERS, body });
    try {
      return await readPayload(response);
    } catch (error) {
      throw inOwnWords(error);
    }
  }

  if (graphql === 'schema')
    return readSchema(args, async (query) => {
      const payload = await ask(query, undefined);
      const why = refusalIn(payload);
      if (why !== null) throw new Error(why);
      return payload;
    });
  const { query, variables } = args;
  return readData(await ask(await readDocument(String(query), graphql), variables));
}

/** A mutation may have run in part, so what has run is shown beside the errors. */
function readData(payload: unknown): unknown {
  const data = isObject(payload) ? payload['data'] : undefined;
  const why = refusalIn(payload);
  if (why === null) {
    if (!isObject(data)) throw new Error('The service answered without data');
    return data;
  }
  const hasData = isObject(data) && Object.values(data).some((value) => value !== null);
  if (!hasData || !isObject(payload)) throw new Error(why);
  return { data, errors: payload['errors'] };
}
