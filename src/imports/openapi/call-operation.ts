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
  /** Makes a key for the request. Absent where the call may be repeated. */
  providerKey?: ((request: string) => string) | undefined;
}

/** The header of operations that run once for each key of their caller. */
const KEY_HEADER = /^(?:x-)?idempotency-key$/i;

/** The arguments fit the schema of the tool. Throws the service's own words when it refuses the call. */
export async function callOperation(
  recipe: OperationRecipe,
  args: Record<string, unknown>,
  { base, send, files, providerKey }: CallNeeds,
): Promise<unknown> {
  const { accepts, method } = recipe;
  const { url, headers } = buildTarget(recipe, args, base);
  const body = recipe.body === undefined ? null : await encodeBody(recipe.body, args, files);
  const response = await send(url, {
    method,
    headers: {
      ...keyHeader(recipe, providerKey),
      // What the caller chooses counts more.
      ...headers,
      accept: acceptHeader(accepts),
      ...(body === null ? {} : { 'content-type': body.contentType }),
    },
    body: body?.content ?? null,
  });
  return readAnswer(response, { accepts, files, path: url.pathname });
}

/** For an operation that is described with such a header. */
function keyHeader(
  { parameters, method, path }: OperationRecipe,
  providerKey: CallNeeds['providerKey'],
): Record<string, string> {
  const header = parameters.find(({ name, in: place }) => place === 'header' && KEY_HEADER.test(name));
  if (header === undefined || providerKey === undefined) return {};
  return { [header.name]: providerKey(`${method} ${path}`) };
}
