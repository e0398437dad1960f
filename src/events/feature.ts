// What happens outside: webhooks, watches and schedules, and the tools that read them. reference: Event subscriptions; decision: 061
import type { Seal } from '../crypto/seal.ts';
import type { EventStored } from '../kit/event-stored.ts';
import type { Feature, Round } from '../kit/feature.ts';
import type { Ports } from '../ports/ports.ts';
import { createEventAddresses } from './addresses.ts';
import { createEventForwarding, type EventForwarding } from './forwarding.ts';
import { createHookSubscriptions } from './hook-subscriptions.ts';
import { createEventsIntegration, type LateParts } from './integration.ts';
import { openEvent } from './kept.ts';
import { EVENTS_PER_PERSON, SUBSCRIPTIONS_PER_PERSON } from './limits.ts';
import { createEventMethods } from './mcp-methods.ts';
import { eventOperations } from './operations.ts';
import { createEventReading } from './reading.ts';
import { createHookRoutes } from './receive.ts';
import { createRegistrations } from './registration.ts';
import { createEventApiRoutes } from './routes.ts';
import { createEventRuns, type EventRuns } from './runs.ts';
import { sealedCursors, sealedEvents, sealedSubscriptions } from './sealed-events.ts';
import { createShowEvents } from './show-events.ts';
import { createStandingCaller } from './standing-caller.ts';
import { createSubscriptions } from './subscriptions.ts';
import { createTrial } from './trial.ts';
import { createEventWaits } from './wakes.ts';
import { createWatch } from './watching.ts';
import { createEventWriter } from './writer.ts';

type Stored = Pick<Ports, 'store'>;

/** Each page of an export is read when the one before it was sent. */
const PAGE = 50;

export const eventsFeature = {
  name: 'events',
  parts: {
    eventAddresses: createEventAddresses,
    eventForwarding: createEventForwarding,
    eventMethods: createEventMethods,
    eventReading: createEventReading,
    eventRuns: createEventRuns,
    eventSubscriptions: createSubscriptions,
    eventWaits: createEventWaits,
    eventWriter: createEventWriter,
    hookRegistrations: createRegistrations,
    hookSubscriptions: createHookSubscriptions,
    showEvents: createShowEvents,
    standingCaller: createStandingCaller,
    watchTool: createWatch,
    watchTrial: createTrial,
  },
  integrations: [(deps: LateParts) => createEventsIntegration(deps)],
  routes: { portal: [createEventApiRoutes], open: [createHookRoutes] },
  operations: [eventOperations],
  chores: (
    {
      eventForwarding,
      eventRuns,
      isIsolated = false,
    }: { eventForwarding: EventForwarding; eventRuns: EventRuns; isIsolated?: boolean },
    _: Round,
  ) => ({
    events: () => {
      const round = eventRuns.round();
      // A round does not wait for the calls, unless its process ends with it.
      return isIsolated ? round : undefined;
    },
    forwards: () => eventForwarding.round(),
  }),
  eventStored:
    ({ eventForwarding }: { eventForwarding: EventForwarding }): EventStored =>
    ({ subscription }) =>
      eventForwarding.tell(subscription),
  approvalDecided:
    ({ eventRuns }: { eventRuns: EventRuns }) =>
    ({ userId }) =>
      void eventRuns.decided(userId),
  sealed: [sealedSubscriptions, sealedCursors, sealedEvents],
  personal: {
    export:
      (deps: Stored & { seal: Seal }) =>
      ({ id }) => ({
        async subscriptions() {
          const forwards = await deps.store.eventForwards.list(id);
          const destinations = new Map(forwards.map((each) => [each.subscription_id, each.destination]));
          return (await deps.store.events.list(id)).map(
            ({ sealed: _, address: __, user_id: ___, ...row }) => ({
              ...row,
              deliverTo: destinations.get(row.id) ?? null,
            }),
          );
        },
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
