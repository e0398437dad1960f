// Says when an open approval is over, and what its end changes. reference: Approvals
import type { ApprovalRecord } from '../../ports/policy.ts';

/** Whether the time of an open approval has passed. */
export function isOver({ state, expires_at, running_until }: ApprovalRecord, now: number): boolean {
  return state === 'running' ? (running_until ?? 0) <= now : expires_at <= now;
}

/** What every end changes: the same call may be asked about again. */
export function endOf({ id, state, sealed }: ApprovalRecord, now: number) {
  const hasRun = state === 'running';
  // The arguments of a call that was not run are not kept.
  return { slot: id, running_until: null, ended_at: now, sealed: hasRun ? sealed : null };
}
