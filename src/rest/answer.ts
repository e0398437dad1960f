// Answers a call that did not succeed, with its status and body. reference: REST
import { accessEndedText, SELECT_FAILED } from '../calls/execution-result.ts';
import type { KeyError } from '../calls/once/once.ts';
import type { Outcome } from '../calls/outcome.ts';
import { ErrorCode, ErrorText } from '../http/error-codes.ts';
import { RETRY_LATER } from '../http/errors.ts';
import { truncate } from '../json/truncate.ts';
import { withNearest } from '../search/nearest.ts';

interface FailureAnswer {
  status: 400 | 401 | 403 | 404 | 409 | 410 | 422 | 429 | 502 | 503;
  body: { error: string; [detail: string]: unknown };
  headers?: Record<string, string>;
}

/** A doubt is no 5xx: programs repeat those by themselves, and a repeat does not help. */
const HOW_NOT_REPEATED: Record<KeyError, Pick<FailureAnswer, 'status' | 'headers'>> = {
  IN_PROGRESS: { status: 409, headers: { 'Retry-After': '1' } },
  KEY_REUSED: { status: 422 },
  RESULT_GONE: { status: 410 },
  UNKNOWN_OUTCOME: { status: 409 },
};

/** `near` are the names that are like that of an unknown tool. */
export function answerTo(
  outcome: Exclude<Outcome, { kind: 'success' }>,
  near: readonly string[],
): FailureAnswer {
  const { tool, integration, account } = outcome;
  const named = {
    ...(account === undefined ? {} : { account }),
    ...('script' in outcome && outcome.script !== undefined ? { script: outcome.script } : {}),
  };
  switch (outcome.kind) {
    case 'tool-not-found': {
      const error = truncate(`${ErrorText.TOOL_NOT_FOUND}: ${tool}`);
      return { status: 404, body: withNearest({ error, integration }, near) };
    }
    case 'invalid-arguments': {
      const error = truncate(`${ErrorText.INVALID_ARGUMENTS} for ${tool}: ${outcome.message}`);
      return { status: 400, body: { error } };
    }
    case 'not-connected': {
      const error = ErrorCode.NOT_CONNECTED;
      return { status: 409, body: { error, integration, tool, ...named, message: outcome.message } };
    }
    case 'no-account': {
      const { error, message, accounts } = outcome;
      return { status: 409, body: { error, integration, tool, message, accounts } };
    }
    case 'blocked': {
      const error = ErrorCode.BLOCKED;
      return { status: 403, body: { error, integration, tool, ...named, message: outcome.message } };
    }
    case 'denied': {
      const error = ErrorCode.DENIED;
      return { status: 403, body: { error, integration, tool, ...named, message: outcome.message } };
    }
    case 'asked': {
      const { message, approval } = outcome;
      const error = ErrorCode.APPROVAL_REQUIRED;
      return { status: 409, body: { error, integration, tool, ...named, message, approval } };
    }
    case 'access-ended': {
      const error = ErrorCode.ACCESS_ENDED;
      return { status: 401, body: { error, integration, tool, message: accessEndedText(outcome) } };
    }
    case 'not-repeated': {
      const { error, message } = outcome;
      return { ...HOW_NOT_REPEATED[error], body: { error, integration, tool, ...named, message } };
    }
    case 'too-many': {
      const error = ErrorCode.TOO_MANY_CALLS;
      return {
        status: 429,
        body: { error, integration, tool, ...named, message: outcome.message },
        headers: { 'Retry-After': String(outcome.retryAfterSeconds) },
      };
    }
    case 'select-failed': {
      const { kind: _, message: error, replayed: __, ...rest } = outcome;
      return { status: 400, body: { error, ...rest, message: SELECT_FAILED } };
    }
    case 'unavailable':
      return { status: 503, body: { error: outcome.message }, headers: RETRY_LATER };
    case 'failed': {
      const message = outcome.cure;
      const body = { error: outcome.message, integration, tool, ...named, ...(message && { message }) };
      return { status: 502, body };
    }
  }
}
