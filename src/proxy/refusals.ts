// Makes the answers of the proxy to calls that do not run. reference: Curl proxy
import type { NoAccount } from '../connections/accounts.ts';
import { codeOfChoice, howToChoose } from '../connections/connected.ts';
import { ErrorCode } from '../http/error-codes.ts';
import type { Access } from '../kit/access.ts';
import type { Identity } from '../kit/actor.ts';
import type { Integration } from '../kit/integration.ts';
import type { TooManyCalls } from '../memory/per-person.ts';
import type { AccountOwner, AuditOutcome } from '../ports/records.ts';
import type { ApprovalLink } from '../policy/approvals.ts';

export interface Refused {
  kind: 'refused';
  status: 400 | 401 | 403 | 409 | 429 | 502;
  body: { error: string; [detail: string]: unknown };
  headers?: Record<string, string>;
  /** Set where the caller and the integration are known, except beyond a limit. Such a refusal leaves an audit row. */
  recorded?: Recorded;
  /** The person of a valid token. */
  userId?: string;
}

/** What the audit row of a refusal says. */
export interface Recorded extends Caller {
  outcome: AuditOutcome;
  error: string;
  /** The id of the approval that the call needs. */
  approval?: string | undefined;
}

/** Names the caller of a call that was not run, and what it was meant for. */
export interface Caller extends Identity {
  integration: Integration;
  /** The label of the account, where the person has several. */
  account?: string | undefined;
  /** What the call could do at most, where that is known. */
  access?: Access | undefined;
  /** The owner of the account, if it is not the caller. */
  owner?: AccountOwner | undefined;
}

/** Says who did not let the call run. */
export interface Decided extends Caller {
  outcome: keyof typeof CODES;
  /** The id of the approval that the call needs. */
  approval?: string | undefined;
}

const CODES = {
  asked: ErrorCode.APPROVAL_REQUIRED,
  blocked: ErrorCode.BLOCKED,
  denied: ErrorCode.DENIED,
} as const;

export function refuse(status: Refused['status'], error: string): Refused {
  return { kind: 'refused', status, body: { error } };
}

/** Leaves an audit row. */
export function refuseKnown(
  status: Refused['status'],
  error: string,
  caller: Caller,
  outcome: AuditOutcome = 'error',
): Refused {
  return { ...refuse(status, error), recorded: { ...caller, outcome, error } };
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
  const error = CODES[decided.outcome];
  const body = { error, integration: decided.integration.name, message, ...namedAccount(decided) };
  return {
    kind: 'refused',
    status: 403,
    body: approval === undefined ? body : { ...body, approval },
    recorded: { ...decided, error },
  };
}

/** Leaves an audit row, as the same refusal of a tool does. */
export function refuseNotConnected(caller: Caller, message: string): Refused {
  const error = ErrorCode.NOT_CONNECTED;
  return {
    kind: 'refused',
    status: 409,
    body: { error, integration: caller.integration.name, message, ...namedAccount(caller) },
    recorded: { ...caller, outcome: 'error', error },
  };
}

/** Leaves an audit row, as the same refusal of a tool does. */
export function refuseChoice(caller: Caller, none: NoAccount): Refused {
  const { integration } = caller;
  const error = codeOfChoice(none);
  const message = howToChoose(integration, none);
  return {
    kind: 'refused',
    status: 409,
    body: { error, integration: integration.name, message, accounts: none.labels },
    recorded: { ...caller, outcome: 'error', error },
  };
}

/** Nothing is named for a person with one account. */
const namedAccount = ({ account }: Pick<Caller, 'account'>): { account?: string } =>
  account === undefined ? {} : { account };
