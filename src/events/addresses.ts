// Chooses the address that the events of a subscription go on to. A person does so in the portal, and no agent. decision: 067
import type { Outbox, OutboxAddress } from '../kit/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import type { EventForwarding } from './forwarding.ts';
import type { EventReading } from './reading.ts';
import { EventRefused } from './refused.ts';

export interface EventAddresses {
  /** A new address, or one that the person has for events. The secret of a new one is shown once. */
  choose(
    userId: string,
    subscription: string,
    to: { url: string; name?: string | undefined } | { channel: string },
  ): Promise<OutboxAddress & { secret?: string }>;
  remove(userId: string, subscription: string): Promise<void>;
  /** Sends a stored event once more to where its subscription delivers. */
  replay(userId: string, event: string): Promise<void>;
}

/** As long as people may name a channel. */
const NAME_CHARACTERS = 60;

type Needs = Pick<Ports, 'random' | 'store'> & {
  eventForwarding: EventForwarding;
  eventReading: Pick<EventReading, 'get'>;
  outbox: Outbox;
};

export function createEventAddresses(deps: Needs): EventAddresses {
  const { eventForwarding, eventReading, outbox, random, store } = deps;

  async function forwardOf(userId: string, subscription: string) {
    const own = await store.eventForwards.list(userId);
    return own.find(({ subscription_id: id }) => id === subscription) ?? null;
  }

  /** Deletes an address that no subscription uses any more, with what waits for it. */
  async function dropUnused(userId: string, destination: string): Promise<void> {
    const own = await store.eventForwards.list(userId);
    if (own.every((each) => each.destination !== destination)) await outbox.remove(userId, destination);
  }

  return {
    async choose(userId, subscription, to) {
      if ((await store.events.get(userId, subscription)) === null)
        throw new EventRefused('NOT_FOUND', `You have no subscription "${subscription}"`);
      const before = await forwardOf(userId, subscription);
      let secret: string | undefined;
      let destination: string;
      if ('url' in to) {
        const host = URL.canParse(to.url) ? new URL(to.url).host : '';
        const made = await outbox.addWebhook({
          userId,
          name: to.name ?? `Events: ${host}`.slice(0, NAME_CHARACTERS),
          url: to.url,
        });
        if (!made.ok) throw new EventRefused(made.reason === 'full' ? 'FULL' : 'WRONG', made.message);
        ({ id: destination, secret } = made);
      } else destination = to.channel;
      const shown = (await outbox.list(userId)).find(({ id }) => id === destination);
      if (shown === undefined)
        throw new EventRefused('WRONG', 'channel: you have no such address for events');
      const isSame = before?.destination === destination;
      if (
        !isSame &&
        !(await store.eventForwards.put({ subscription_id: subscription, user_id: userId, destination }))
      ) {
        await dropUnused(userId, destination);
        throw new EventRefused('NOT_FOUND', `You have no subscription "${subscription}"`);
      }
      if (before !== null && !isSame) await dropUnused(userId, before.destination);
      return { ...shown, ...(secret === undefined ? {} : { secret }) };
    },

    async remove(userId, subscription) {
      const forward = await forwardOf(userId, subscription);
      if (forward === null || !(await store.eventForwards.remove(forward)))
        throw new EventRefused('NOT_FOUND', 'The events of this subscription go to no address');
      await dropUnused(userId, forward.destination);
    },

    async replay(userId, id) {
      const event = await eventReading.get(userId, id);
      if (event === null) throw new EventRefused('NOT_FOUND', 'Event not found');
      const forward = await forwardOf(userId, event.subscription);
      if (forward === null)
        throw new EventRefused(
          'NOT_DONE',
          'The events of this subscription go to no address. Choose one first',
        );
      const sent = await eventForwarding.again(forward, event, `replay ${random.uuid()}`);
      if (sent === 'gone') throw new EventRefused('NOT_DONE', 'The address is disabled. Enable it first');
      if (sent === 'full')
        throw new EventRefused('NOT_DONE', 'Too many deliveries wait for you. Try again when some are sent');
    },
  };
}
