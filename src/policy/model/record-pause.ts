// Writes the audit row of a pause: a person has stopped an agent, or lets it go on. reference: Agents; decision: 064
import type { Actor } from '../../kit/actor.ts';
import { makeAuditEntry } from '../../record/model/entry.ts';
import type { AuditRecorder } from '../../record/model/recorder.ts';
import type { Clock } from '../../ports/clock.ts';

interface Pause {
  userId: string;
  /** The caller that decided. */
  actor: Actor;
  /** The id of the actor that is paused. */
  agent: string;
  isPaused: boolean;
  requestId: string | undefined;
}

export type RecordPause = (pause: Pause) => Promise<void>;

export function createRecordPause({ audit, clock }: { audit: AuditRecorder; clock: Clock }): RecordPause {
  return ({ userId, actor, agent, isPaused, requestId }) =>
    audit.record(
      makeAuditEntry({
        userId,
        actor: { id: actor.id, name: null },
        integration: 'gateway',
        tool: isPaused ? 'gateway_pause_agent' : 'gateway_resume_agent',
        action: 'DECIDE',
        outcome: 'ok',
        error: null,
        // The row is about this agent; the actor of the row is who decided.
        account: agent,
        at: clock.now(),
        requestId,
      }),
    );
}
