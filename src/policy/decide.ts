// Takes the decision of a person about one call. Exactly one of any number of parallel decisions wins. decision: 038
import { makeAuditEntry } from '../record/model/entry.ts';
import type { AuditRecorder } from '../record/model/recorder.ts';
import type { Seal } from '../crypto/seal.ts';
import { truncate } from '../json/truncate.ts';
import type { Actor } from '../kit/actor.ts';
import type { ApprovalDecided } from '../kit/approval-decided.ts';
import type { ApprovalChange, ApprovalRecord, ApprovalState } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import type { DecisionForm } from './approval-operations.ts';
import { sayOfApproval } from './model/audit-entry.ts';
import { isId } from '../http/id.ts';
import { isOver } from './model/open-approval.ts';
import type { SettleApprovals } from './model/settle.ts';
import { openArguments } from './shown-arguments.ts';

export type Decided =
  | { ok: true; row: ApprovalRecord }
  /** The message is for the person. */
  | { ok: false; status: 404 | 409; message: string };

/** Only a portal session may come here: a key could belong to the agent that asks. */
export type Decide = (userId: string, id: string, decision: DecisionForm, from: Origin) => Promise<Decided>;

/** Where a decision comes from. */
export interface Origin {
  actor: Actor;
  requestId: string;
}

type Needs = Pick<Ports, 'clock' | 'config' | 'store'> & {
  approvalDecided: ApprovalDecided;
  audit: AuditRecorder;
  seal: Seal;
  settleApprovals: SettleApprovals;
};

const HOUR_SECONDS = 3_600;
export const NO_SUCH_APPROVAL = 'You have no such approval';

const SETTLED: Readonly<Record<ApprovalState, string>> = {
  pending: 'This call is being decided. Try again',
  approved: 'This call is approved already',
  denied: 'This call is denied already',
  expired: 'This question has expired; the agent can ask again',
  running: 'This call is approved already, and is running',
  done: 'This call is approved already, and has run',
  failed: 'This call is approved already. It has run and failed',
  unknown: 'This call is approved already. It is not known whether it has run',
};

export function createDecide({
  approvalDecided,
  audit,
  clock,
  config,
  seal,
  settleApprovals,
  store,
}: Needs): Decide {
  async function refuse(userId: string, id: string): Promise<Decided> {
    const row = await store.approvals.get(userId, id);
    if (row === null) return { ok: false, status: 404, message: NO_SUCH_APPROVAL };
    return { ok: false, status: 409, message: SETTLED[row.state] };
  }

  function changeOf({ decision, for: covers = 'once', reason }: DecisionForm): ApprovalChange {
    const now = clock.now();
    const lasting = now + config.APPROVAL_TTL_SECONDS;
    if (decision === 'deny')
      return { state: 'denied', reason: reason ?? null, decided_at: now, expires_at: lasting };
    const expires_at = covers === 'hour' ? now + HOUR_SECONDS : lasting;
    return { state: 'approved', covers, decided_at: now, expires_at };
  }

  /** The actor of the row is who decided. The rows of the call itself say who asked. */
  async function record(row: ApprovalRecord, { decision, reason }: DecisionForm, from: Origin) {
    const approved = decision === 'approve';
    const word = reason ? `: ${reason}` : '';
    await audit.record(
      makeAuditEntry({
        ...sayOfApproval(row),
        action: 'DECIDE',
        error: approved ? null : truncate(`The person said no${word}`),
        outcome: approved ? 'approved' : 'denied',
        actor: { id: from.actor.id, name: null },
        at: clock.now(),
        requestId: from.requestId,
      }),
    );
  }

  return async function decide(userId, id, form, from) {
    const row = isId(id) ? await store.approvals.get(userId, id) : null;
    if (row === null) return { ok: false, status: 404, message: NO_SUCH_APPROVAL };
    if (row.state !== 'pending') return refuse(userId, id);
    if (isOver(row, clock.now())) {
      await settleApprovals.one(row);
      return refuse(userId, id);
    }
    // A person cannot approve arguments that they cannot read.
    if (form.decision === 'approve' && (await openArguments(seal, row)) === null) {
      const message = 'The arguments of this call can no longer be shown, so it can only be denied';
      return { ok: false, status: 409, message };
    }
    const change = changeOf(form);
    if (!(await store.approvals.move(row, change))) return refuse(userId, id);
    await record(row, form, from);
    approvalDecided({ userId, approval: row.id });
    return { ok: true, row: { ...row, ...change } };
  };
}
