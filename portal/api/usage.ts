// Fetches how much was called: by the person, or for administrators by everybody. reference: Usage
import { request } from './client.ts';

export const RANGES = ['24h', '7d', '30d'] as const;
export type Range = (typeof RANGES)[number];

export interface Calls {
  ok: number;
  failed: number;
  refused: number;
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p95: number;
  p99: number;
}

/** Times are Unix seconds. */
export interface UsagePoint extends Calls {
  at: number;
  /** Null when no call ran. */
  latency: Latency | null;
}

export type Cause =
  | 'blocked'
  | 'asked'
  | 'denied'
  | 'expired'
  | 'not-connected'
  | 'account'
  | 'arguments'
  | 'sign-in'
  | 'not-found'
  | 'rate-limit'
  | 'request'
  | 'service'
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'gateway'
  | 'unknown'
  | 'other';

export interface UsedAgent extends Calls {
  actor: string;
  kind: 'session' | 'key' | 'agent-key' | 'client' | 'other';
  name: string | null;
}

export interface Usage {
  range: Range;
  bucketSeconds: number;
  series: UsagePoint[];
  totals: Calls;
  before: Calls;
  latency: Latency | null;
  integrations: (Calls & { integration: string })[];
  tools: (Calls & { integration: string; tool: string })[];
  agents: UsedAgent[];
  causes: { cause: Cause; calls: number }[];
  /** Older calls are still being counted. */
  isBehind: boolean;
}

/** Stands for everything that has no row of its own. */
export const OTHER = '*';

export function fetchUsage(range: Range, of: 'everybody' | undefined): Promise<Usage> {
  // The browser counts the minutes that its clock is behind UTC.
  const query = new URLSearchParams({ range, offset: String(-new Date().getTimezoneOffset()) });
  const path = of === 'everybody' ? '/api/admin/usage' : '/api/usage';
  return request(`${path}?${query.toString()}`);
}
