// Declares how a feature sends something of a person to the person's own address. decision: 062
import type { Sent } from '../ports/outbox.ts';

export interface NewWebhook {
  userId: string;
  /** What the person calls the address. */
  name: string;
  url: string;
}

/** An address as people see it: its host, because the rest of it is often a secret. */
export interface OutboxAddress {
  id: string;
  place: string;
  state: 'ok' | 'new' | 'failing' | 'disabled';
  lastError: string | null;
  lastSentAt: number | null;
}

/** One thing that happened. */
export interface OutboxEvent {
  /** The same id is sent once to a destination, whatever happens between. */
  id: string;
  /** What happened, such as `github.push`. */
  type: string;
  /** Unix seconds. */
  at: number;
  data: unknown;
}

export interface Outbox {
  /** Makes a signed webhook that takes events and no notices. The secret is shown once. Refuses an address that is not allowed. */
  addWebhook(
    webhook: NewWebhook,
  ): Promise<
    { ok: true; id: string; secret: string } | { ok: false; reason: 'full' | 'refused'; message: string }
  >;
  /** Lists the addresses that take events. */
  list(userId: string): Promise<OutboxAddress[]>;
  /** Deletes a destination and what waits for it. */
  remove(userId: string, destinationId: string): Promise<boolean>;
  /** Stores the event, and sends it until the address has taken it or a day is over. */
  send(userId: string, destinationId: string, event: OutboxEvent): Promise<Sent>;
}
