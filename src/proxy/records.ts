// Writes the audit rows of raw requests: method and path pattern, never query or body. Their details have the path and the
// query too. reference: Audit; Call details
import { pathPattern } from '../audit/path-pattern.ts';
import type { CallDetails } from '../audit/details/details.ts';
import { auditEntry } from '../audit/entry.ts';
import type { AuditRecorder } from '../audit/recorder.ts';
import type { Access } from '../kit/access.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { Ports } from '../ports/ports.ts';
import type { AccountOwner, AuditOutcome } from '../ports/records.ts';
import type { ProxyRequest } from './request.ts';

export interface CallEnd extends Identity {
  integration: Integration;
  outcome: AuditOutcome;
  /** Null for a success. */
  error: string | null;
  milliseconds: number;
  /** The label of the account, where the person has several. */
  account?: string | undefined;
  access?: Access | undefined;
  /** The id of the approval that the call needed. */
  approval?: string | undefined;
  requestId: string;
  /** The status of the provider. */
  status?: number | undefined;
  owner?: AccountOwner | undefined;
}

export type RecordCall = (request: Pick<ProxyRequest, 'method' | 'path'>, end: CallEnd) => void;

type Needs = Pick<Ports, 'clock'> & { audit: AuditRecorder; callDetails: CallDetails };

export function createRecordCall({ audit, callDetails, clock }: Needs): RecordCall {
  return function recordCall({ method, path }, end) {
    const { integration, account, access, approval, owner, status, ...said } = end;
    const details = callDetails.begin(end.userId);
    audit.recordSoon(
      auditEntry({
        ...said,
        integration: integration.name,
        tool: `${method} ${pathPattern(path.tail)}`,
        action: 'CURL',
        at: clock.now(),
        account: account ?? null,
        access: access ?? null,
        approval: approval ?? null,
        owner: owner ?? null,
        status: status ?? null,
        details: details?.id,
      }),
    );
    // Bodies pass through and are not kept.
    const { tail, search } = path;
    const query = search === '' ? {} : { query: search };
    details?.fill({ args: { method, path: tail === '' ? '/' : tail, ...query } });
  };
}
