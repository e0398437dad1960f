// Runs what is due: each poller in one process at a time, its cursor moved together with its events. reference: Watches; Schedules
import type { InFlight } from '../calls/in-flight.ts';
import type { Seal } from '../crypto/seal.ts';
import { describe } from '../http/errors.ts';
import { createSemaphore } from '../memory/semaphore.ts';
import type { EventDraft, EventPoller, EventSubscription } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { type Kept, openKept, placeOfCursor } from './kept.ts';
import {
  LEASE_SECONDS,
  MAX_BACK_OFF_SECONDS,
  MIN_EVERY_SECONDS,
  ROUND_SECONDS,
  RUNS_A_ROUND,
  RUNS_AT_ONCE,
} from './limits.ts';
import type { HookSubscriptions } from './hook-subscriptions.ts';
import { readSchedule, ScheduleArguments } from './scheduling.ts';
import type { StandingCaller } from './standing-caller.ts';
import { SeenShape, type Watch, WatchArguments } from './watching.ts';
import { type EventWriter, MOST_EVENTS } from './writer.ts';

export interface EventRuns {
  /** Runs what is due, and sets timers for what is due before the next round. */
  round(): Promise<void>;
  /** Runs a poller if it is due and no process holds it. It never rejects. */
  run(id: string): Promise<void>;
  /** A person has decided about a call: a webhook may wait for it. */
  decided(userId: string): Promise<void>;
  /** Runs it at its time, if that is before the next round. */
  expect(poller: Pick<EventPoller, 'subscription_id' | 'next_run'>): void;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & {
  eventWriter: EventWriter;
  executions: InFlight;
  hookSubscriptions: Pick<HookSubscriptions, 'goOn'>;
  isIsolated?: boolean;
  seal: Seal;
  standingCaller: StandingCaller;
  watchTool: Watch;
};

interface Ran {
  drafts: readonly EventDraft[];
  next_run: number;
  failures: number;
  error: string | null;
  cursor: string | null;
}

const ENDED = 'The key, client or person that subscribed has lost its access. Subscribe again';
const MAX_ERROR = 500;
/** A timer of Node may come a millisecond early, when nothing is due yet. */
const TIMER_MARGIN_MS = 20;

export function createEventRuns(deps: Needs): EventRuns {
  const {
    clock,
    eventWriter,
    executions,
    hookSubscriptions,
    isIsolated = false,
    log,
    random,
    seal,
    standingCaller,
    store,
    watchTool: watch,
  } = deps;
  const inTurn = createSemaphore(RUNS_AT_ONCE);
  const timers = new Set<string>();

  /** The times follow from the first run: neither slow runs nor late timers add up. */
  function nextRun(due: number, every: number, now: number): number {
    // The timer of a Worker comes a second early or late. A run that is due at the very second would wait a round more.
    if (isIsolated) return now + every - ROUND_SECONDS / 2;
    return due + every * Math.max(1, Math.floor((now - due) / every) + 1);
  }

  /** Null when nothing will come any more. */
  async function runWatch(
    row: EventSubscription,
    kept: Kept,
    poller: EventPoller,
  ): Promise<Ran | { over: string }> {
    const wanted = WatchArguments.parse(kept.args);
    const caller = await standingCaller(row.user_id, kept.actor, row.created_at);
    if (caller === null) return { over: ENDED };
    const place = placeOfCursor(row);
    const text = poller.cursor === null ? null : await seal.open(poller.cursor, place);
    const before = text === null ? null : (SeenShape.safeParse(JSON.parse(text)).data ?? null);
    const watched = await watch(caller, wanted, row.account, before);
    const now = clock.now();
    if (watched.kind === 'over') return { over: watched.message };
    if (watched.kind === 'failed') {
      const failures = poller.failures + 1;
      const wait = Math.min(
        wanted.every * 2 ** Math.min(failures - 1, 10),
        Math.max(MAX_BACK_OFF_SECONDS, wanted.every),
      );
      const error = watched.message.slice(0, MAX_ERROR);
      return { drafts: [], next_run: now + wait, failures, error, cursor: poller.cursor };
    }
    const drafts = await Promise.all(
      watched.events.map(({ id, kind, item }) =>
        // The run that came before is part of the name: an item may change back to what it was.
        eventWriter.draft(
          row,
          `${poller.run ?? ''} ${id}`,
          { type: kind, at: now },
          JSON.stringify({ id, item }),
        ),
      ),
    );
    const cursor = await seal.seal(JSON.stringify(watched.seen), place);
    const next_run = nextRun(poller.next_run, wanted.every, now);
    return { drafts, next_run, failures: 0, error: null, cursor };
  }

  async function runSchedule(
    row: EventSubscription,
    kept: Kept,
    poller: EventPoller,
  ): Promise<Ran | { over: string }> {
    const wanted = ScheduleArguments.parse(kept.args);
    if ((await standingCaller(row.user_id, kept.actor, row.created_at)) === null) return { over: ENDED };
    const schedule = await readSchedule(wanted);
    const now = clock.now();
    const { count, last } = schedule.between(poller.next_run, now);
    const next = schedule.after(Math.max(now, last));
    if (next === null) log.write('info', 'a schedule has no further time', { user: row.user_id });
    const { cron, timeZone, text } = wanted;
    const payload = {
      scheduledFor: last,
      missed: count - 1,
      cron,
      timeZone,
      ...(text === undefined ? {} : { text }),
    };
    const draft = await eventWriter.draft(
      row,
      `at ${last}`,
      { type: 'schedule.due', at: now },
      JSON.stringify(payload),
    );
    return {
      drafts: [draft],
      next_run: next ?? Number.MAX_SAFE_INTEGER,
      failures: 0,
      error: null,
      cursor: null,
    };
  }

  async function runAsked(row: EventSubscription, kept: Kept): Promise<Ran | { over: string }> {
    const asked = await hookSubscriptions.goOn(row, kept);
    if (typeof asked === 'object') return asked;
    // Each round looks at it until somebody has decided.
    const next_run = asked === 'open' ? clock.now() : Number.MAX_SAFE_INTEGER;
    return { drafts: [], next_run, failures: 0, error: null, cursor: null };
  }

  function runOne(row: EventSubscription, kept: Kept, poller: EventPoller): Promise<Ran | { over: string }> {
    switch (row.kind) {
      case 'watch':
        return runWatch(row, kept, poller);
      case 'schedule':
        return runSchedule(row, kept, poller);
      case 'webhook':
        return runAsked(row, kept);
    }
  }

  async function runClaimed(poller: EventPoller, holder: string): Promise<void> {
    const { subscription_id: id, user_id } = poller;
    const row = await store.events.get(user_id, id);
    const kept = row === null ? null : await openKept(seal, row);
    if (row === null || row.ended !== null) return store.events.end(id, 'It was removed');
    if (kept === null) return store.events.end(id, 'What is stored of it cannot be opened. Subscribe again');
    const ran = await runOne(row, kept, poller);
    if ('over' in ran) return store.events.end(id, ran.over);
    const { drafts, ...end } = ran;
    const stored = await store.events.finish(
      { subscription_id: id, user_id, holder, last_run: clock.now(), ...end },
      drafts,
      MOST_EVENTS,
    );
    if (stored !== null) eventWriter.tell(drafts, stored);
    if (row.kind !== 'webhook') expect({ subscription_id: id, next_run: end.next_run });
  }

  async function run(id: string): Promise<void> {
    // A gateway that stops waits for what runs.
    executions.begin();
    try {
      await inTurn(async () => {
        const holder = random.uuid();
        const now = clock.now();
        const poller = await store.events.claim(id, holder, now, now + LEASE_SECONDS);
        if (poller !== null) await runClaimed(poller, holder);
      });
    } catch (error) {
      // The lease ends, and another round runs it again.
      log.write('error', 'a subscription was not run', { subscription: id, ...describe(error) });
    } finally {
      executions.end();
    }
  }

  function expect({
    subscription_id: id,
    next_run,
  }: Pick<EventPoller, 'subscription_id' | 'next_run'>): void {
    const wait = next_run - clock.now();
    // A Worker has no time between requests.
    if (isIsolated || wait > ROUND_SECONDS || timers.has(id)) return;
    timers.add(id);
    clock.later(Math.max(0, wait) * 1000 + TIMER_MARGIN_MS, () => {
      timers.delete(id);
      void run(id);
    });
  }

  async function runDue(): Promise<void> {
    const now = clock.now();
    const pollers = await store.events.due(isIsolated ? now : now + MIN_EVERY_SECONDS, now, RUNS_A_ROUND);
    const due = pollers.filter(({ next_run }) => next_run <= now);
    for (const poller of pollers) if (poller.next_run > now) expect(poller);
    await Promise.all(due.map(({ subscription_id: id }) => run(id)));
  }

  return {
    run,
    async decided(userId) {
      // At the edge a query that begins after the request would open a connection that no other request can use.
      executions.begin();
      try {
        const hooks = new Set(
          (await store.events.list(userId)).flatMap(({ id, kind }) => (kind === 'webhook' ? [id] : [])),
        );
        const asked = (await store.events.pollers(userId)).filter(
          ({ subscription_id: id, next_run }) => hooks.has(id) && next_run <= clock.now(),
        );
        await Promise.all(asked.map(({ subscription_id: id }) => run(id)));
      } catch (error) {
        log.write('error', 'what waits for a yes was not found', describe(error));
      } finally {
        executions.end();
      }
    },
    expect,
    async round() {
      try {
        await runDue();
      } catch (error) {
        log.write('error', 'what is due was not found', describe(error));
      }
    },
  };
}
