// Stores events durably, many in one write: what arrives while a write runs goes with the next one.
import type { Seal } from '../crypto/seal.ts';
import type { EventStored } from '../kit/event-stored.ts';
import type { EventDraft, EventSubscription, MostEvents } from '../ports/events.ts';
import type { Ports } from '../ports/ports.ts';
import { type EventHead, sealEvent } from './kept.ts';
import {
  EVENT_CHARACTERS_PER_PERSON,
  EVENTS_PER_PERSON,
  KEPT_SECONDS,
  WRITE_CHARACTERS,
  WRITE_EVENTS,
} from './limits.ts';
import type { EventWaits } from './wakes.ts';

export const MOST_EVENTS: MostEvents = { events: EVENTS_PER_PERSON, characters: EVENT_CHARACTERS_PER_PERSON };

export interface EventWriter {
  /** Makes a row. `name` is what its sender calls the event: the same name is stored once. */
  draft(of: EventSubscription, name: string, head: EventHead, payload: string): Promise<EventDraft>;
  /** Resolves when all are durable. Returns the ids of those that were not stored before. */
  write(drafts: readonly EventDraft[]): Promise<Set<string>>;
  /** Tells those who wait, and those who listen, of events that are durable. */
  tell(drafts: readonly EventDraft[], stored: ReadonlySet<string>): void;
}

interface Waiting {
  drafts: readonly EventDraft[];
  resolve: (stored: Set<string>) => void;
  reject: (error: unknown) => void;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'store'> & {
  eventStored: EventStored;
  eventWaits: Pick<EventWaits, 'tell'>;
  isIsolated?: boolean;
  seal: Seal;
};

export function createEventWriter(deps: Needs): EventWriter {
  const { clock, digest, eventStored, eventWaits, isIsolated = false, seal, store } = deps;
  let waiting: Waiting[] = [];
  let isWriting = false;

  function tell(drafts: readonly EventDraft[], stored: ReadonlySet<string>): void {
    const own = drafts.filter(({ id }) => stored.has(id));
    for (const userId of new Set(own.map(({ user_id }) => user_id))) eventWaits.tell(userId);
    for (const { user_id: userId, subscription_id: subscription, id } of own)
      eventStored({ userId, subscription, id });
  }

  /** Repeats are left out first, so that they take no positions: a flood of them drops nothing. */
  async function append(drafts: readonly EventDraft[]): Promise<Set<string>> {
    const known = await store.events.known(drafts.map(({ id }) => id));
    const fresh = new Map(drafts.filter(({ id }) => !known.has(id)).map((draft) => [draft.id, draft]));
    if (fresh.size === 0) return new Set();
    const stored = await store.events.append([...fresh.values()], MOST_EVENTS);
    tell([...fresh.values()], stored);
    return stored;
  }

  function takeSome(): Waiting[] {
    let [events, characters, count] = [0, 0, 0];
    for (const { drafts } of waiting) {
      events += drafts.length;
      characters += drafts.reduce((sum, draft) => sum + draft.characters, 0);
      if (count > 0 && (events > WRITE_EVENTS || characters > WRITE_CHARACTERS)) break;
      count++;
    }
    const taken = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return taken;
  }

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const taken = takeSome();
      try {
        const stored = await append(taken.flatMap(({ drafts }) => drafts));
        for (const { resolve, drafts } of taken)
          resolve(new Set(drafts.flatMap(({ id }) => (stored.has(id) ? [id] : []))));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    isWriting = false;
  }

  return {
    tell,
    async draft(of, name, head, payload) {
      const { id: subscription_id, user_id } = of;
      const id = digest.sha256(`${subscription_id}\n${name}`);
      const sealed = await sealEvent(seal, { user_id, id }, head, payload);
      const received_at = clock.now();
      return {
        id,
        user_id,
        subscription_id,
        received_at,
        expires_at: received_at + KEPT_SECONDS,
        characters: sealed.length,
        sealed,
      };
    },
    // Where requests share nothing, each writes for itself.
    write: (drafts) =>
      isIsolated
        ? append(drafts)
        : new Promise((resolve, reject) => {
            waiting.push({ drafts, resolve, reject });
            if (!isWriting) void writeAll();
          }),
  };
}
