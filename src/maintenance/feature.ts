// What keeps the gateway healthy, and tells whether it is.
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { healthOperations } from './health-operations.ts';
import { createHealthRoute } from './health-route.ts';
import { createMetricsRoute } from './metrics-route.ts';

export const maintenanceFeature = {
  name: 'maintenance',
  routes: { open: [createHealthRoute, createMetricsRoute] },
  operations: [healthOperations],
  chores: ({ store }: Pick<Ports, 'store'>, { now, repeat }: Round) => ({
    backfills: () => repeat(() => store.backfill(now)),
    'expired rows': () => repeat(() => store.sweep(now)),
  }),
} satisfies Feature;
