// Tells people outside the portal, and sends what is theirs to addresses of theirs. reference: Notices; decision: 062
import { describe } from '../http/errors.ts';
import type { ConnectionChange } from '../kit/connection-change.ts';
import type { Feature, Round } from '../kit/feature.ts';
import { pagesOf, type SealedRow } from '../kit/sealed-row.ts';
import type { DeliveryRecord, DestinationRecord } from '../ports/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import { CHANNELS_PER_PERSON, DELIVERIES_PER_PERSON } from './model/limits.ts';
import { placeOfDestination } from './model/address.ts';
import { parseMuted } from './model/off-link.ts';
import { createOutbox } from './outbox.ts';
import { placeOfDelivery } from './model/payload.ts';
import { createQueue, type Queue } from './queue.ts';
import { createOffRoutes } from './off-routes.ts';
import { noticeOperations } from './operations.ts';
import { createNoticeRoutes } from './routes.ts';
import { createOutboxSender, type OutboxSender } from './sending/outbox-sender.ts';
import { createPushKeys, sealedKeys } from './sending/push-keys.ts';

type Stored = Pick<Ports, 'store'>;
type QueueNeeds = Omit<Parameters<typeof createQueue>[0], 'wake'> & { outboxSender: OutboxSender };

const EXPORTED = 2_000;

export const noticesFeature = {
  name: 'notices',
  parts: {
    outbox: createOutbox,
    outboxSender: createOutboxSender,
    pushKeys: createPushKeys,
    queue: ({ clock, config, digest, log, outboxSender: { wake }, seal, store }: QueueNeeds) =>
      createQueue({ clock, config, digest, log, seal, store, wake }),
  },
  routes: { portal: [createNoticeRoutes], open: [createOffRoutes] },
  operations: [noticeOperations],
  chores: ({ outboxSender }: { outboxSender: OutboxSender }, { stop }: Round) => ({
    outbox: () => outboxSender.round(stop),
  }),
  sealed: [
    ({ store: { outbox } }: Stored) =>
      pagesOf<DestinationRecord>(
        (after, limit) => outbox.destinations.page(after?.id ?? null, limit),
        (row): SealedRow => ({
          values: [{ text: row.sealed, place: placeOfDestination(row) }],
          lease: null,
          swap: async ([next]) =>
            typeof next === 'string' && outbox.destinations.swapSealed(row.id, row.sealed, next),
          // The address of a destination never changes.
          again: async () => null,
        }),
      ),
    ({ store: { outbox } }: Stored) =>
      pagesOf<DeliveryRecord>(
        (after, limit) => outbox.deliveries.page(after?.id ?? null, limit),
        (row): SealedRow => ({
          values: [{ text: row.sealed, place: placeOfDelivery(row) }],
          lease: null,
          swap: async ([next]) =>
            typeof next === 'string' && outbox.deliveries.swapSealed(row.id, row.sealed, next),
          again: async () => null,
        }),
      ),
    sealedKeys,
  ],
  personal: {
    export:
      ({ store: { outbox } }: Stored) =>
      ({ id: userId }) => ({
        async noticeChannels() {
          const rows = await outbox.destinations.list(userId);
          return rows.map(({ id, purpose, channel, name, muted, created_at, disabled_at, last_error }) => ({
            id,
            purpose,
            channel,
            name,
            muted: parseMuted(muted),
            created_at,
            disabled_at,
            last_error,
          }));
        },
        async noticeSettings() {
          const settings = await outbox.settings.get(userId);
          return settings === null ? [] : [settings];
        },
        deliveries: async () =>
          (await outbox.deliveries.list({ userId, limit: EXPORTED })).map(describeDelivery),
      }),
  },
  limits:
    ({ store: { outbox } }: Stored) =>
    async (userId) => {
      const [channels, { queued }] = await Promise.all([
        outbox.destinations.list(userId),
        outbox.deliveries.count(userId),
      ]);
      const used = channels.filter(({ purpose }) => purpose === 'notices').length;
      return [
        { name: 'channels', used, limit: CHANNELS_PER_PERSON },
        { name: 'deliveries', used: queued, limit: DELIVERIES_PER_PERSON.queued },
      ];
    },
  instruments:
    ({ config: { SMTP_URL } }: Pick<Ports, 'config'>) =>
    async () => [
      SMTP_URL === undefined
        ? {
            name: 'mail',
            state: 'off',
            cure: 'Set SMTP_URL and MAIL_FROM to send invitations and notices by mail.',
          }
        : { name: 'mail', state: 'unchecked', kind: SMTP_URL.host },
    ],
  notified: ({ queue }: { queue: Queue }) => queue.notify,
  // What a person has done needs no notice any more.
  connectionChanged:
    ({ clock, store }: Pick<Ports, 'clock' | 'store'>) =>
    async ({ kind, userId, integration }: ConnectionChange) => {
      if (kind !== 'saving')
        await store.outbox.deliveries.drop(userId, `connection ${integration}`, clock.now());
    },
  approvalDecided:
    ({ clock, log, store }: Pick<Ports, 'clock' | 'log' | 'store'>) =>
    ({ userId, approval }) =>
      void store.outbox.deliveries
        .drop(userId, `approval ${approval}`, clock.now())
        .catch((error: unknown) =>
          log.write('warn', 'a notice about a decided call was not dropped', describe(error)),
        ),
} satisfies Feature;

/** What was sent is sealed and stays out. */
function describeDelivery({ sealed: _, run: __, running_until: ___, user_id: ____, ...row }: DeliveryRecord) {
  return row;
}
