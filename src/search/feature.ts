// Finding tools: the search over what a caller may use.
import type { Feature } from '../kit/feature.ts';
import { createSearchCache } from './search-cache.ts';
import { createToolboxes } from './toolbox.ts';

export const searchFeature = {
  name: 'search',
  shared: { searchCache: createSearchCache },
  parts: { toolboxOf: createToolboxes },
} satisfies Feature;
