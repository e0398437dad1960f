// Names why a call did not succeed, in words of which there are few: callers and services choose the texts of errors.
// reference: Usage
import { ErrorCode, ErrorText } from '../../http/error-codes.ts';
import { DISK_FULL, FAILED_ITSELF, UNAVAILABLE } from '../../http/errors.ts';
import type { UsageRow } from '../../ports/usage.ts';

export const CAUSES = [
  'blocked',
  'asked',
  'denied',
  'expired',
  'not-connected',
  'account',
  'arguments',
  'sign-in',
  'not-found',
  'rate-limit',
  'request',
  'service',
  'unreachable',
  'timeout',
  'cancelled',
  'gateway',
  'unknown',
  'other',
] as const;
export type Cause = (typeof CAUSES)[number];

export type OutcomeClass = 'ok' | 'failed' | 'refused';

/** Returns an empty text for a call that succeeded. */
export function causeOf({
  success,
  outcome,
  error,
}: Pick<UsageRow, 'success' | 'outcome' | 'error'>): Cause | '' {
  switch (outcome) {
    case 'blocked':
    case 'asked':
    case 'denied':
    case 'expired':
    case 'unknown':
      return outcome;
    default:
      return success ? '' : causeOfText(error ?? '');
  }
}

const REFUSED: ReadonlySet<string> = new Set<Cause>(['blocked', 'asked', 'denied', 'expired']);

export function classOf(cause: string): OutcomeClass {
  if (cause === '') return 'ok';
  return REFUSED.has(cause) ? 'refused' : 'failed';
}

/** These calls ended before anything ran, so their duration says nothing about the service. */
const NEVER_RAN: ReadonlySet<string> = new Set<Cause>([
  'blocked',
  'asked',
  'denied',
  'expired',
  'not-connected',
  'account',
  'arguments',
]);

export const hasRun = (cause: string): boolean => !NEVER_RAN.has(cause);

const CODES: Readonly<Record<string, Cause>> = {
  [ErrorCode.NOT_CONNECTED]: 'not-connected',
  [ErrorCode.AUTH_REQUIRED]: 'not-connected',
  [ErrorCode.ACCOUNT_MISMATCH]: 'account',
  [ErrorCode.AMBIGUOUS_ACCOUNT]: 'account',
  [ErrorCode.UNKNOWN_ACCOUNT]: 'account',
  [ErrorCode.BLOCKED]: 'blocked',
  [ErrorCode.DENIED]: 'denied',
  [ErrorCode.APPROVAL_REQUIRED]: 'asked',
  [UNAVAILABLE]: 'gateway',
  [DISK_FULL]: 'gateway',
  [FAILED_ITSELF]: 'gateway',
  // These end raw requests.
  failed: 'unreachable',
  'caller-gone': 'cancelled',
};

/** `404: Not Found` of our own rows, and `answered with status 404` of other callers. */
const STATUS = /^(?:HTTP )?([1-5]\d\d)\b|\b(?:status|answered) ([1-5]\d\d)\b/;

const PATTERNS: readonly [RegExp, Cause][] = [
  [/cancell?ed by the caller/i, 'cancelled'],
  [/timed? ?out|did not answer (?:in time|within)|took longer than|no answer within/i, 'timeout'],
  [
    /could not be reached|cannot be reached|unreachable|ECONN|ENOTFOUND|closed the connection|not resolve/i,
    'unreachable',
  ],
];

const LIMITED = /rate.?limit|too many requests|quota exceeded|try again in/i;

function causeOfText(text: string): Cause {
  const code = CODES[text];
  if (code !== undefined) return code;
  if (text.startsWith(ErrorText.INVALID_ARGUMENTS)) return 'arguments';
  const [, first, second] = STATUS.exec(text) ?? [];
  const status = Number(first ?? second ?? 0);
  // GitHub and others say so with 403.
  if (status === 403 && LIMITED.test(text)) return 'rate-limit';
  if (status >= 400) return causeOfStatus(status);
  return PATTERNS.find(([pattern]) => pattern.test(text))?.[1] ?? 'other';
}

function causeOfStatus(status: number): Cause {
  switch (status) {
    case 401:
    case 403:
      return 'sign-in';
    case 404:
    case 410:
      return 'not-found';
    case 429:
      return 'rate-limit';
    default:
      return status >= 500 ? 'service' : 'request';
  }
}
