// Sends things of a person to the person's own addresses, for other features. decision: 062
import type { Seal } from '../crypto/seal.ts';
import type { Egress } from '../egress/door.ts';
import { EgressFailure } from '../egress/failure.ts';
import type { Outbox } from '../kit/outbox.ts';
import type { DestinationRecord } from '../ports/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import { EVENT_DESTINATIONS_PER_PERSON } from './model/limits.ts';
import { newSecret } from './sending/webhook.ts';
import { type Address, sealAddress } from './model/address.ts';
import type { Queue } from './queue.ts';
import { createShowChannel } from './show-channel.ts';

type Needs = Pick<Ports, 'clock' | 'random' | 'store'> & { egress: Egress; queue: Queue; seal: Seal };

/** Says why an address cannot be used; null for one that can. It is looked at again whenever something is sent there. */
export async function whyNot(egress: Pick<Egress, 'locate'>, url: string): Promise<string | null> {
  if (!URL.canParse(url)) return 'Enter a whole address, such as https://example.com/hook';
  try {
    await egress.locate(new URL(url));
    return null;
  } catch (error) {
    if (error instanceof EgressFailure) return error.message;
    throw error;
  }
}

export async function newDestination(
  { clock, random, seal }: Pick<Needs, 'clock' | 'random' | 'seal'>,
  userId: string,
  { purpose, name, muted }: Pick<DestinationRecord, 'purpose' | 'name' | 'muted'>,
  address: Address,
): Promise<DestinationRecord> {
  const row = { id: random.uuid(), user_id: userId };
  return {
    ...row,
    purpose,
    channel: address.channel,
    name,
    muted,
    sealed: await sealAddress(seal, row, address),
    created_at: clock.now(),
    failures: 0,
    failing_since: null,
    last_error: null,
    last_ok_at: null,
    paused_until: 0,
    disabled_at: null,
    hour: 0,
    hour_count: 0,
  };
}

export function createOutbox(deps: Needs): Outbox {
  const { egress, queue, random, store } = deps;
  const showChannel = createShowChannel(deps);
  const { destinations } = store.outbox;
  return {
    async addWebhook({ userId, name, url }) {
      const message = await whyNot(egress, url);
      if (message !== null) return { ok: false, reason: 'refused', message };
      const secret = newSecret(random);
      const kind = { purpose: 'events', name, muted: '[]' } as const;
      const record = await newDestination(deps, userId, kind, { channel: 'webhook', url, secret });
      if (await destinations.add(record, EVENT_DESTINATIONS_PER_PERSON))
        return { ok: true, id: record.id, secret };
      return {
        ok: false,
        reason: 'full',
        message: `There are ${EVENT_DESTINATIONS_PER_PERSON} addresses for events. Delete one first`,
      };
    },

    async list(userId) {
      const own = (await destinations.list(userId)).filter(({ purpose }) => purpose === 'events');
      return Promise.all(
        own.map(async (row) => {
          const { id, place, state, lastError = null, lastSentAt = null } = await showChannel(row, '');
          return { id, place, state, lastError, lastSentAt };
        }),
      );
    },

    remove: (userId, id) => destinations.delete(userId, id),

    async send(userId, destinationId, { id, type, at, data }) {
      const destination = await destinations.get(userId, destinationId);
      if (destination === null || destination.purpose !== 'events') return 'gone';
      const payload = { event: { type, at, data } };
      return queue.add(destination, { userId, id: `event ${id}`, kind: type, about: `event ${id}`, payload });
    },
  };
}
