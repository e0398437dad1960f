// Published pages: the tools and routes that publish them, and the pages themselves.
import type { Config } from '../config/config.ts';
import type { Feature, Guard } from '../kit/feature.ts';
import { taking } from '../kit/parts.ts';
import { EVERYWHERE } from '../http/observe.ts';
import { jotOperations } from './api-operations.ts';
import { createJotApiRoutes } from './api-routes.ts';
import { createJotsIntegration } from './integration.ts';
import { createJots, type Jots } from './jots.ts';
import { confineJotsOrigin, createJotRoutes, refuseTraversal } from './routes.ts';
import { createFailedUnlocks } from './serving/failed-unlocks.ts';
import { createJotCache } from './serving/reader.ts';
import { createWaitingViews } from './serving/views.ts';

export const jotsFeature = {
  name: 'jots',
  shared: {
    failedUnlocks: createFailedUnlocks,
    jotCache: createJotCache,
    waitingViews: createWaitingViews,
  },
  parts: {
    jots: taking(createJots, [
      'blobs',
      'camera',
      'clock',
      'config',
      'digest',
      'gunzip',
      'hasher',
      'hashing',
      'jotCache',
      'log',
      'random',
      'store',
      'waitingViews',
    ]),
  },
  integrations: [({ jots }: { jots: Jots }) => createJotsIntegration(jots)],
  guards: ({ config }: { config: Config }): readonly Guard[] => [
    { path: EVERYWHERE, run: refuseTraversal },
    ...(config.JOTS_ORIGIN === undefined ? [] : [{ path: EVERYWHERE, run: confineJotsOrigin(config) }]),
  ],
  routes: { portal: [createJotApiRoutes], open: [createJotRoutes] },
  operations: [jotOperations],
  chores: ({ jots }: { jots: Jots }) => ({
    jots: () => jots.sweep(),
    'jot views': () => jots.views.flush(),
  }),
  personal: {
    export:
      ({ jots }: { jots: Jots }) =>
      ({ id }) => ({ jots: () => listJots(jots, id) }),
    erase:
      ({ jots }: { jots: Jots }) =>
      (userId) =>
        jots.deleteAll(userId),
  },
  limits:
    ({ config, jots }: { config: Config; jots: Pick<Jots, 'used'> }) =>
    async (userId) => {
      const used = await jots.used(userId);
      return [
        { name: 'jots', used: used.jots, limit: config.PERSON_MAX_JOTS },
        { name: 'jotBytes', used: used.bytes, limit: config.PERSON_MAX_JOT_BYTES },
      ];
    },
} satisfies Feature;

async function* listJots(jots: Jots, userId: string): AsyncGenerator<object, void, undefined> {
  for (const summary of await jots.list(userId)) {
    const found = await jots.get(userId, summary.name);
    yield { ...summary, paths: [...(found?.manifest?.files.keys() ?? [])] };
  }
}
