// Fetches how much was called: by the person, or for administrators by everybody. reference: Usage
import type { AgentsUsage, Range, UsageAnswer } from '../../src/record/usage/operations.ts';
import { request } from './client.ts';

export const RANGES = ['24h', '7d', '30d'] as const satisfies readonly Range[];
export type { Range };

export type { AgentsUsage };
export type Usage = UsageAnswer;
export type Calls = Usage['totals'];
export type UsedAgent = Usage['agents'][number];

/** Stands for everything that has no row of its own. */
export const OTHER = '*';

/** `actor` counts the calls of one agent only. `limit` is how many rows each list has. */
export function fetchUsage(
  range: Range,
  of: 'everybody' | undefined,
  { actor, limit }: { actor?: string; limit?: number } = {},
): Promise<Usage> {
  // The browser counts the minutes that its clock is behind UTC.
  const query = new URLSearchParams({ range, offset: String(-new Date().getTimezoneOffset()) });
  if (actor !== undefined) query.set('actor', actor);
  if (limit !== undefined) query.set('limit', String(limit));
  const path = of === 'everybody' ? '/api/admin/usage' : '/api/usage';
  return request(`${path}?${query.toString()}`);
}

export const fetchAgentsUsage = (): Promise<AgentsUsage> => request('/api/usage/agents');
