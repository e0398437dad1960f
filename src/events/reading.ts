// Reads the events of a person. The reader says where it goes on. reference: Event subscriptions
import type { Seal } from '../crypto/seal.ts';
import type { StoredEvent } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { openEvent } from './kept.ts';
import { READ_CHARACTERS, WAIT_SECONDS } from './limits.ts';
import type { ShowEvents, ShownEvent } from './show-events.ts';
import type { EventWaits } from './wakes.ts';
import type { EventWriter } from './writer.ts';

export interface ReadEvents {
  events: ShownEvent[];
  cursor: string;
  more: boolean;
  /** Events between the cursor and these were dropped before they were read. */
  truncated?: true;
}

export interface EventReading {
  /** Returns null for a cursor that is none. */
  read(
    userId: string,
    asked: { cursor?: string | undefined; limit: number; waitSec: number; signal?: AbortSignal | undefined },
  ): Promise<ReadEvents | null>;
  /** The newest first. */
  latest(
    userId: string,
    asked: { before?: string | undefined; limit: number; subscription?: string | undefined },
  ): Promise<{ events: ShownEvent[]; more: boolean }>;
  get(userId: string, id: string): Promise<ShownEvent | null>;
  /** Stores an event once more, at the end. Null when there is no such event. */
  replay(userId: string, id: string): Promise<string | null>;
}

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  eventWaits: EventWaits;
  eventWriter: EventWriter;
  seal: Seal;
  showEvents: ShowEvents;
};

const NEWEST = Number.MAX_SAFE_INTEGER;

export function createEventReading(deps: Needs): EventReading {
  const { clock, eventWaits, eventWriter, random, seal, showEvents, store } = deps;

  /** As many as an answer should hold, and one at least. */
  function cut(rows: readonly StoredEvent[], limit: number): readonly StoredEvent[] {
    let characters = 0;
    const most = rows.findIndex(
      (row, index) => (characters += row.characters) > READ_CHARACTERS && index > 0,
    );
    return rows.slice(0, Math.min(limit, most === -1 ? rows.length : most));
  }

  return {
    async read(userId, { cursor, limit, waitSec, signal }) {
      if (cursor !== undefined && cursor !== 'now' && !/^\d{1,15}$/.test(cursor)) return null;
      const lastOf = async () =>
        (await store.events.streams([userId])).get(userId) ?? { last: 0, dropped: 0 };
      const from = cursor === 'now' ? (await lastOf()).last : Number(cursor ?? 0);
      const end = clock.millis() + Math.min(waitSec, WAIT_SECONDS) * 1000;
      let rows = await store.events.after(userId, from, limit + 1);
      while (rows.length === 0 && clock.millis() < end) {
        if (signal?.aborted === true) break;
        const { last } = await lastOf();
        // What was stored since the first look would be missed by a wait that begins now.
        if (last <= from) await eventWaits.wait(userId, from, (end - clock.millis()) / 1000, signal);
        rows = await store.events.after(userId, from, limit + 1);
        // The last events may have been removed with their subscription.
        if (rows.length === 0 && last > from)
          await eventWaits.wait(userId, last, (end - clock.millis()) / 1000, signal);
      }
      const taken = cut(rows, limit);
      const { dropped } = await lastOf();
      const isGap = cursor !== undefined && cursor !== 'now' && dropped > from;
      return {
        events: await showEvents(userId, taken),
        cursor: String(taken.at(-1)?.position ?? from),
        more: rows.length > taken.length,
        ...(isGap ? { truncated: true } : {}),
      };
    },

    async latest(userId, { before, limit, subscription }) {
      const position = before === undefined ? NEWEST : Number(before);
      const rows = await store.events.before(userId, position, limit + 1, subscription ?? null);
      const taken = cut(rows, limit);
      return { events: await showEvents(userId, taken), more: rows.length > taken.length };
    },

    async get(userId, id) {
      const row = await store.events.event(userId, id);
      return row === null ? null : ((await showEvents(userId, [row]))[0] ?? null);
    },

    async replay(userId, id) {
      const row = await store.events.event(userId, id);
      const of = row === null ? null : await store.events.get(userId, row.subscription_id);
      const event = row === null ? null : await openEvent(seal, row);
      if (row === null || of === null || event === null) return null;
      const head = { ...event.head, at: clock.now(), replayOf: row.id };
      const draft = await eventWriter.draft(of, `replay ${random.uuid()}`, head, event.payload);
      const stored = await eventWriter.write([draft]);
      return stored.has(draft.id) ? draft.id : null;
    },
  };
}
