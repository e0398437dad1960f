// Calls of tools.
import type { Config } from '../config/config.ts';
import type { Feature } from '../kit/feature.ts';
import type { CallCounts } from '../memory/per-person.ts';
import { createMakeCall } from './engine.ts';
import { createExecute } from './execute.ts';
import { createFindTool } from './find-tool.ts';
import { createInFlight } from './in-flight.ts';
import { createRecordCall } from './record.ts';

interface LimitNeeds {
  calls: Pick<CallCounts, 'used'>;
  config: Config;
  /** True where a process answers one request and counts nothing. */
  isIsolated?: boolean;
}

export const callsFeature = {
  name: 'calls',
  parts: {
    execute: createExecute,
    executions: createInFlight,
    findTool: createFindTool,
    makeCall: createMakeCall,
    recordCall: createRecordCall,
  },
  /** Each process counts for itself. */
  limits:
    ({ calls, config, isIsolated = false }: LimitNeeds) =>
    async (userId) => {
      const { PERSON_CALLS_PER_MINUTE: perMinute = null, PERSON_MAX_CALLS } = config;
      const { underWay, thisMinute } = isIsolated ? NOT_COUNTED : calls.used(userId);
      return [
        { name: 'calls', used: underWay, limit: PERSON_MAX_CALLS },
        { name: 'callsPerMinute', used: perMinute === null ? null : thisMinute, limit: perMinute },
      ];
    },
} satisfies Feature;

const NOT_COUNTED = { underWay: null, thisMinute: null };
