// Ends approvals whose time is over: questions that nobody answered, runs that were lost, and what a change has ended.
// reference: Approvals
import type { AuditRecorder } from '../audit/recorder.ts';
import { APPROVAL_KEPT_SECONDS, APPROVALS_PAGE } from '../config/limits.ts';
import type { ApprovalRecord, ApprovalState } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import type { AuditEntry } from '../ports/records.ts';
import { auditEntryOf, isRaw } from './audit-entry.ts';
import { endOf } from './open-approval.ts';

export interface SettleApprovals {
  /** Ends one approval whose time is over. Exactly one of any number of parallel calls writes its audit row. */
  one(row: ApprovalRecord): Promise<void>;
  /** Ends those of a person. */
  ofPerson(userId: string): Promise<void>;
  /** Ends a portion of those of all people, and forgets old ones. Returns whether more may be left. */
  portion(): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'store'> & { audit: AuditRecorder };

export function createSettleApprovals({ audit, clock, store }: Needs): SettleApprovals {
  async function one(row: ApprovalRecord): Promise<void> {
    const now = clock.now();
    // A change has left no time when it ended the approval.
    const expires_at = row.state === 'expired' ? now : row.expires_at;
    if (!(await store.approvals.move(row, { ...endOf(row, now), expires_at, state: stateAfter(row) })))
      return;
    // The no itself has a row. Its end changes nothing that ran.
    const news = NEWS[row.state];
    if (news === undefined) return;
    await audit.record({
      ...auditEntryOf(row),
      action: isRaw(row) ? 'CURL' : 'EXECUTE',
      success: false,
      created_at: now,
      actor: row.caller,
      client_name: row.caller_name,
      request_id: null,
      status: null,
      details: null,
      ...news,
    });
  }

  return {
    one,
    async ofPerson(userId) {
      await Promise.all((await store.approvals.due(clock.now(), APPROVALS_PAGE, userId)).map(one));
    },
    async portion() {
      const now = clock.now();
      const due = await store.approvals.due(now, APPROVALS_PAGE);
      await Promise.all(due.map(one));
      const isMore = await store.approvals.purge(now - APPROVAL_KEPT_SECONDS);
      return isMore || due.length === APPROVALS_PAGE;
    },
  };
}

const NEWS: Partial<Record<ApprovalState, Pick<AuditEntry, 'outcome' | 'error'>>> = {
  pending: { outcome: 'expired', error: 'Nobody answered in time whether this may run' },
  approved: { outcome: 'expired', error: 'The time of the approval is over' },
  expired: {
    outcome: 'expired',
    error: 'The rules, the limits, the key or the sign-in that this was asked under have changed',
  },
  running: {
    outcome: 'unknown',
    error: 'The gateway stopped while this ran. It is not known whether it took effect',
  },
};

function stateAfter({ state }: ApprovalRecord): ApprovalState {
  switch (state) {
    case 'running':
      return 'unknown';
    case 'denied':
      // The person keeps seeing their no. It only ends to hold.
      return 'denied';
    default:
      return 'expired';
  }
}
