// Ends approvals whose time is over: questions that nobody answered, and runs that were lost. reference: Approvals
import { pathPattern } from '../audit/path-pattern.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import { APPROVAL_KEPT_SECONDS, APPROVALS_PAGE } from '../config/limits.ts';
import type { ApprovalRecord, ApprovalState } from '../ports/policy.ts';
import type { Ports } from '../ports/ports.ts';
import type { AuditEntry } from '../ports/records.ts';
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
    if (!(await store.approvals.move(row, { ...endOf(row, now), state: stateAfter(row) }))) return;
    // A yes that was not used and a no that has ended are no news.
    const news = NEWS[row.state];
    if (news === undefined) return;
    await audit.record({
      user_id: row.user_id,
      integration: row.integration,
      tool: auditedTool(row),
      action: isRaw(row) ? 'CURL' : 'EXECUTE',
      success: false,
      duration_ms: 0,
      created_at: now,
      actor: row.caller,
      account: row.account,
      ...news,
    });
  }

  return {
    one,
    async ofPerson(userId) {
      for (const row of await store.approvals.due(clock.now(), APPROVALS_PAGE, userId)) await one(row);
    },
    async portion() {
      const now = clock.now();
      const due = await store.approvals.due(now, APPROVALS_PAGE);
      for (const row of due) await one(row);
      const isMore = await store.approvals.purge(now - APPROVAL_KEPT_SECONDS);
      return isMore || due.length === APPROVALS_PAGE;
    },
  };
}

const NEWS: Partial<Record<ApprovalState, Pick<AuditEntry, 'outcome' | 'error'>>> = {
  pending: { outcome: 'expired', error: 'Nobody answered in time whether this may run' },
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

/** A raw request is named by its method and its exact path, a tool by a name without a space. */
const isRaw = ({ tool }: ApprovalRecord): boolean => tool.includes(' ');

function auditedTool(row: ApprovalRecord): string {
  if (!isRaw(row)) return row.tool;
  const [method = '', path = ''] = row.tool.split(' ');
  return `${method} ${pathPattern(path)}`;
}
