// Shows the limits of a person with what the person uses of them. reference: Limits per person; decision: 088
import { AGENT_KEYS_PER_PERSON, FILES_PER_PERSON } from '../config/limits.ts';
import type { Files } from '../files/files.ts';
import type { Jots } from '../jots/jots.ts';
import type { StoredResults } from '../results/stored-results.ts';
import type { CallCounts } from '../memory/per-person.ts';
import type { Ports } from '../ports/ports.ts';
import { Unavailable } from '../ports/unavailable.ts';
import type { Limit } from './operations.ts';

export type LimitsOf = (userId: string) => Promise<Limit[]>;

export type LimitsNeeds = Pick<Ports, 'config' | 'pending' | 'store'> & {
  calls: Pick<CallCounts, 'used'>;
  files: Pick<Files, 'list'>;
  /** True where a process answers one request and counts nothing. */
  isIsolated?: boolean;
  jots: Pick<Jots, 'used'>;
  results: Pick<StoredResults, 'used'>;
};

export function createLimitsOf(deps: LimitsNeeds): LimitsOf {
  const { calls, config, files, isIsolated = false, jots, pending, results, store } = deps;

  /** Calls and results are counted by each process for itself. */
  function readProcess(userId: string) {
    if (isIsolated) return { underWay: null, thisMinute: null, results: null };
    const { underWay, thisMinute } = calls.used(userId);
    const isLimited = config.PERSON_CALLS_PER_MINUTE !== undefined;
    return { underWay, thisMinute: isLimited ? thisMinute : null, results: results.used(userId) };
  }

  return async function limitsOf(userId) {
    const [waiting, kept, published, keys] = await Promise.all([
      unlessAway(pending.count(userId)),
      unlessAway(files.list(userId, { offset: 0, limit: 0 })),
      jots.used(userId),
      store.agentKeys.list(userId),
    ]);
    const here = readProcess(userId);
    return [
      { name: 'calls', used: here.underWay, limit: config.PERSON_MAX_CALLS },
      { name: 'callsPerMinute', used: here.thisMinute, limit: config.PERSON_CALLS_PER_MINUTE ?? null },
      { name: 'pending', used: waiting, limit: config.PERSON_MAX_PENDING },
      { name: 'results', used: here.results, limit: config.PERSON_MAX_RESULT_BYTES },
      { name: 'files', used: kept?.total ?? null, limit: FILES_PER_PERSON },
      { name: 'fileBytes', used: kept?.bytes ?? null, limit: config.PERSON_MAX_FILE_BYTES },
      { name: 'jots', used: published.jots, limit: config.PERSON_MAX_JOTS },
      { name: 'jotBytes', used: published.bytes, limit: config.PERSON_MAX_JOT_BYTES },
      { name: 'keys', used: keys.length, limit: AGENT_KEYS_PER_PERSON },
    ];
  };
}

/** People can read about themselves while Redis or the blob store is away. */
async function unlessAway<T>(count: Promise<T>): Promise<T | null> {
  try {
    return await count;
  } catch (error) {
    if (error instanceof Unavailable) return null;
    throw error;
  }
}
