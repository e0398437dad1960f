// Finding tools: the search over what a caller may use.
import type { Feature } from '../kit/feature.ts';
import { createToolboxes } from './toolbox.ts';

export const searchFeature = { name: 'search', parts: { toolboxOf: createToolboxes } } satisfies Feature;
