// Shows the latest events, the newest first. New ones appear as they come, and each opens to its payload.
import { useEffect, useState } from 'preact/hooks';
import {
  awaitEvents,
  type EventLog,
  type EventShown,
  fetchEvents,
  replay,
  type Subscription,
} from '../../api/events.ts';
import { ApiError } from '../../api/client.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { NotLoaded } from '../../parts/not-loaded.tsx';
import { type Outcome, OutcomeLine } from '../../parts/outcome-line.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { type Resource, useResource } from '../../state/use-resource.ts';
import { eventsTexts as words } from '../../texts/events.ts';
import { JsonPanel } from '../tools/json/json-panel.tsx';
import { titleOf } from './subscription-words.tsx';
import '../../styles/arguments.css';

/** After a failed wait, so that a gateway that is away is not asked in a loop. */
const REST_MS = 5_000;

interface Props {
  subscriptions: readonly Subscription[];
  /** Shows the events of this one only. */
  only?: string;
  nameOf: (integration: string) => string;
  /** An event changes the health of its subscription. */
  onNew: () => void;
}

export function EventStream({ nameOf, onNew, only, subscriptions }: Props) {
  const events = useResource(`events ${only ?? ''}`, () => fetchEvents({ subscription: only }));
  const [outcome, setOutcome] = useState<Outcome>();
  useNewEvents(events, only, onNew);
  const { data, error } = events;
  const byId = new Map(subscriptions.map((each) => [each.id, each]));

  async function more(): Promise<void> {
    const next = await fetchEvents({ subscription: only, before: data?.events.at(-1)?.cursor });
    events.change((now) => ({ ...next, events: [...now.events, ...next.events] }));
  }

  return (
    <section class="section" aria-labelledby="events">
      <h2 id="events" class="section-title">
        {words.stream}
      </h2>
      <NotLoaded of={[events]} />
      <OutcomeLine outcome={outcome} />
      {data === undefined && error === undefined && <Skeleton rows={4} />}
      {data?.events.length === 0 && (
        <p class="muted">{only === undefined ? words.noEvents : words.noEventsOf}</p>
      )}
      {data !== undefined && data.events.length > 0 && (
        <ul class="rows event-list" aria-labelledby="events">
          {data.events.map((event) => {
            const subscription = byId.get(event.subscription);
            return (
              <EventRow
                key={event.id}
                event={event}
                from={only === undefined && subscription !== undefined ? titleOf(subscription, nameOf) : null}
                place={subscription?.deliverTo?.place ?? null}
                onOutcome={setOutcome}
              />
            );
          })}
        </ul>
      )}
      {data?.more === true && (
        <p>
          <ActionButton label={words.more} onAct={more} />
        </p>
      )}
    </section>
  );
}

/** Waits at the gateway while the page is seen, so that an idle page costs a request each 25 seconds. */
function useNewEvents(
  { change, data }: Resource<EventLog>,
  only: string | undefined,
  onNew: () => void,
): void {
  const isLoaded = data !== undefined;
  const newest = data?.events[0]?.cursor;
  useEffect(() => {
    if (!isLoaded) return undefined;
    const leaving = new AbortController();
    let cursor = newest ?? 'now';
    async function listen(): Promise<void> {
      while (!leaving.signal.aborted) {
        if (document.visibilityState === 'hidden') {
          await rest(leaving.signal);
          continue;
        }
        try {
          const found = await awaitEvents(cursor, leaving.signal);
          cursor = found.cursor;
          const wanted = found.events.filter(
            ({ subscription }) => only === undefined || subscription === only,
          );
          if (wanted.length === 0) continue;
          change((known) => withNew(known, wanted));
          onNew();
        } catch (error) {
          if (!(error instanceof ApiError)) return;
          await rest(leaving.signal);
        }
      }
    }
    void listen();
    return () => leaving.abort();
    // The cursor goes on by itself.
  }, [isLoaded, only]);
}

function withNew(known: EventLog, found: readonly EventShown[]): EventLog {
  const ids = new Set(known.events.map(({ id }) => id));
  return { ...known, events: [...found.filter(({ id }) => !ids.has(id)).toReversed(), ...known.events] };
}

const rest = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, REST_MS);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

interface RowProps {
  event: EventShown;
  from: string | null;
  place: string | null;
  onOutcome: (outcome: Outcome) => void;
}

function EventRow({ event: { id, payload, receivedAt, replayOf, type }, from, onOutcome, place }: RowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="event">
      <button type="button" class="event-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong>{type}</strong>
        {from !== null && <span class="muted">{from}</span>}
        {replayOf !== undefined && <span class="muted">{words.copyOf}</span>}
        <RelativeTime at={receivedAt} />
      </button>
      {isOpen && (
        <div class="event-body">
          <JsonPanel value={payload} name={words.fileName(type)} />
          <div class="row">
            <ActionButton
              label={words.replay}
              named={words.replayOf(type)}
              onAct={async () => {
                await replay(id, { to: 'reader' });
                onOutcome({ words: words.replayed });
              }}
            />
            {place !== null && (
              <ActionButton
                label={words.replayTo(place)}
                named={words.replayToOf(type, place)}
                onAct={async () => {
                  await replay(id, { to: 'address' });
                  onOutcome({ words: words.replayedTo(place) });
                }}
              />
            )}
          </div>
        </div>
      )}
    </li>
  );
}
