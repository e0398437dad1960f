// Calls an operation of an OpenAPI description: it builds the request out of the arguments and reads the answer. decision: 046
import type { ToolFiles } from '../../kit/files.ts';
import type { SendUpstream } from '../model/reach.ts';
import { acceptHeader, readAnswer } from './answer.ts';
import type { OperationRecipe } from './operation.ts';
import { encodeBody } from './request-body.ts';
import { buildTarget } from './target.ts';

export interface CallNeeds {
  /** The address of the service, without a slash at its end. */
  base: string;
  /** It adds the credential. */
  send: SendUpstream;
  files: ToolFiles;
}

/** The arguments fit the schema of the tool. Throws the service's own words when it refuses the call. */
export async function callOperation(
  recipe: OperationRecipe,
  args: Record<string, unknown>,
  { base, send, files }: CallNeeds,
): Promise<unknown> {
  const { accepts, method } = recipe;
  const { url, headers } = buildTarget(recipe, args, base);
  const body = recipe.body === undefined ? null : await encodeBody(recipe.body, args, files);
  const response = await send(url, {
    method,
    headers: {
      ...headers,
      accept: acceptHeader(accepts),
      ...(body === null ? {} : { 'content-type': body.contentType }),
    },
    body: body?.content ?? null,
  });
  return readAnswer(response, { accepts, files, path: url.pathname });
}
