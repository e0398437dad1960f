// The source that speaks OpenAPI: a description names operations, and each call is one request. decision: 046; decision: 046
import type { Reach } from '../model/reach.ts';
import type { Source } from '../model/source.ts';
import { createFindDescription, type FindDescriptionNeeds } from './find-description.ts';
import { otherMethodsOf } from './other-methods.ts';
import { readRecipe, readRequest } from './stored-recipe.ts';

type Needs = FindDescriptionNeeds & {
  reach: Pick<Reach, 'inCall'>;
  /** A service that had a description may have none any more, so it is looked for in every language of services. */
  readService: Source['read'];
};

export function createOpenApiSource(deps: Needs): Source {
  const { reach, readService } = deps;
  return {
    nameEnd: '_api',
    whyNoHeaders: null,
    takesOnlyPosts: false,
    addressOf: (_record, { base = '' }) => base,
    find: createFindDescription(deps),
    read: readService,

    async call(target, { operation }, args, context) {
      const { callOperation } = await import('./call-operation.ts');
      const { send } = reach.inCall(target, context);
      const { files, providerKey } = context;
      return callOperation(readRecipe(operation), args, { base: target.address, send, files, providerKey });
    },

    requestOf: ({ operation }) => readRequest(operation),
    otherMethodsOf: ({ operation }, args) =>
      readRequest(operation)?.method === 'POST' ? otherMethodsOf(readRecipe(operation), args) : [],
  };
}
