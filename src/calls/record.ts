// The last step of a call: writes its audit row, keeps its details, and counts it. reference: Audit; Call details
import { makeAuditEntry } from '../record/model/entry.ts';
import type { CallDetails } from '../record/details/details.ts';
import type { AuditRecorder } from '../record/model/recorder.ts';
import type { Access } from '../kit/access.ts';
import { integrationLabel, type KnownCaller } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { AuditEntry } from '../ports/records.ts';
import { auditError, auditOutcome } from './audit-texts.ts';
import type { Effect, Found, Judged, Manner } from './effect.ts';
import type { Ending, NamedAccount } from './outcome.ts';
import type { Went } from './take-once.ts';

/** What is known of a call however it ended. */
export interface Came<E> extends Went<E> {
  access: Access | null;
  named: NamedAccount;
  /** The id of the approval that the call needed. */
  approval?: string | null;
}

type Recorded<E extends Ending> = Pick<
  Effect<Judged, Found, E>,
  'contentOf' | 'integration' | 'manner' | 'script' | 'tool'
>;

/** Returns a promise where the caller has to wait for the row. */
export type RecordCall = <E extends Ending>(
  caller: Pick<KnownCaller, 'userId' | 'actor' | 'requestId'>,
  effect: Recorded<E>,
  came: Came<E>,
  milliseconds: number,
) => Promise<void> | undefined;

type Needs = Pick<Ports, 'clock' | 'metrics'> & { audit: AuditRecorder; callDetails: CallDetails };

export function createRecordCall({ audit, callDetails, clock, metrics }: Needs): RecordCall {
  function write(entry: AuditEntry, { isAwaited }: Manner): Promise<void> | undefined {
    if (isAwaited) return audit.record(entry);
    audit.recordSoon(entry);
    return undefined;
  }

  return function recordCall({ userId, actor, requestId }, effect, came, milliseconds) {
    const { ending } = came;
    if (!leavesRow(ending)) return undefined;
    const { integration, manner, script, tool } = effect;
    const error = auditError(ending);
    if (manner.isCounted && came.isReplay !== true)
      metrics.execution(integrationLabel(integration), error === null);
    const details = callDetails.begin(userId);
    const entry = makeAuditEntry({
      userId,
      actor,
      requestId,
      integration: integration.name,
      tool,
      action: came.isReplay === true ? 'REPLAY' : manner.action,
      outcome: auditOutcome(ending),
      error,
      milliseconds,
      at: clock.now(),
      ...came.named,
      access: came.access,
      approval: came.approval ?? null,
      status: came.status ?? null,
      details: details?.id,
      script: script ?? null,
    });
    const recorded = write(entry, manner);
    // The details are copied while the row is written.
    details?.fill(effect.contentOf(ending, came.secrets));
    return recorded;
  };
}

/** A key that calls too often does not fill the record, and nothing was sent for a call that was cut off before. */
const leavesRow = ({ kind }: Ending): boolean => kind !== 'too-many' && kind !== 'cut-off';
