// Reads the events of a person. The reader says where it goes on. reference: Event subscriptions
import type { Seal } from '../crypto/seal.ts';
import { isTooDeep, parseJson } from '../json/json.ts';
import type { EventSubscription, StoredEvent } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { openEvent } from './kept.ts';
import { READ_CHARACTERS, WAIT_SECONDS } from './limits.ts';
import type { EventWaits } from './wakes.ts';
import type { EventWriter } from './writer.ts';

export interface ShownEvent {
  id: string;
  cursor: string;
  subscription: string;
  integration: string | null;
  type: string;
  receivedAt: number;
  replayOf?: string;
  /** The parsed payload, or its text where it is not JSON. */
  payload: unknown;
}

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
  ): Promise<ShownEvent[]>;
  /** Stores an event once more, at the end. Null when there is no such event. */
  replay(userId: string, id: string): Promise<string | null>;
}

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & {
  eventWaits: EventWaits;
  eventWriter: EventWriter;
  seal: Seal;
};

const NEWEST = Number.MAX_SAFE_INTEGER;

export function createEventReading(deps: Needs): EventReading {
  const { clock, eventWaits, eventWriter, random, seal, store } = deps;

  async function show(rows: readonly StoredEvent[], of: readonly EventSubscription[]): Promise<ShownEvent[]> {
    const names = new Map(of.map(({ id, integration }) => [id, integration]));
    const opened = await Promise.all(
      rows.map(async (row): Promise<ShownEvent[]> => {
        const event = await openEvent(seal, row);
        if (event === null) return [];
        const { head, payload } = event;
        return [
          {
            id: row.id,
            cursor: String(row.position),
            subscription: row.subscription_id,
            integration: names.get(row.subscription_id) ?? null,
            type: head.type,
            receivedAt: row.received_at,
            ...(head.replayOf === undefined ? {} : { replayOf: head.replayOf }),
            payload: isTooDeep(payload) ? payload : (parseJson(payload) ?? payload),
          },
        ];
      }),
    );
    return opened.flat();
  }

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
        events: await show(taken, taken.length === 0 ? [] : await store.events.list(userId)),
        cursor: String(taken.at(-1)?.position ?? from),
        more: rows.length > taken.length,
        ...(isGap ? { truncated: true } : {}),
      };
    },

    async latest(userId, { before, limit, subscription }) {
      const position = before === undefined ? NEWEST : Number(before);
      const rows = await store.events.before(userId, position, limit, subscription ?? null);
      return show(cut(rows, limit), await store.events.list(userId));
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
