// Writes the audit rows of raw requests: method and path pattern, never query or body. reference: Audit
import { pathPattern } from '../audit/path-pattern.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { AuditOutcome } from '../ports/records.ts';
import type { ProxyRequest } from './request.ts';

export interface CallEnd extends Identity {
  integration: Integration;
  outcome: AuditOutcome;
  /** Null for a success. */
  error: string | null;
  milliseconds: number;
  /** The label of the account, where the person has several. */
  account?: string | undefined;
}

export type RecordCall = (request: Pick<ProxyRequest, 'method' | 'path'>, end: CallEnd) => void;

export function createRecordCall({
  audit,
  clock,
}: Pick<Ports, 'clock'> & { audit: AuditRecorder }): RecordCall {
  return ({ method, path }, { userId, actor, integration, outcome, error, milliseconds, account }) =>
    audit.recordSoon({
      user_id: userId,
      integration: integration.name,
      tool: `${method} ${pathPattern(path.tail)}`,
      action: 'CURL',
      success: error === null,
      error,
      duration_ms: Math.round(milliseconds),
      created_at: clock.now(),
      actor: actor.id,
      outcome,
      account: account ?? null,
    });
}
