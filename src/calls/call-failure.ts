// Turns the error that ended the call of a tool into what the caller reads, and logs it as loud as it deserves.
// reference: Execution rules
import { howToReconnect } from '../connections/model/connected.ts';
import { ErrorCode } from '../http/error-codes.ts';
import { describe, FAILED_ITSELF, unavailableText } from '../http/errors.ts';
import { SelectError } from '../json/select.ts';
import { truncate } from '../json/truncate.ts';
import type { Integration, KnownCaller } from '../kit/integration.ts';
import { UpstreamError } from '../kit/payload.ts';
import { DriverFailure } from '../ports/driver-failure.ts';
import type { LogLevel } from '../ports/log.ts';
import type { Ports } from '../ports/ports.ts';
import { Busy, Unavailable } from '../ports/unavailable.ts';
import type { Names, ToolEnding } from './outcome.ts';

/** What the call was doing when the error came. */
interface Interrupted {
  integration: Integration;
  names: Names;
  /** Aborts what the call does. */
  ends: AbortSignal | undefined;
  /** A request that changes something was perhaps sent. */
  mayHaveRun: boolean;
  /** The provider no longer accepts the credential. */
  isRefused: boolean;
}

export type ExplainFailure = (caller: KnownCaller, error: unknown, interrupted: Interrupted) => ToolEnding;

export function createExplainFailure({ config, log }: Pick<Ports, 'config' | 'log'>): ExplainFailure {
  return function explainFailure(caller, error, { integration, names, ends, mayHaveRun, isRefused }) {
    const { actor, requestId, userId: user, ended } = caller;
    if (ended?.aborted === true) {
      log.write('info', 'tool ended with the access of its person', { requestId, ...names });
      return { kind: 'access-ended', mayHaveRun };
    }
    if (error instanceof SelectError) return { kind: 'invalid-arguments', message: error.message };
    const { level, ...failure } = ends?.aborted === true ? CANCELLED : failureOf(error);
    log.write(level, 'tool failed', { requestId, user, ...names, ...describe(error) });
    const cure = isRefused ? howToReconnect(integration, config, actor) : undefined;
    if (failure.kind !== 'failed') return failure;
    const sent = error instanceof UpstreamError ? { body: error.payload } : {};
    return { kind: 'failed', message: failure.message, ...sent, ...(cure === undefined ? {} : { cure }) };
  };
}

interface CallFailure {
  kind: 'unavailable' | 'failed';
  message: string;
  level: LogLevel;
}

export const CALLER_GONE = 'Cancelled by the caller';
const CANCELLED: CallFailure = { kind: 'failed', message: CALLER_GONE, level: 'info' };

/** Keeps the texts of drivers out of the answer: only the log may have them. */
function failureOf(error: unknown): CallFailure {
  if (error instanceof Busy) return { kind: 'unavailable', message: error.message, level: 'warn' };
  if (error instanceof Unavailable)
    return { kind: 'unavailable', message: unavailableText(error), level: 'error' };
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
