// Lists the calls that agents may make only after the person's yes, and decides about them. reference: Approvals
import type {
  ApprovalList,
  DecisionForm,
  Decisions,
  DecisionsForm,
  ShownApproval,
} from '../../src/policy/approval-operations.ts';
import { request } from './client.ts';

export type Approval = ShownApproval;
export type ApprovalState = Approval['state'];
export type Caller = Approval['caller'];
export type ApprovalFile = Approval['files'][number];
/** What became of one of several calls. */
export type Decided = Decisions['results'][number];

/** The portal always says what a yes covers. */
export type Decision = { decision: 'approve'; for: 'once' | 'hour' } | { decision: 'deny'; reason?: string };

/** The gateway decides about so many calls at once, and lists no more. */
export const MAX_LISTED = 100;

const PATH = '/api/approvals';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;

/** Lists the newest first. */
export async function fetchApprovals(states: readonly ApprovalState[]): Promise<Approval[]> {
  const query = `state=${states.join(',')}&limit=${MAX_LISTED}`;
  return (await request<ApprovalList>(`${PATH}?${query}`)).approvals;
}

export function fetchApproval(id: string): Promise<Approval> {
  return request(pathOf(id));
}

export function decide(id: string, decision: Decision): Promise<Approval> {
  return request(pathOf(id), { method: 'POST', body: decision satisfies DecisionForm });
}

/** Decides about each call by itself. */
export async function decideAll(ids: readonly string[], decision: Decision): Promise<Decided[]> {
  const body = { ids: [...ids], ...decision } satisfies DecisionsForm;
  return (await request<Decisions>(PATH, { method: 'POST', body })).results;
}
