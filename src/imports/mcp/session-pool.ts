// Keeps sessions between calls, within limits: in all, for each person, and in time. decision: 044
import type { Clock } from '../../ports/clock.ts';
import { isProcess } from '../model/process-address.ts';
import { type CallScope, Cancelled } from './call-scope.ts';
import { Busy } from '../../ports/unavailable.ts';
import { pause } from './pause.ts';
import type { Session, SessionEvents } from './session.ts';

export interface SessionPool {
  /** Runs the work in the session of the call's key, which is opened if there is none. */
  use<T>(scope: CallScope, work: (session: Session) => Promise<T>): Promise<T>;
  /** Whether calls with this key share a session at this moment. */
  has(key: string): boolean;
  /** Forgets a session that can carry no further calls. */
  forget(session: Session): void;
  /** Ends the sessions whose key begins with the prefix. */
  end(prefix: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenSession = (scope: CallScope, events: SessionEvents) => Promise<Session>;

interface Entry {
  key: string;
  person: string;
  isProcess: boolean;
  opening: Promise<Session>;
  session: Session | null;
  ending: Promise<void> | undefined;
  calls: number;
  usedAt: number;
  isRetired: boolean;
  /** A process of it may have started. */
  hasRoom: boolean;
  /** The session is no longer kept for its person. */
  release: () => void;
  /** Resolves when nothing of the session is left, or when it could not be opened. */
  gone: PromiseWithResolvers<void>;
}

interface Needs {
  clock: Clock;
  open: OpenSession;
  onToolsChanged: (key: string) => void;
  hold: Hold;
  /** As many local processes run at most. */
  maxProcesses: number;
  /** Requests share data only, as on an edge runtime: each opens its own session, and none keeps a connection. */
  isIsolated: boolean;
}

/** Keeps something open for a person. The function is called when the person's access ends; what is returned lets go. */
export type Hold = (userId: string, onEnded: () => void) => () => void;

const MAX_SESSIONS = 1_000;
const MAX_PER_PERSON = 50;
/** Processes are few, so one person has only a part of them, also while they reconnect. */
const MAX_PROCESSES_PER_PERSON = 5;
const IDLE_MS = 300_000;
const IDLE_PROCESS_MS = 600_000;
const SWEEP_MS = 30_000;

/** Stands for the person in the key of a session that serves all people. */
export const EVERYBODY = '*';

const isEnding = ({ isRetired, calls }: Entry): boolean => isRetired && calls === 0;

export function createSessionPool({
  clock,
  open,
  hold,
  maxProcesses,
  onToolsChanged,
  isIsolated,
}: Needs): SessionPool {
  /** Ordered by use; the first entry was used least recently. */
  const entries = new Map<string, Entry>();
  /** Every process that has not ended, also of a session that left the pool during a call. */
  const processes = new Set<Entry>();
  let isSweeping = false;
  let isClosed = false;

  /** Takes the session out of the pool. It ends after its last call. */
  function retire(entry: Entry): void {
    if (entries.get(entry.key) === entry) entries.delete(entry.key);
    entry.isRetired = true;
    if (entry.calls === 0) void end(entry);
  }

  async function end(entry: Entry): Promise<void> {
    const { session } = entry;
    if (session === null) return;
    // The session tells while it ends that it is over, which must not end it a second time.
    entry.ending ??= Promise.resolve()
      .then(() => session.end())
      .finally(() => forgetProcess(entry));
    await entry.ending;
  }

  function forgetProcess(entry: Entry): void {
    processes.delete(entry);
    entry.release();
    entry.gone.resolve();
  }

  function sweep(): void {
    const now = clock.millis();
    for (const entry of entries.values()) {
      const idle = now - entry.usedAt;
      // Later entries were used later.
      if (idle < IDLE_MS) return;
      const limit = entry.session?.transport === 'stdio' ? IDLE_PROCESS_MS : IDLE_MS;
      if (entry.calls === 0 && idle >= limit) retire(entry);
    }
  }

  /** Sweeps while there is something to sweep. An isolated pool has no time between requests. */
  async function keepSweeping(): Promise<void> {
    if (isSweeping || isIsolated) return;
    isSweeping = true;
    while (entries.size > 0) {
      await pause(SWEEP_MS);
      sweep();
    }
    isSweeping = false;
  }

  function makeSpace(person: string): void {
    const own = [...entries.values()].filter((entry) => entry.person === person);
    if (person !== EVERYBODY && own.length >= MAX_PER_PERSON && own[0] !== undefined) retire(own[0]);
    const [oldest] = entries.values();
    if (entries.size >= MAX_SESSIONS && oldest !== undefined) retire(oldest);
  }

  /** The person has reconnected the account: nobody uses the session of its earlier connection again. */
  function retireEarlier(key: string, prefix: string): void {
    for (const entry of entries.values())
      if (entry.key !== key && entry.key.startsWith(prefix)) retire(entry);
  }

  const living = (): Entry[] => [...processes].filter((entry) => !isEnding(entry));

  /** Makes room among the processes that will go on. A process with a call is never ended for another. */
  function makeSpaceForProcess(person: string): void {
    const own = living().filter((entry) => entry.person === person);
    if (person !== EVERYBODY && own.length >= MAX_PROCESSES_PER_PERSON)
      retireIdle(
        (entry) => entry.person === person,
        `You use ${MAX_PROCESSES_PER_PERSON} local servers at this moment, which is as many as you may. Try again when one of their calls has ended`,
      );
    if (living().length >= maxProcesses)
      retireIdle(() => true, 'All local servers that may run are busy. Try again in a minute');
  }

  function retireIdle(may: (entry: Entry) => boolean, sentence: string): void {
    // The first one was used least recently.
    const idle = [...entries.values()].find((entry) => entry.isProcess && entry.calls === 0 && may(entry));
    if (idle === undefined) throw new Busy(sentence);
    retire(idle);
  }

  /** Returns when enough processes have ended, so that there are never more than the limit. */
  async function waitForRoom(entry: Entry, ending: readonly Entry[]): Promise<void> {
    await Promise.all(ending.map(({ gone }) => gone.promise));
    for (;;) {
      const others = [...processes].filter(({ hasRoom }) => hasRoom);
      if (others.length < maxProcesses) break;
      const leaving = others.filter(isEnding).map(({ gone }) => gone.promise);
      if (leaving.length === 0)
        throw new Busy('All local servers that may run are busy. Try again in a minute');
      await Promise.race(leaving);
    }
    entry.hasRoom = true;
  }

  function begin(scope: CallScope): Entry {
    const { key } = scope;
    const { address, isPassing = false } = scope.reached;
    // `<importId> <userId> <account> <grant>`
    const [importId = '', person = '', account = ''] = key.split(' ', 3);
    const isLocal = isProcess(address);
    retireEarlier(key, `${importId} ${person} ${account} `);
    if (isLocal) makeSpaceForProcess(person);
    makeSpace(person);
    const ending = [...processes].filter(
      (each) => each.person === person && person !== EVERYBODY && isEnding(each),
    );
    const entry: Entry = {
      key,
      person,
      isProcess: isLocal,
      opening: Promise.resolve().then(async () => {
        if (isLocal) await scope.wait(waitForRoom(entry, ending));
        return open(scope, {
          // Some servers say so at each start.
          onToolsChanged: () => void (isPassing || onToolsChanged(key)),
          onOver: () => retire(entry),
        });
      }),
      session: null,
      ending: undefined,
      calls: 0,
      usedAt: clock.millis(),
      isRetired: false,
      hasRoom: false,
      release: () => {},
      gone: Promise.withResolvers(),
    };
    // Its calls are not waited for: they have ended too. Nobody's access ends what everybody uses.
    if (person !== EVERYBODY)
      entry.release = hold(person, () => {
        retire(entry);
        end(entry).catch(() => {});
      });
    if (isLocal) processes.add(entry);
    entry.opening.then(
      (session) => {
        entry.session = session;
        // It was ended while it was opened.
        if (entry.isRetired && entry.calls === 0) void end(entry);
      },
      () => {
        forgetProcess(entry);
        retire(entry);
      },
    );
    entries.set(key, entry);
    void keepSweeping();
    return entry;
  }

  async function find(scope: CallScope): Promise<{ entry: Entry; session: Session }> {
    const { key } = scope;
    for (;;) {
      const known = entries.get(key);
      const isOwn = known === undefined || (isIsolated && known.session === null);
      const entry = isOwn ? begin(scope) : known;
      entries.delete(key);
      entries.set(key, entry);
      entry.calls++;
      try {
        return { entry, session: await scope.wait(entry.opening) };
      } catch (error) {
        leave(entry);
        // Another call began to open the session and was cancelled, so this one opens it itself.
        if (isOwn || scope.signal.aborted || !(error instanceof Cancelled)) throw error;
      }
    }
  }

  function leave(entry: Entry): void {
    entry.calls--;
    entry.usedAt = clock.millis();
    const isReplaced = entries.get(entry.key) !== entry;
    const isForOneCall = isIsolated && entry.session?.transport !== 'streamable-http';
    if (isReplaced || isForOneCall) return retire(entry);
    // Moves to the end of the order.
    entries.delete(entry.key);
    entries.set(entry.key, entry);
  }

  return {
    async use(scope, work) {
      if (isClosed) throw new Busy('The gateway is stopping. Try again in a minute');
      sweep();
      const { entry, session } = await find(scope);
      try {
        return await work(session);
      } finally {
        leave(entry);
      }
    },

    has: (key) => entries.has(key),

    forget(session) {
      for (const entry of entries.values()) if (entry.session === session) retire(entry);
    },

    async end(prefix) {
      const ended = [...entries.values()].filter(({ key }) => key.startsWith(prefix));
      for (const entry of ended) retire(entry);
      // Their calls are not waited for: somebody has disconnected, or the gateway stops.
      await Promise.allSettled(ended.map(end));
    },

    async close() {
      isClosed = true;
      await this.end('');
    },
  };
}
