// Lists the calls that agents may make only after the person's yes, and decides about them. reference: Approvals
import { request } from './client.ts';
import type { Access } from './types.ts';

export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'denied'
  | 'expired'
  | 'running'
  | 'done'
  | 'failed'
  | 'unknown';

export interface Caller {
  id: string;
  kind: 'session' | 'key' | 'agent-key' | 'client';
  name: string | null;
}

/** The name is null for a file that the person does not have any more. */
export interface ApprovalFile {
  handle: string;
  name: string | null;
  mimeType: string | null;
  bytes: number | null;
}

/** A call that waits for the person, or about which they have decided. Times are Unix seconds. */
export interface Approval {
  id: string;
  integration: string;
  /** The full name of a tool, or the method and path of a raw request. */
  tool: string;
  access: Access;
  account: string | null;
  /** Null when the arguments can no longer be shown. */
  args: Record<string, unknown> | null;
  caller: Caller;
  state: ApprovalState;
  covers: 'once' | 'hour' | null;
  reason: string | null;
  files: ApprovalFile[];
  description: string | null;
  request: { method: string; path: string } | null;
  createdAt: number;
  expiresAt: number;
  decidedAt: number | null;
  ranAt: number | null;
  endedAt: number | null;
}

export type Decision = { decision: 'approve'; for: 'once' | 'hour' } | { decision: 'deny'; reason?: string };

/** What became of one of several calls. */
export type Decided = { id: string; state: ApprovalState } | { id: string; error: string };

/** The gateway decides about so many calls at once, and lists no more. */
export const MAX_LISTED = 100;

const PATH = '/api/approvals';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** Lists the newest first. */
export async function fetchApprovals(states: readonly ApprovalState[]): Promise<Approval[]> {
  const query = `state=${states.join(',')}&limit=${MAX_LISTED}`;
  return (await request<{ approvals: Approval[] }>(`${PATH}?${query}`)).approvals;
}

export function fetchApproval(id: string): Promise<Approval> {
  return request(pathOf(id));
}

export function decide(id: string, decision: Decision): Promise<Approval> {
  return request(pathOf(id), { method: 'POST', body: decision });
}

/** Decides about each call by itself. */
export async function decideAll(ids: readonly string[], decision: Decision): Promise<Decided[]> {
  const body = { ids, ...decision };
  return (await request<{ results: Decided[] }>(PATH, { method: 'POST', body })).results;
}
