// Answers a raw request that was not relayed. reference: Curl proxy
import { ErrorCode } from '../http/error-codes.ts';
import type { Names, Refusal, RequestEnding } from '../calls/outcome.ts';

export interface RawAnswer {
  status: 400 | 401 | 403 | 404 | 409 | 429 | 502;
  body: { error: string; [detail: string]: unknown };
  headers?: Record<string, string>;
}

export const answerPlainly = (status: RawAnswer['status'], error: string): RawAnswer => ({
  status,
  body: { error },
});

/** Returns null where the caller has its answer, or has left. */
export function answerTo(outcome: (RequestEnding | Refusal) & Names): RawAnswer | null {
  const { integration, account } = outcome;
  // Nothing is named for a person with one account.
  const named = account === undefined ? {} : { account };
  switch (outcome.kind) {
    case 'too-many':
      return {
        status: 429,
        body: { error: ErrorCode.TOO_MANY_CALLS, integration, message: outcome.message },
        headers: { 'Retry-After': String(outcome.retryAfterSeconds) },
      };
    case 'blocked':
      return {
        status: 403,
        body: { error: ErrorCode.BLOCKED, integration, message: outcome.message, ...named },
      };
    case 'denied':
      return {
        status: 403,
        body: { error: ErrorCode.DENIED, integration, message: outcome.message, ...named },
      };
    case 'asked': {
      const { message, approval } = outcome;
      const error = ErrorCode.APPROVAL_REQUIRED;
      return { status: 403, body: { error, integration, message, ...named, approval } };
    }
    case 'not-connected': {
      const error = ErrorCode.NOT_CONNECTED;
      return { status: 409, body: { error, integration, message: outcome.message, ...named } };
    }
    case 'no-account': {
      const { error, message, accounts } = outcome;
      return { status: 409, body: { error, integration, message, accounts } };
    }
    case 'not-lent':
      return answerPlainly(outcome.status, outcome.message);
    case 'no-way':
      return answerPlainly(502, outcome.message);
    case 'withheld': {
      const { status, what } = outcome;
      const message = `${integration} has taken this request and answered with status ${status}. A rule takes secrets or personal data out of its answers, and ${what} cannot be checked, so this answer is held back. Use a tool of ${integration}, or ask for JSON or text.`;
      return { status: 403, body: { error: ErrorCode.BLOCKED, integration, message, ...named } };
    }
    case 'unanswered':
      return answerPlainly(502, `upstream request failed: ${outcome.reason}`);
    case 'relayed':
    case 'caller-gone':
    case 'access-ended':
    case 'cut-off':
      return null;
    case 'broken':
      throw outcome.error;
  }
}
