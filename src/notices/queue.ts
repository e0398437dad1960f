// Puts deliveries into the outbox. decision: 062
import type { Config } from '../config/config.ts';
import type { Seal } from '../crypto/seal.ts';
import { portalPage } from '../http/portal-page.ts';
import { NOTICE_KINDS, type Notice, type NoticeKind, type Notify } from '../kit/notice.ts';
import type { DeliveryRecord, DestinationRecord, Sent } from '../ports/outbox.ts';
import type { Ports } from '../ports/ports.ts';
import {
  DELIVERIES_PER_PERSON,
  DELIVERY_KEPT_SECONDS,
  GIVE_UP_SECONDS,
  MAIL_BATCH_SECONDS,
  MAX_PAYLOAD_CHARACTERS,
} from './model/limits.ts';
import type { Wake } from './sending/wake.ts';
import { parseMuted } from './model/off-link.ts';
import { type NoticePayload, type Payload, placeOfDelivery } from './model/payload.ts';
import { afterQuietHours } from './model/quiet-hours.ts';

export interface Queue {
  notify: Notify;
  /** Stores one delivery for a destination, or an invitation where there is none. */
  add(destination: Pick<DestinationRecord, 'id' | 'channel'> | null, made: NewDelivery): Promise<Sent>;
}

export interface NewDelivery {
  userId: string;
  /** Names it for good: the same one is stored once for a destination. */
  id: string;
  kind: string;
  about: string;
  payload: Payload;
  dueAt?: number;
  giveUpAt?: number;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'store'> & {
  config: Pick<Config, 'PORTAL_URL' | 'SMTP_URL'>;
  seal: Seal;
  wake: Wake;
};

const isKind = (kind: Notice['kind']): kind is NoticeKind => NOTICE_KINDS.some((each) => each === kind);

export function createQueue(deps: Needs): Queue {
  const { clock, config, digest, log, seal, store, wake } = deps;
  const { deliveries, destinations, settings } = store.outbox;

  async function add(
    destination: Pick<DestinationRecord, 'id' | 'channel'> | null,
    { userId, id: name, kind, about, payload, dueAt, giveUpAt }: NewDelivery,
  ): Promise<Sent> {
    const now = clock.now();
    const to = destination?.id ?? '';
    const id = `msg_${digest.sha256(`${name} ${to} ${userId}`).slice(0, 40)}`;
    const row = { id, user_id: userId, destination: to };
    const text = JSON.stringify(payload);
    if (text.length > MAX_PAYLOAD_CHARACTERS) return 'full';
    const due = dueAt ?? now;
    const record: DeliveryRecord = {
      ...row,
      channel: destination?.channel ?? 'email',
      kind,
      about,
      state: 'queued',
      attempts: 0,
      due_at: due,
      // What waits for the end of the quiet hours has a day from then on.
      give_up_at: giveUpAt ?? due + GIVE_UP_SECONDS,
      run: null,
      running_until: null,
      last_status: null,
      last_error: null,
      created_at: now,
      ended_at: null,
      expires_at: now + DELIVERY_KEPT_SECONDS,
      sealed: await seal.seal(text, placeOfDelivery(row)),
    };
    const sent = await deliveries.add(record, DELIVERIES_PER_PERSON);
    if (sent === 'queued') wake(due);
    return sent;
  }

  function payloadOf({ kind, name, by = null, page, until }: Notice): NoticePayload {
    return { kind, name, by, url: portalPage(config, page), at: clock.now(), until: until ?? null };
  }

  async function invite(notice: Notice): Promise<void> {
    if (config.SMTP_URL === undefined) return;
    const { userId, about } = notice;
    await add(null, {
      userId,
      // A person who was deleted and is invited again is another one.
      id: 'invitation',
      kind: 'invitation',
      about,
      payload: { notice: payloadOf(notice) },
    });
  }

  async function notify(notice: Notice): Promise<void> {
    const { kind, userId, about, instance = '', until } = notice;
    if (!isKind(kind)) return invite(notice);
    const wanting = (await destinations.list(userId)).filter(
      ({ purpose, muted, disabled_at }) =>
        purpose === 'notices' && disabled_at === null && !parseMuted(muted).includes(kind),
    );
    if (wanting.length === 0) return;
    const loud = afterQuietHours(clock.now(), await settings.get(userId));
    const payload = { notice: payloadOf(notice) };
    for (const destination of wanting) {
      const batch = destination.channel === 'email' ? MAIL_BATCH_SECONDS : 0;
      const sent = await add(destination, {
        userId,
        id: `${kind} ${about} ${instance}`,
        kind,
        about,
        payload,
        dueAt: loud + batch,
        ...(until === undefined ? {} : { giveUpAt: Math.max(until, loud + batch) }),
      });
      if (sent === 'full') log.write('warn', 'a notice was not stored: too many wait', { user: userId });
    }
  }

  return { add, notify };
}
