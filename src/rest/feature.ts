// The door of REST callers: /rest/:integration.
import type { Feature } from '../kit/feature.ts';
import { approvalLink, restOperations } from './operations.ts';
import { createRestRoutes } from './routes.ts';

export const restFeature = {
  name: 'rest',
  routes: { machine: [createRestRoutes] },
  operations: [restOperations],
  schemas: () => [{ name: 'ApprovalLink', schema: approvalLink(), io: 'output' }],
} satisfies Feature;
