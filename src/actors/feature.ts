// Actors: the users of other people's products, for whom a service key calls. decision: 074
import type { Feature, Round } from '../kit/feature.ts';
import { createActorRoutes } from './actor-routes.ts';
import { type ActorEvents, createActorEvents } from './events.ts';
import { createKeyActorRoutes } from './key-actor-routes.ts';
import { createServiceKeyRoutes } from './key-routes.ts';
import { createActorLinkRoutes } from './link-routes.ts';
import { createActorLinkMaker } from './links.ts';
import { actor, actorOperations, actorPage, connectionList, usage } from './operations.ts';

type Telling = { actorEvents: ActorEvents };

export const actorsFeature = {
  name: 'actors',
  parts: { actorEvents: createActorEvents, actorLinks: createActorLinkMaker },
  routes: {
    portal: [createServiceKeyRoutes, createKeyActorRoutes, createActorRoutes],
    open: [createActorLinkRoutes],
  },
  operations: [actorOperations],
  schemas: () => [
    { name: 'Actor', schema: actor(), io: 'output' },
    { name: 'ActorConnections', schema: connectionList(), io: 'output' },
    { name: 'ActorPage', schema: actorPage(), io: 'output' },
    { name: 'ActorUsage', schema: usage(), io: 'output' },
  ],
  chores: ({ actorEvents }: Telling, { repeat }: Round) => ({
    'links of actors': () => repeat(() => actorEvents.expireLinks()),
  }),
  connectionChanged:
    ({ actorEvents }: Telling) =>
    (change) =>
      actorEvents.connected(change),
  notified:
    ({ actorEvents }: Telling) =>
    (notice) =>
      actorEvents.needsActor(notice),
} satisfies Feature;
