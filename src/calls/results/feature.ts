// Long results: the whole result behind a truncated one, for an hour.
import type { Config } from '../../config/config.ts';
import type { Feature } from '../../kit/feature.ts';
import { createStoredResults, type StoredResults } from './stored-results.ts';

interface LimitNeeds {
  config: Config;
  /** True where a process answers one request and counts nothing. */
  isIsolated?: boolean;
  results: Pick<StoredResults, 'used'>;
}

export const resultsFeature = {
  name: 'results',
  parts: { results: createStoredResults },
  chores: ({ results }: { results: Pick<StoredResults, 'sweep'> }) => ({
    'stored results': () => results.sweep(),
  }),
  personal: {
    erase:
      ({ results }: { results: Pick<StoredResults, 'deleteAll'> }) =>
      (userId) =>
        results.deleteAll(userId),
  },
  /** Each process counts for itself. */
  limits:
    ({ config, isIsolated = false, results }: LimitNeeds) =>
    async (userId) => {
      const used = isIsolated ? null : results.used(userId);
      return [{ name: 'results', used, limit: config.PERSON_MAX_RESULT_BYTES }];
    },
} satisfies Feature;
