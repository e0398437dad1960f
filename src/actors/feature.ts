// Actors: the users of other people's products, for whom a service key calls. decision: 074
import type { Feature } from '../kit/feature.ts';
import { createActorRoutes } from './actor-routes.ts';
import { createKeyActorRoutes } from './key-actor-routes.ts';
import { createServiceKeyRoutes } from './key-routes.ts';
import { createActorLinkRoutes } from './link-routes.ts';
import { createActorLinkMaker } from './links.ts';
import { actorOperations } from './operations.ts';

export const actorsFeature = {
  name: 'actors',
  parts: { actorLinks: createActorLinkMaker },
  routes: {
    portal: [createServiceKeyRoutes, createKeyActorRoutes, createActorRoutes],
    open: [createActorLinkRoutes],
  },
  operations: [actorOperations],
} satisfies Feature;
