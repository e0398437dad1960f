// The catalogue of integrations and tools, as the portal shows it.
import type { Feature } from '../../kit/feature.ts';
import { catalogOperations } from './operations.ts';
import { createCatalogRoutes } from './routes.ts';

export const catalogFeature = {
  name: 'catalog',
  routes: { portal: [createCatalogRoutes] },
  operations: [catalogOperations],
} satisfies Feature;
