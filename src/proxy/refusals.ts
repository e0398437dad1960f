// Makes the answers of the proxy to calls that do not run. reference: Curl proxy
import { ErrorCode } from '../http/error-codes.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { TooManyCalls } from '../memory/per-person.ts';
import type { ApprovalLink } from '../policy/approvals.ts';

export interface Refused {
  kind: 'refused';
  status: 400 | 401 | 403 | 409 | 429 | 502;
  body: { error: string; [detail: string]: unknown };
  headers?: Record<string, string>;
  /** Set where the rules or a person decided. Such a refusal leaves an audit row. */
  decided?: Decided;
}

/** Names the caller of a call that was not run, and who did not let it run. */
export interface Decided extends Identity {
  integration: Integration;
  /** The label of the account, where the person has several. */
  account?: string | undefined;
  outcome: keyof typeof CODES;
}

const CODES = {
  asked: ErrorCode.APPROVAL_REQUIRED,
  blocked: ErrorCode.BLOCKED,
  denied: ErrorCode.DENIED,
} as const;

export const codeOf = ({ outcome }: Decided): string => CODES[outcome];

export function refuse(status: Refused['status'], error: string): Refused {
  return { kind: 'refused', status, body: { error } };
}

export function refuseTooMany({ name }: Integration, { message, retryAfterSeconds }: TooManyCalls): Refused {
  return {
    kind: 'refused',
    status: 429,
    body: { error: ErrorCode.TOO_MANY_CALLS, integration: name, message },
    headers: { 'Retry-After': String(retryAfterSeconds) },
  };
}

/** `approval` says where a person can decide about a call that was asked. */
export function refuseDecided(decided: Decided, message: string, approval?: ApprovalLink): Refused {
  const body = { error: codeOf(decided), integration: decided.integration.name, message };
  return {
    kind: 'refused',
    status: 403,
    body: approval === undefined ? body : { ...body, approval },
    decided,
  };
}
