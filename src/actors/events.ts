// Tells a product what happens to its actors, through the outbox. reference: Events of actors; decision: 069
import { describe } from '../http/errors.ts';
import type { ConnectionChange } from '../kit/connection-change.ts';
import type { Notice } from '../kit/notice.ts';
import type { Outbox } from '../kit/outbox.ts';
import type { ActorLink } from '../ports/actors.ts';
import type { Ports } from '../ports/ports.ts';
import { LINKS_AT_ONCE } from './limits.ts';

export interface ActorEvents {
  /** A listener of changed connections. */
  connected(change: ConnectionChange): Promise<void>;
  /** A listener of notices: a connection that needs its actor has one. */
  needsActor(notice: Notice): Promise<void>;
  /** Ends a portion of the links whose time is over. Returns whether more may be left. */
  expireLinks(): Promise<boolean>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & { outbox: Pick<Outbox, 'send'> };

interface Told {
  id: string;
  type: 'connection.created' | 'connection.reconnect' | 'link.expired';
  integration: string;
  link?: string;
}

export function createActorEvents({ clock, log, outbox, random, store }: Needs): ActorEvents {
  /** What cannot be told stops nothing of what it is about. */
  async function tell(userId: string, { id, type, ...data }: Told): Promise<void> {
    try {
      const found = await store.serviceActors.ofUser(userId);
      if (found === null || found.key.notify === null) return;
      const { actor, key } = found;
      const sent = await outbox.send(key.id, found.key.notify, {
        id,
        type,
        at: clock.now(),
        data: { externalId: actor.external_id, ...data },
      });
      if (sent === 'full')
        log.write('warn', 'an event of an actor was dropped: too many wait', { key: key.id });
    } catch (error) {
      log.write('error', 'an event of an actor was not stored', describe(error));
    }
  }

  const expired = (link: ActorLink) =>
    tell(link.user_id, {
      id: `link ${link.id}`,
      type: 'link.expired',
      integration: link.integration,
      link: link.id,
    });

  return {
    async connected({ kind, userId, integration }) {
      if (kind === 'saved')
        await tell(userId, { id: random.uuid(), type: 'connection.created', integration });
    },

    async needsActor({ kind, userId, about, instance = '', name }) {
      if (kind !== 'connection') return;
      await tell(userId, {
        id: `${userId} ${about} ${instance}`,
        type: 'connection.reconnect',
        integration: name,
      });
    },

    async expireLinks() {
      const due = await store.actorLinks.due(clock.now(), LINKS_AT_ONCE);
      for (const link of due) if (await store.actorLinks.expire(link.id, clock.now())) await expired(link);
      return due.length >= LINKS_AT_ONCE;
    },
  };
}
