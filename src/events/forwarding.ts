// Sends the events of a subscription on to an address of its person. Each forward is a reader with a cursor of its own, so a
// process that is lost between an event and its delivery loses nothing. decision: 067
import { describe } from '../http/errors.ts';
import type { Outbox, OutboxEvent } from '../kit/outbox.ts';
import type { EventForward } from '../ports/event-forwards.ts';
import type { Ports } from '../ports/ports.ts';
import { FORWARD_EVENTS, FORWARDED_CHARACTERS, FORWARDS_A_PAGE, FULL_WAIT_MS } from './limits.ts';
import type { ShowEvents, ShownEvent } from './show-events.ts';

export interface EventForwarding {
  /** An event of the subscription was stored. Returns at once. */
  tell(subscription: string): void;
  /** Goes on with all that are behind. */
  round(): Promise<void>;
  /** Sends one event once more, under another name. */
  again(forward: EventForward, event: ShownEvent, name: string): Promise<'queued' | 'gone' | 'full'>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'store'> & {
  isIsolated?: boolean;
  outbox: Outbox;
  showEvents: ShowEvents;
};

export function createEventForwarding(deps: Needs): EventForwarding {
  const { clock, isIsolated = false, log, outbox, showEvents, store } = deps;
  let told = new Set<string>();
  let running: Promise<void> | null = null;

  /** Returns false when the outbox takes no more for now. */
  async function goOn(forward: EventForward): Promise<boolean> {
    const { user_id: userId, subscription_id: subscription, destination } = forward;
    let { position } = forward;
    for (;;) {
      // Positions are given in the order of the commits: everything up to this one can be seen.
      const last = (await store.events.streams([userId])).get(userId)?.last ?? 0;
      const rows = await store.events.after(userId, position, FORWARD_EVENTS, subscription);
      for (const event of await showEvents(userId, rows)) {
        const sent = await outbox.send(userId, destination, toOutbox(event, event.id));
        if (sent === 'full') return false;
        if (sent === 'gone') {
          const isThere = (await outbox.list(userId)).some(({ id }) => id === destination);
          // One that is disabled goes on here when its person enables it.
          if (!isThere) await store.eventForwards.remove(forward);
          return true;
        }
        await store.eventForwards.move(forward, Number(event.cursor));
      }
      position = Math.max(position, rows.at(-1)?.position ?? 0);
      if (rows.length < FORWARD_EVENTS) {
        await store.eventForwards.move(forward, Math.max(position, last));
        return true;
      }
    }
  }

  async function goOnWith(forwards: readonly EventForward[]): Promise<void> {
    for (const forward of forwards) {
      try {
        if (!(await goOn(forward))) later(forward.subscription_id);
      } catch (error) {
        log.write('error', 'events were not sent on', {
          subscription: forward.subscription_id,
          ...describe(error),
        });
      }
    }
  }

  function later(subscription: string): void {
    // A Worker has no time between requests: its next round goes on.
    if (!isIsolated) clock.later(FULL_WAIT_MS, () => tell(subscription));
  }

  async function runTold(): Promise<void> {
    while (told.size > 0) {
      const some = [...told];
      told = new Set();
      try {
        await goOnWith(await store.eventForwards.of(some));
      } catch (error) {
        log.write('error', 'events were not sent on', describe(error));
      }
    }
    running = null;
  }

  function tell(subscription: string): void {
    if (isIsolated) return;
    told.add(subscription);
    // What is told while one look runs goes with the next one.
    running ??= runTold();
  }

  return {
    tell,
    async round() {
      for (let after: string | null = null; ;) {
        const page: EventForward[] = await store.eventForwards.behind(after, FORWARDS_A_PAGE);
        await goOnWith(page);
        after = page.at(-1)?.subscription_id ?? null;
        if (page.length < FORWARDS_A_PAGE) return;
      }
    },
    async again({ user_id, destination }, event, name) {
      const sent = await outbox.send(user_id, destination, toOutbox(event, name));
      return sent === 'known' ? 'queued' : sent;
    },
  };
}

function toOutbox(event: ShownEvent, id: string): OutboxEvent {
  const { integration, type, receivedAt } = event;
  // `schedule.due` says it already.
  const isNamed = integration === null || type.startsWith(`${integration}.`);
  const data =
    JSON.stringify(event.payload).length > FORWARDED_CHARACTERS
      ? { ...event, payload: null, isTooLong: true }
      : event;
  return { id, type: isNamed ? type : `${integration}.${type}`, at: receivedAt, data };
}
