// Bounds one call or one listing in time, and ends it as soon as its outcome is known.
import type { Clock } from '../../ports/clock.ts';
import type { Reached, SendUpstream } from './client.ts';

export interface CallScope {
  readonly reached: Reached;
  /** The server in sentences for people. */
  readonly host: string;
  /** Aborts when the caller cancels and when the time is over. */
  readonly signal: AbortSignal;
  readonly send: SendUpstream;
  /** The milliseconds that are left, at least one. */
  timeLeft: () => number;
  /** Ends the call with this failure, even if the library still waits. Only the first failure counts. */
  fail: (error: Error) => void;
  /** Waits for the work, for a failure, and no longer than the call may take. */
  wait: <T>(work: Promise<T>) => Promise<T>;
  /** A scope for a second attempt, with the time that is left. A scope that has failed stays so. */
  again: () => CallScope;
}

/** The time of a call is over. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export function openScope(
  clock: Clock,
  reached: Reached,
  limitMs: number,
  started = clock.millis(),
): CallScope {
  const host = nameServer(reached.address);
  const timeLeft = () => Math.max(1, Math.ceil(limitMs - (clock.millis() - started)));
  const timeout = AbortSignal.timeout(timeLeft());
  const signal = reached.signal === undefined ? timeout : AbortSignal.any([reached.signal, timeout]);
  const failed = Promise.withResolvers<never>();
  // Nobody may be waiting when the call fails.
  failed.promise.catch(() => {});
  const stop = () =>
    failed.reject(
      timeout.aborted
        ? new TimeOver(`${host} did not finish within ${limitMs / 1000} seconds`)
        : new Cancelled('Cancelled by the caller'),
    );
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  return {
    reached,
    host,
    signal,
    send: reached.send,
    timeLeft,
    fail: (error) => failed.reject(error),
    wait: (work) => Promise.race([failed.promise, work]),
    again: () => openScope(clock, reached, limitMs, started),
  };
}

/** Returns the host of an address, or the name of a local server. */
function nameServer(address: string): string {
  if (address.startsWith('stdio:')) return `The local server ${address.slice('stdio:'.length)}`;
  return URL.parse(address)?.host ?? 'The server';
}
