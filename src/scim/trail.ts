// Writes an audit row for each change that a directory makes. reference: SCIM
import { makeAuditEntry } from '../record/model/entry.ts';
import type { AuditRecorder } from '../record/model/recorder.ts';
import type { Ports } from '../ports/ports.ts';
import { EVERYONE } from '../ports/store.ts';

export type Change =
  | 'user_created'
  | 'user_changed'
  | 'user_activated'
  | 'user_deactivated'
  | 'user_removed'
  | 'group_created'
  | 'group_changed'
  | 'group_removed'
  | 'group_joined'
  | 'group_left';

/** `userId` is null for a change that is about no single person. */
export type Trail = (
  change: Change,
  userId: string | null,
  requestId: string,
  group?: string,
) => Promise<void>;

export const createTrail =
  ({ audit, clock }: Pick<Ports, 'clock'> & { audit: AuditRecorder }): Trail =>
  (change, userId, requestId, group) =>
    audit.record(
      makeAuditEntry({
        userId: userId ?? EVERYONE,
        actor: { id: 'scim', name: null },
        integration: 'scim',
        tool: `scim_${change}`,
        action: 'DIRECTORY',
        outcome: 'ok',
        error: null,
        at: clock.now(),
        requestId,
        ...(group === undefined ? {} : { account: group }),
      }),
    );
