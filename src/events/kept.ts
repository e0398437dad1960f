// Declares what is sealed of subscriptions and events, and seals it. reference: Event subscriptions
import * as z from 'zod';
import { ActorShape } from '../auth/curl-token.ts';
import type { Place, Seal } from '../crypto/seal.ts';
import type { Actor } from '../kit/actor.ts';
import type { EventSubscription, StoredEvent } from '../ports/events.ts';

const KeptShape = z.object({
  actor: ActorShape,
  args: z.record(z.string(), z.unknown()),
  filter: z.string().optional(),
  /** The newest first. An old one is taken until its time. */
  secrets: z.array(z.object({ text: z.string(), until: z.number().optional() })),
  /** What the service calls the webhook that was made there. */
  registered: z.string().optional(),
  /** A person has to say yes before the service is asked. The random part of the address is kept until then. */
  waiting: z.object({ approval: z.string(), token: z.string() }).optional(),
});
export type Kept = Omit<z.infer<typeof KeptShape>, 'actor'> & { actor: Actor };

/** What comes before the payload in the sealed text of an event. */
const EventHead = z.object({ type: z.string(), at: z.number(), replayOf: z.string().optional() });
export type EventHead = z.infer<typeof EventHead>;

export const placeOfSubscription = ({ user_id, id }: Pick<EventSubscription, 'user_id' | 'id'>): Place => [
  user_id,
  '',
  `events:${id}`,
];
export const placeOfCursor = (subscription: Pick<EventSubscription, 'user_id' | 'id'>): Place => [
  subscription.user_id,
  '',
  `cursor:${subscription.id}`,
];
export const placeOfEvent = ({ user_id, id }: Pick<StoredEvent, 'user_id' | 'id'>): Place => [
  user_id,
  '',
  `event:${id}`,
];

export const sealKept = (
  seal: Seal,
  row: Pick<EventSubscription, 'user_id' | 'id'>,
  kept: Kept,
): Promise<string> => seal.seal(JSON.stringify(kept), placeOfSubscription(row));

/** Returns null when no key opens it. */
export async function openKept(
  seal: Seal,
  row: Pick<EventSubscription, 'user_id' | 'id' | 'sealed'>,
): Promise<Kept | null> {
  const text = await seal.open(row.sealed, placeOfSubscription(row));
  return text === null ? null : (KeptShape.safeParse(JSON.parse(text)).data ?? null);
}

/** The payload stays as it came, so that it takes no more room than it had. */
export const sealEvent = (
  seal: Seal,
  row: Pick<StoredEvent, 'user_id' | 'id'>,
  head: EventHead,
  payload: string,
): Promise<string> => seal.seal(`${JSON.stringify(head)}\n${payload}`, placeOfEvent(row));

export async function openEvent(
  seal: Seal,
  row: Pick<StoredEvent, 'user_id' | 'id' | 'sealed'>,
): Promise<{ head: EventHead; payload: string } | null> {
  const text = await seal.open(row.sealed, placeOfEvent(row));
  if (text === null) return null;
  const end = text.indexOf('\n');
  const head = EventHead.safeParse(JSON.parse(text.slice(0, end))).data;
  return head === undefined ? null : { head, payload: text.slice(end + 1) };
}
