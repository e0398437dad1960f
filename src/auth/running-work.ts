// Knows what runs for each person in this process, and ends it when the person's access ends. reference: People; decision: 018
import { ENDINGS_CLOCK_SECONDS, ENDINGS_FRESH_MS, ENDINGS_WATCH_MS } from './limits.ts';
import { ACCESS_ENDED, describe } from '../http/errors.ts';
import type { Ending } from '../ports/people.ts';
import type { Ports } from '../ports/ports.ts';
import type { Endings } from './endings.ts';

export interface Work {
  /** Aborts when the person's access ends. */
  readonly ended: AbortSignal;
  /** Returns a signal that aborts then, and also when the caller cancels. To be called once. */
  until(cancelled: AbortSignal): AbortSignal;
  /** The work is over. It may be called again. */
  end(): void;
}

export interface RunningWork {
  /** Registers work that runs until `end`. */
  begin(userId: string): Work;
  /** The same without a signal, which takes longer to make than the entry. Returns what says that the work is over. */
  follow: (userId: string, onEnded: () => void) => () => void;
  /** Registers what is kept open for later work. Returns what takes it out again. */
  hold: (userId: string, onEnded: () => void) => () => void;
  /** This process has ended the person's access. */
  stop(userId: string, ending: Ending): void;
  /** How much runs or is held for a person. */
  count(userId: string): number;
  /** Looks at the list once, also for what is only held. */
  check(): Promise<void>;
}

interface Entry {
  stop: () => void;
  /** When the work began, in Unix seconds. */
  since: number;
  /** How many times the list had been looked at. */
  looks: number;
  isHeld: boolean;
  isOver: boolean;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log'> & {
  endings: Pick<Endings, 'list'>;
  /** True where a timer lives no longer than the request that made it, as on an edge runtime. */
  isIsolated?: boolean;
};

/** A call costs an entry in a Map: the list is read in the background, and only while something runs. */
export function createRunningWork({ clock, digest, endings, log, isIsolated = false }: Needs): RunningWork {
  const people = new Map<string, Set<Entry>>();
  let running = 0;
  let isWatching = false;
  let looks = 0;
  /** The list of the last look. Work that an entry of it should end was ended then. */
  let seen: ReadonlyMap<string, number> = new Map();
  let hasFailed = false;

  function add(userId: string, stop: () => void, isHeld: boolean): Entry {
    const entry = { stop, since: clock.now(), looks, isHeld, isOver: false };
    const entries = people.get(userId);
    if (entries === undefined) people.set(userId, new Set([entry]));
    else entries.add(entry);
    if (isHeld) return entry;
    running++;
    if (isIsolated) void watch(() => !entry.isOver);
    else if (!isWatching) void watchAll();
    return entry;
  }

  function remove(userId: string, entry: Entry): void {
    if (entry.isOver) return;
    entry.isOver = true;
    if (!entry.isHeld) running--;
    const entries = people.get(userId);
    entries?.delete(entry);
    if (entries?.size === 0) people.delete(userId);
  }

  async function watchAll(): Promise<void> {
    isWatching = true;
    await watch(() => running > 0);
    isWatching = false;
  }

  async function watch(isNeeded: () => boolean): Promise<void> {
    while (isNeeded()) {
      await pause(ENDINGS_WATCH_MS);
      if (isNeeded()) await look();
    }
  }

  async function look(): Promise<void> {
    const current = looks++;
    try {
      const list = await endings.list(ENDINGS_FRESH_MS / 2);
      const former = seen;
      seen = list;
      hasFailed = false;
      if (list.size === 0) return;
      for (const [userId, entries] of people) {
        const person = digest.sha256(userId);
        const before = list.get(person);
        if (before === undefined) continue;
        const isNews = former.get(person) !== before;
        for (const entry of entries) {
          // Work that was let in just before the ending may begin just after it. The process that ended the access may have
          // another clock.
          const isLetIn = entry.looks >= current;
          const isAfter = entry.since > before + (isNews ? ENDINGS_CLOCK_SECONDS : 0);
          if (isLetIn ? !isAfter : isNews) entry.stop();
        }
      }
    } catch (error) {
      // On an edge runtime the request may have ended meanwhile. Then nobody needs the list.
      if (!hasFailed && people.size > 0)
        log.write('error', 'the list of endings could not be read', describe(error));
      hasFailed = true;
    }
  }

  return {
    begin(userId) {
      const ended = new AbortController();
      let either: AbortController | undefined;
      let leave: (() => void) | undefined;
      const entry = add(userId, stop, false);
      function stop(): void {
        const reason = new AccessEnded();
        ended.abort(reason);
        either?.abort(reason);
      }
      return {
        ended: ended.signal,
        // Every call over REST has such a signal, so it listens to one signal and not to two.
        until(cancelled) {
          const joined = (either = new AbortController());
          const cancel = () => joined.abort(cancelled.reason);
          if (ended.signal.aborted) joined.abort(ended.signal.reason);
          else if (cancelled.aborted) cancel();
          else {
            cancelled.addEventListener('abort', cancel);
            leave = () => cancelled.removeEventListener('abort', cancel);
          }
          return joined.signal;
        },
        end() {
          leave?.();
          remove(userId, entry);
        },
      };
    },

    follow(userId, onEnded) {
      const entry = add(userId, onEnded, false);
      return () => remove(userId, entry);
    },

    hold(userId, onEnded) {
      const entry = add(userId, onEnded, true);
      return () => remove(userId, entry);
    },

    stop(userId, { person, before }) {
      seen = new Map(seen).set(person, before);
      for (const entry of people.get(userId) ?? []) entry.stop();
    },

    count: (userId) => people.get(userId)?.size ?? 0,

    async check() {
      if (people.size > 0) await look();
    },
  };
}

/** Why a signal of a person's work has aborted. */
class AccessEnded extends Error {
  override readonly name = 'AccessEnded';
  constructor() {
    super(ACCESS_ENDED);
  }
}

/** Waits in real time and keeps no process alive. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    AbortSignal.timeout(milliseconds).addEventListener('abort', () => resolve(), { once: true });
  });
}
