// The source that speaks GraphQL: one endpoint with a tool for queries, one for mutations and one for its schema. decision: 046
import type { Ports } from '../../ports/ports.ts';
import type { Reach } from '../model/reach.ts';
import type { Source } from '../model/source.ts';
import { toSourceFailure } from '../model/source-failure.ts';
import { nameImport } from '../pinned/names.ts';
import { readRecipe } from './recipe.ts';

type Needs = Pick<Ports, 'random'> & {
  reach: Reach;
  /** A service that had an endpoint may have a description today, so it is looked for in every language of services. */
  readService: Source['read'];
};

export function createGraphqlSource({ random, reach, readService }: Needs): Source {
  return {
    nameEnd: '_api',
    whyNoHeaders: null,
    takesOnlyPosts: true,
    addressOf: (_record, { base = '' }) => base,

    /** Null when nothing at the address speaks GraphQL. */
    async find(place, { isGraphql }) {
      if ('document' in place) return null;
      const { address, timeLeft } = place;
      const { readGraphql } = await import('./read.ts');
      const { send } = reach.asNobody(address, random.uuid());
      try {
        const source = await readGraphql(
          address,
          (url, init) => send(url, { ...init, timeoutMs: timeLeft() }),
          isGraphql,
        );
        return source === null ? null : { ...source, name: nameImport(source.name), address };
      } catch (error) {
        throw toSourceFailure(error);
      }
    },

    read: readService,

    async call(target, { operation }, args, context) {
      const { callGraphql } = await import('./call.ts');
      const { send } = reach.inCall(target, context);
      return callGraphql(readRecipe(operation), args, { base: target.address, send });
    },

    requestOf: () => undefined,
    otherMethodsOf: () => [],
  };
}
