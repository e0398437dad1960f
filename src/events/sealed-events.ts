// Reads what is sealed of subscriptions, of what watches have seen, and of events. decision: 024
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { EventPoller, EventSubscription, StoredEvent } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { placeOfCursor, placeOfEvent, placeOfSubscription } from './kept.ts';

type Stored = Pick<Ports, 'store'>;

export const sealedSubscriptions = ({ store: { events } }: Stored) =>
  pagesOf<EventSubscription>(
    (after, limit) => events.pageOfSubscriptions(after?.id ?? null, limit),
    function toSealed(row): SealedRow {
      return {
        values: [
          {
            text: row.sealed,
            place: placeOfSubscription(row),
            name: [row.user_id, row.integration, 'events'],
          },
        ],
        lease: null,
        swap: async ([next]) => typeof next === 'string' && events.swapSealed(row.id, row.sealed, next),
        async again() {
          const now = await events.get(row.user_id, row.id);
          return now === null ? null : toSealed(now);
        },
      };
    },
  );

export const sealedCursors = ({ store: { events } }: Stored) =>
  pagesOf<EventPoller>(
    (after, limit) => events.pageOfPollers(after?.subscription_id ?? null, limit),
    (row): SealedRow => ({
      values: [
        {
          text: row.cursor,
          place: placeOfCursor({ user_id: row.user_id, id: row.subscription_id }),
          isShortLived: true,
        },
      ],
      lease: null,
      swap: async ([next]) =>
        typeof next === 'string' && events.swapCursor(row.subscription_id, row.cursor ?? '', next),
      // The next run writes it with the new key.
      again: async () => null,
    }),
  );

export const sealedEvents = ({ store: { events } }: Stored) =>
  pagesOf<StoredEvent>(
    (after, limit) => events.pageOfEvents(after?.id ?? null, limit),
    (row): SealedRow => ({
      values: [{ text: row.sealed, place: placeOfEvent(row) }],
      lease: null,
      swap: async ([next]) => typeof next === 'string' && events.swapEvent(row.id, row.sealed, next),
      // Nobody else writes it.
      again: async () => null,
    }),
  );
