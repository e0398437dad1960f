// Turns the error that ended a call into what the caller reads and how loud the log is. reference: Execution rules
import { ErrorCode } from '../http/error-codes.ts';
import { FAILED_ITSELF, UNAVAILABLE } from '../http/errors.ts';
import { truncate } from '../json/truncate.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { LogLevel } from '../ports/log.ts';
import { Unavailable } from '../ports/unavailable.ts';

interface CallFailure {
  kind: 'unavailable' | 'failed';
  message: string;
  level: LogLevel;
}

export const CALLER_GONE = 'Cancelled by the caller';
export const CANCELLED: CallFailure = { kind: 'failed', message: CALLER_GONE, level: 'info' };

/** Keeps the texts of drivers out of the answer: only the log may have them. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof Unavailable) return { kind: 'unavailable', message: UNAVAILABLE, level: 'error' };
  if (error instanceof DriverFailure) return { kind: 'failed', message: FAILED_ITSELF, level: 'error' };
  return { kind: 'failed', message: errorText(error), level: 'warn' };
}

export function errorText(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return 'The tool failed without a message';
  // A service must not pass its own text off as a code of the gateway.
  return Object.hasOwn(ErrorCode, error.message)
    ? `The tool failed: ${error.message}`
    : truncate(error.message);
}
