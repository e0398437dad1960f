// Tells what the audit row of a call says about how it ended. reference: Audit
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { truncate } from '../json/truncate.ts';
import type { AuditOutcome } from '../ports/records.ts';
import type { Ending } from './outcome.ts';

export function auditError(outcome: Ending): string | null {
  switch (outcome.kind) {
    case 'success':
    case 'select-failed':
      return null;
    case 'not-connected':
      return ErrorCode.NOT_CONNECTED;
    case 'no-account':
    case 'not-repeated':
      return outcome.error;
    case 'invalid-arguments':
      return truncate(`${ErrorText.INVALID_ARGUMENTS}: ${outcome.message}`);
    case 'blocked':
      return afterOutside(ErrorCode.BLOCKED, outcome);
    case 'asked':
      return afterOutside(ErrorCode.APPROVAL_REQUIRED, outcome);
    case 'denied':
      return ErrorCode.DENIED;
    case 'access-ended':
      return ErrorCode.ACCESS_ENDED;
    case 'too-many':
    case 'unavailable':
    case 'failed':
    case 'not-lent':
    case 'no-way':
      return outcome.message;
    case 'relayed':
      return outcome.status < 400 ? null : `HTTP ${outcome.status}`;
    case 'withheld':
      return `${ErrorCode.BLOCKED}: the answer with status ${outcome.status} was held back`;
    case 'caller-gone':
    case 'cut-off':
      return outcome.kind;
    case 'unanswered':
    case 'broken':
      return 'failed';
  }
}

/** The row says why a call was held that is usually let through. */
const afterOutside = (code: string, { because }: { because?: string | undefined }): string =>
  because === undefined ? code : truncate(`${code}: ${because}`);

export function auditOutcome(outcome: Ending): AuditOutcome {
  const { kind } = outcome;
  switch (kind) {
    case 'success':
    case 'select-failed':
      return 'ok';
    case 'blocked':
    case 'asked':
    case 'denied':
      return kind;
    case 'access-ended':
      return outcome.mayHaveRun ? 'unknown' : 'error';
    case 'not-lent':
      return outcome.status === 403 ? 'blocked' : 'error';
    case 'relayed':
    case 'withheld':
      return outcome.status < 400 ? 'ok' : 'error';
    default:
      return 'error';
  }
}
