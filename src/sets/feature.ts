// Sets: tools that somebody has chosen for one address.
import type { Feature } from '../kit/feature.ts';
import { parseServers } from '../kit/set-servers.ts';
import { parseTools } from '../kit/set-tools.ts';
import type { Ports } from '../ports/ports.ts';
import { createFunctionRoutes } from './function-routes.ts';
import { SETS_PER_OWNER } from './model/limits.ts';
import { createOwnSets } from './own-sets.ts';
import { createSetPrompts } from './model/set-prompts.ts';
import { createToolSets } from './model/tool-sets.ts';
import { setOperations } from './operations.ts';
import { createPromptRoutes } from './prompt-routes.ts';
import { createSetRoutes } from './routes.ts';

type Stored = Pick<Ports, 'store'>;

export const setsFeature = {
  name: 'sets',
  parts: { ownSets: createOwnSets, setPrompts: createSetPrompts, toolSets: createToolSets },
  routes: { portal: [createSetRoutes, createPromptRoutes], machine: [createFunctionRoutes] },
  operations: [setOperations],
  personal: {
    export:
      ({ store }: Stored) =>
      ({ id }) => ({
        async sets() {
          const sets = await store.sets.list(id);
          return sets
            .filter(({ owner }) => owner === id)
            .map(({ owner: _, version: __, tools, servers, ...set }) => ({
              ...set,
              tools: parseTools(tools),
              servers: parseServers(servers),
            }));
        },
      }),
  },
  limits:
    ({ store }: Stored) =>
    async (userId) => {
      const own = (await store.sets.list(userId)).filter(({ owner }) => owner === userId);
      return [{ name: 'sets', used: own.length, limit: SETS_PER_OWNER }];
    },
} satisfies Feature;
