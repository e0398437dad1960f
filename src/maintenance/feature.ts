// What keeps the gateway healthy, and tells whether it is.
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { gatewayOperations } from './gateway-operations.ts';
import { createGatewayRoute } from './gateway-route.ts';
import { healthOperations } from './health-operations.ts';
import { createHealthRoute } from './health-route.ts';
import { createInstruments } from './instruments.ts';
import { createMetricsRoute } from './metrics-route.ts';
import { createReadiness } from './readiness.ts';

export const maintenanceFeature = {
  name: 'maintenance',
  parts: { readiness: createReadiness },
  routes: { portal: [createGatewayRoute], open: [createHealthRoute, createMetricsRoute] },
  operations: [gatewayOperations, healthOperations],
  instruments: createInstruments,
  chores: ({ store }: Pick<Ports, 'store'>, { now, repeat }: Round) => ({
    backfills: () => repeat(() => store.backfill(now)),
    'expired rows': () => repeat(() => store.sweep(now)),
  }),
} satisfies Feature;
