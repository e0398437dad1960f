// Ends approvals whose time is over: questions that nobody answered, runs that were lost, and what a change has ended.
// reference: Approvals
import { makeAuditEntry, type Said } from '../../record/model/entry.ts';
import type { AuditRecorder } from '../../record/model/recorder.ts';
import { APPROVAL_KEPT_SECONDS, APPROVALS_PAGE } from './limits.ts';
import type { ApprovalRecord, ApprovalState } from '../../ports/policy.ts';
import type { Ports } from '../../ports/ports.ts';
import { isRaw, sayOfApproval } from './audit-entry.ts';
import { endOf } from './open-approval.ts';

export interface SettleApprovals {
  /** Ends one approval whose time is over. Exactly one of any number of parallel calls writes its audit row. */
  one(row: ApprovalRecord): Promise<void>;
  /** Ends a question that waits, because its caller no longer wants the call. */
  withdraw(row: ApprovalRecord): Promise<void>;
  /** Ends a portion of those of a person. Returns whether there were any. */
  ofPerson(userId: string): Promise<boolean>;
  /** Ends a portion of those of all people, and forgets old ones. Returns whether more may be left. */
  portion(): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'store'> & { audit: AuditRecorder };

export function createSettleApprovals({ audit, clock, store }: Needs): SettleApprovals {
  async function one(row: ApprovalRecord): Promise<void> {
    // A change of the rules ends an approval without a time.
    const expires_at = row.state === 'expired' ? clock.now() : row.expires_at;
    // The denial has an audit row already, so its end needs none.
    await end(row, expires_at, AUDITED_ENDS[row.state]);
  }

  async function end(row: ApprovalRecord, expires_at: number, news: News | undefined): Promise<void> {
    const now = clock.now();
    if (!(await store.approvals.move(row, { ...endOf(row, now), expires_at, state: stateAfter(row) })))
      return;
    if (news === undefined) return;
    await audit.record(
      makeAuditEntry({
        ...sayOfApproval(row),
        ...news,
        action: isRaw(row) ? 'CURL' : 'EXECUTE',
        actor: { id: row.caller, name: row.caller_name },
        at: now,
      }),
    );
  }

  return {
    one,
    async withdraw(row) {
      if (row.state === 'pending') await end(row, clock.now(), WITHDRAWN);
    },
    async ofPerson(userId) {
      const due = await store.approvals.due(clock.now(), APPROVALS_PAGE, userId);
      await Promise.all(due.map(one));
      return due.length > 0;
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

type News = Pick<Said, 'outcome' | 'error'>;

const WITHDRAWN: News = { outcome: 'expired', error: 'The caller has cancelled the call' };

const AUDITED_ENDS: Partial<Record<ApprovalState, News>> = {
  pending: { outcome: 'expired', error: 'Nobody answered in time whether this may run' },
  approved: { outcome: 'expired', error: 'The approval expired before the call was sent again' },
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
      // The portal still shows the denial. It no longer applies.
      return 'denied';
    default:
      return 'expired';
  }
}
