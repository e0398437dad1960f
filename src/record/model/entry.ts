// Makes an audit row. Nothing else spells its members. reference: Audit
import type { Actor } from '../../kit/actor.ts';
import type { AuditEntry } from '../../ports/records.ts';

/** What a row says. What is left out is not known, or does not apply. */
export interface Said extends Partial<
  Pick<AuditEntry, 'access' | 'account' | 'owner' | 'approval' | 'status' | 'script'>
> {
  userId: string;
  /** The caller, or the person who decided. */
  actor: Pick<Actor, 'id' | 'name'>;
  integration: string;
  tool: string;
  action: AuditEntry['action'];
  outcome: NonNullable<AuditEntry['outcome']>;
  /** Null for a success. */
  error: string | null;
  milliseconds?: number;
  /** When it ended, in Unix seconds. */
  at: number;
  requestId?: string | undefined;
  /** The id of the details that are kept of the call. */
  details?: string | undefined;
}

export function makeAuditEntry(said: Said): AuditEntry {
  const { error } = said;
  return {
    user_id: said.userId,
    integration: said.integration,
    tool: said.tool,
    action: said.action,
    success: error === null,
    error,
    duration_ms: Math.round(said.milliseconds ?? 0),
    created_at: said.at,
    actor: said.actor.id,
    account: said.account ?? null,
    owner: said.owner ?? null,
    outcome: said.outcome,
    client_name: said.actor.name,
    access: said.access ?? null,
    request_id: said.requestId ?? null,
    approval: said.approval ?? null,
    status: said.status ?? null,
    details: said.details ?? null,
    script: said.script ?? null,
  };
}
