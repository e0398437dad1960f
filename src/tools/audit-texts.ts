// Tells what the audit row of an execution says about its outcome. reference: Audit
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { truncate } from '../json/truncate.ts';
import type { AuditOutcome } from '../ports/records.ts';
import type { Outcome } from './outcome.ts';

export function auditError(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case 'success':
    case 'select-failed':
      return null;
    case 'not-connected':
      return ErrorCode.NOT_CONNECTED;
    case 'no-account':
      return outcome.error;
    case 'tool-not-found':
      return ErrorText.TOOL_NOT_FOUND;
    case 'invalid-arguments':
      return truncate(`${ErrorText.INVALID_ARGUMENTS}: ${outcome.message}`);
    case 'blocked':
      return ErrorCode.BLOCKED;
    case 'asked':
      return ErrorCode.APPROVAL_REQUIRED;
    case 'denied':
      return ErrorCode.DENIED;
    case 'access-ended':
      return ErrorCode.ACCESS_ENDED;
    case 'too-many':
    case 'unavailable':
    case 'failed':
      return outcome.message;
  }
}

export function auditOutcome(outcome: Outcome): AuditOutcome {
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
    default:
      return 'error';
  }
}
