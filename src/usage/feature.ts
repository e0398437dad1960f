// How much people use, counted from the record by hour and day.
import type { Feature, Round } from '../kit/feature.ts';
import { usageOperations } from './operations.ts';
import { createRollUsage, type RollUsage } from './roll.ts';
import { createUsageRoutes } from './routes.ts';

export const usageFeature = {
  name: 'usage',
  parts: { rollUsage: createRollUsage },
  routes: { portal: [createUsageRoutes] },
  operations: [usageOperations],
  chores: ({ rollUsage }: { rollUsage: RollUsage }, { stop }: Round) => ({
    usage: () => rollUsage.round(stop),
  }),
} satisfies Feature;
