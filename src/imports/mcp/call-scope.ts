// Bounds one call or one listing in time, and ends it as soon as its outcome is known.
import type { Clock } from '../../ports/clock.ts';
import { pause } from './pause.ts';
import { isProcess, nameOfProcess } from '../model/process-address.ts';
import type { Reached, SendUpstream } from '../model/reach.ts';

export interface CallScope {
  readonly reached: Reached;
  /** Names the session of the call. */
  readonly key: string;
  /** The server in sentences for people. */
  readonly host: string;
  /** Aborts when the caller cancels and when the call has failed. */
  readonly signal: AbortSignal;
  readonly send: SendUpstream;
  /** The milliseconds that are left, at least one. Every request of the call takes them as its limit. */
  timeLeft: () => number;
  /** Ends the call with this failure, even if the library still waits. Only the first failure counts. */
  fail: (error: Error) => void;
  /** Notes in words what the server does although it should not. The sentence begins with the host. */
  note: (what: string) => void;
  /** What was noted, without the same twice. */
  readonly notes: ReadonlySet<string>;
  /** The server has told progress, so the time without an answer begins again. */
  extend: () => void;
  /** There is a session. A program that had to begin has used none of the time of the call. */
  begin: () => void;
  /** Waits for the work or for a failure. */
  wait: <T>(work: Promise<T>) => Promise<T>;
  /** The call is over. */
  close: () => void;
}

/** The time of a call is over. */
export class TimeOver extends Error {
  override readonly name = 'TimeOver';
}

export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

export interface ScopeLimits {
  /** How long the call may be without an answer and without progress. */
  silentMs: number;
  /** How long a call with progress may take in all. */
  mostMs: number;
  /** How much longer it may take until there is a session, where a program has to begin first. */
  startingMs?: number;
}

export function openScope(
  clock: Clock,
  reached: Reached,
  { silentMs, mostMs, startingMs = 0 }: ScopeLimits,
  key = reached.key,
): CallScope {
  let started = clock.millis();
  let waitsFor = startingMs;
  const hearsProgress = reached.onProgress !== undefined;
  const limitMs = hearsProgress ? mostMs : silentMs;
  let silentSince = started;
  let isOver = false;
  const controller = new AbortController();
  const failed = Promise.withResolvers<never>();
  // Nobody may be waiting when the call fails.
  failed.promise.catch(() => {});
  const fail = (error: Error): void => {
    failed.reject(error);
    controller.abort(error);
  };
  const cancel = (): void => fail(new Cancelled('Cancelled by the caller'));
  if (reached.signal?.aborted === true) cancel();
  else reached.signal?.addEventListener('abort', cancel);

  const host = nameServer(reached.address);

  /** Only a call that hears of progress may take longer than its silence. */
  async function watchSilence(): Promise<void> {
    for (;;) {
      const left = silentSince + silentMs + waitsFor - clock.millis();
      if (isOver) return;
      if (left <= 0)
        return fail(
          new TimeOver(`${host} did not answer within ${silentMs / 1_000} seconds. The call may have run`),
        );
      await pause(left);
    }
  }
  if (hearsProgress) void watchSilence();

  const notes = new Set<string>();
  return {
    reached,
    key,
    note: (what) => void notes.add(what),
    notes,
    host,
    signal: controller.signal,
    send: reached.send,
    timeLeft: () => Math.max(1, Math.ceil(limitMs + waitsFor - (clock.millis() - started))),
    fail,
    extend: () => void (silentSince = clock.millis()),
    begin() {
      if (waitsFor === 0) return;
      waitsFor = 0;
      started = clock.millis();
      silentSince = started;
    },
    wait: (work) => Promise.race([failed.promise, work]),
    close() {
      isOver = true;
      reached.signal?.removeEventListener('abort', cancel);
    },
  };
}

/** Returns the host of an address, or the name of a local server. */
function nameServer(address: string): string {
  if (isProcess(address)) return `The local server ${nameOfProcess(address)}`;
  return URL.parse(address)?.host ?? 'The server';
}
