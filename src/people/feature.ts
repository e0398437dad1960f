// The people of the gateway: roles, invitations, and how somebody leaves.
import type { Feature, Round } from '../kit/feature.ts';
import { createAccess } from './access.ts';
import { createErasures, type Erasures } from './erasures.ts';
import { leavingOperations } from './leaving-operations.ts';
import { limit, peopleOperations, person } from './operations.ts';
import { overviewOperations } from './overview-operations.ts';
import { createAdministrationRoutes } from './routes.ts';

export const peopleFeature = {
  name: 'people',
  parts: { access: createAccess, erasures: createErasures },
  routes: { portal: [createAdministrationRoutes] },
  operations: [peopleOperations, leavingOperations, overviewOperations],
  schemas: () => [
    { name: 'Limit', schema: limit(), io: 'output' },
    { name: 'Person', schema: person(), io: 'output' },
  ],
  chores: ({ erasures }: { erasures: Erasures }, { stop }: Round) => ({
    erasures: () => erasures.goOn(stop),
  }),
} satisfies Feature;
