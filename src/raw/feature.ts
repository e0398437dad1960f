// The door of raw requests: /c/:integration/*, which an adapter serves, because it streams.
import type { Feature } from '../kit/feature.ts';
import { rawOperations } from './operations.ts';

export const rawFeature = { name: 'raw', operations: [rawOperations] } satisfies Feature;
