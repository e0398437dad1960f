// What happens outside: webhooks, watches and schedules, and the tools that read them. reference: Event subscriptions; decision: 061
import type { Seal } from '../crypto/seal.ts';
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { createEventsIntegration, type LateParts } from './integration.ts';
import { openEvent } from './kept.ts';
import { EVENTS_PER_PERSON, SUBSCRIPTIONS_PER_PERSON } from './limits.ts';
import { eventOperations } from './operations.ts';
import { createEventReading } from './reading.ts';
import { createHookRoutes } from './receive.ts';
import { createRegistrations } from './registration.ts';
import { createEventApiRoutes } from './routes.ts';
import { createEventRuns, type EventRuns } from './runs.ts';
import { sealedCursors, sealedEvents, sealedSubscriptions } from './sealed-events.ts';
import { createStandingCaller } from './standing-caller.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createEventWaits } from './wakes.ts';
import { createWatch } from './watching.ts';
import { createEventWriter } from './writer.ts';

type Stored = Pick<Ports, 'store'>;

/** Each page of an export is read when the one before it was sent. */
const PAGE = 50;

export const eventsFeature = {
  name: 'events',
  parts: {
    eventReading: createEventReading,
    eventRuns: createEventRuns,
    eventSubscriptions: createSubscriptions,
    eventWaits: createEventWaits,
    eventWriter: createEventWriter,
    hookRegistrations: createRegistrations,
    standingCaller: createStandingCaller,
    watchTool: createWatch,
  },
  integrations: [(deps: LateParts) => createEventsIntegration(deps)],
  routes: { portal: [createEventApiRoutes], open: [createHookRoutes] },
  operations: [eventOperations],
  chores: ({ eventRuns, isIsolated = false }: { eventRuns: EventRuns; isIsolated?: boolean }, _: Round) => ({
    events: () => {
      const round = eventRuns.round();
      // A round does not wait for the calls, unless its process ends with it.
      return isIsolated ? round : undefined;
    },
  }),
  sealed: [sealedSubscriptions, sealedCursors, sealedEvents],
  personal: {
    export:
      (deps: Stored & { seal: Seal }) =>
      ({ id }) => ({
        subscriptions: async () =>
          (await deps.store.events.list(id)).map(({ sealed: _, address: __, user_id: ___, ...row }) => row),
        events: () => listEvents(deps, id),
      }),
  },
  limits:
    ({ store }: Stored) =>
    async (userId) => [
      { name: 'events', used: await store.events.count(userId), limit: EVENTS_PER_PERSON },
      {
        name: 'subscriptions',
        used: (await store.events.list(userId)).length,
        limit: 3 * SUBSCRIPTIONS_PER_PERSON,
      },
    ],
} satisfies Feature;

async function* listEvents(
  { store, seal }: Stored & { seal: Seal },
  userId: string,
): AsyncGenerator<object, void, undefined> {
  for (let position = 0; ;) {
    const rows = await store.events.after(userId, position, PAGE);
    for (const row of rows) {
      const event = await openEvent(seal, row);
      yield {
        id: row.id,
        subscription: row.subscription_id,
        receivedAt: row.received_at,
        type: event?.head.type ?? null,
        payload: event?.payload ?? null,
      };
    }
    position = rows.at(-1)?.position ?? position;
    if (rows.length < PAGE) return;
  }
}
