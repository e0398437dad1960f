// A person's browser on the gateway. Its routes have state, so an adapter with browsers builds them.
import type { Feature } from '../kit/feature.ts';
import { browserSessionOperations } from './browser-session-operations.ts';

export const liveViewFeature = {
  name: 'live-view',
  operations: [browserSessionOperations],
} satisfies Feature;
