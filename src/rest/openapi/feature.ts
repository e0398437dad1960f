// The descriptions for programs.
import type { Feature } from '../../kit/feature.ts';
import { openApiOperations } from './operations.ts';
import { createOpenApiRoutes } from './routes.ts';

export const openApiFeature = {
  name: 'openapi',
  routes: { machine: [createOpenApiRoutes] },
  operations: [openApiOperations],
} satisfies Feature;
