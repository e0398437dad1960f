// Sends what is due: each delivery by one process at a time, and slow receivers hold up nobody else. decision: 062
import type { Config } from '../../config/config.ts';
import type { Seal } from '../../crypto/seal.ts';
import type { Egress } from '../../egress/door.ts';
import { describe } from '../../http/errors.ts';
import type { Notify } from '../../kit/notice.ts';
import type { DeliveryRecord, DestinationRecord } from '../../ports/outbox.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  ATTEMPT_LEASE_SECONDS,
  ATTEMPTS_AT_ONCE,
  ATTEMPTS_OF_PERSON,
  LOOK_ROWS,
  MAILS_PER_HOUR,
  NOTICES_PER_MAIL,
  ROUND_MS,
} from '../model/limits.ts';
import { openAddress } from '../model/address.ts';
import { offLink } from '../model/off-link.ts';
import { NOTICE_KINDS } from '../../kit/notice.ts';
import { type NoticePayload, openPayload } from '../model/payload.ts';
import { afterQuietHours } from '../model/quiet-hours.ts';
import { sendMail } from './mail.ts';
import type { ReadPushKeys } from './push-keys.ts';
import { sendOne } from './send-one.ts';
import type { Attempt } from './sent.ts';
import { createSettle, type Held } from './settle.ts';
import type { Wake } from './wake.ts';

export interface OutboxSender {
  wake: Wake;
  /** Sends what is due. On an edge runtime it resolves when that is done, or the time of a round is over. */
  round(stop?: AbortSignal): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'digest' | 'log' | 'mail' | 'random' | 'store'> & {
  config: Pick<Config, 'SERVER_PUBLIC_URL' | 'PORTAL_URL' | 'MAIL_FROM'>;
  egress: Egress;
  isIsolated?: boolean;
  notify: Notify;
  pushKeys: ReadPushKeys;
  seal: Seal;
};

const HOUR = 3_600;
const UNREADABLE = 'no key of the gateway opens it any more';
const NOBODY_SENT = 'nobody could send it in its time';
/** The next round of the maintenance finds what is due later. */
const SOON_SECONDS = 60;
const COUNT_AGAIN_SECONDS = 5;

export function createOutboxSender(deps: Needs): OutboxSender {
  const { clock, config, isIsolated = false, log, mail, random, seal, store } = deps;
  const { deliveries, destinations, settings } = store.outbox;
  const settle = createSettle(deps);
  /** The person and the end of each attempt, by its destination. */
  const running = new Map<string, { userId: string; end: Promise<void> }>();
  let looking: Promise<void> | undefined;
  let mustLook = false;
  let stopping: AbortSignal | undefined;
  const isStopped = () => stopping?.aborted === true;
  let timer: { at: number; cancel: () => void } | undefined;

  function wake(at: number): void {
    // On an edge runtime nothing runs after the request: the round of the timer sends.
    if (isIsolated || isStopped()) return;
    const seconds = at - clock.now();
    if (seconds <= 0) return void look();
    if (seconds > SOON_SECONDS || (timer !== undefined && timer.at <= at)) return;
    timer?.cancel();
    const cancel = clock.later(seconds * 1_000, () => {
      timer = undefined;
      void look();
    });
    timer = { at, cancel };
  }

  /** It never rejects: what could not be looked at is found by the next round. */
  function look(): Promise<void> {
    mustLook = true;
    return (looking ??= lookWhileAsked()
      .catch((error: unknown) => {
        mustLook = false;
        log.write('error', 'the outbox could not be read', describe(error));
      })
      .finally(() => {
        looking = undefined;
      }));
  }

  async function lookWhileAsked(): Promise<void> {
    while (mustLook && !isStopped()) {
      mustLook = false;
      // The end of an attempt looks again.
      if (running.size >= ATTEMPTS_AT_ONCE) return;
      for (const row of await deliveries.due(clock.now(), mail !== null, LOOK_ROWS)) start(row);
    }
  }

  function start(row: DeliveryRecord): void {
    const { user_id: userId, destination } = row;
    const name = destination === '' ? `person ${userId}` : destination;
    if (running.has(name) || running.size >= ATTEMPTS_AT_ONCE || isStopped()) return;
    const ofPerson = [...running.values()].filter((each) => each.userId === userId).length;
    if (ofPerson >= ATTEMPTS_OF_PERSON) return;
    const end = attempt(row).then(
      (hasTried) => {
        running.delete(name);
        if (hasTried) void look();
      },
      (error: unknown) => {
        // The row is free again when its lease is over.
        running.delete(name);
        log.write('error', 'a delivery was not noted', describe(error));
      },
    );
    running.set(name, { userId, end });
  }

  async function claim(row: DeliveryRecord): Promise<Held | null> {
    const now = clock.now();
    const run = random.uuid();
    return (await deliveries.claim(row.id, run, now, now + ATTEMPT_LEASE_SECONDS)) ? { row, run } : null;
  }

  /** Returns false when another process has the delivery. */
  async function attempt(row: DeliveryRecord): Promise<boolean> {
    const held = await claim(row);
    if (held === null) return false;
    const { user_id: userId, destination: id } = row;
    const destination = id === '' ? null : await destinations.get(userId, id);
    if (id !== '' && destination === null) {
      await settle.end([held], 'dropped', null);
      return true;
    }
    const next = await (row.channel === 'email'
      ? mailTo(destination, await holdOthers(destination, held))
      : sendTo(destination, held));
    if (next !== null) wake(next);
    return true;
  }

  async function holdOthers(destination: DestinationRecord | null, held: Held): Promise<Held[]> {
    if (destination === null) return [held];
    const others: Held[] = [];
    for (const row of await deliveries.dueOf(destination.id, clock.now(), NOTICES_PER_MAIL - 1)) {
      const other = row.id === held.row.id ? null : await claim(row);
      if (other !== null) others.push(other);
    }
    return [held, ...others].toSorted(({ row: one }, { row: other }) => one.created_at - other.created_at);
  }

  async function sendTo(destination: DestinationRecord | null, held: Held): Promise<number | null> {
    const [address, payload] = await Promise.all([
      destination && openAddress(seal, destination),
      openPayload(seal, held.row),
    ]);
    if (address === null || payload === null || address.channel === 'email') {
      await settle.end([held], 'failed', UNREADABLE);
      return null;
    }
    if ('notice' in payload && isOver(payload.notice)) {
      await settle.end([held], 'dropped', null);
      return null;
    }
    return note([held], destination, await sendOne(deps, held.row, address, payload));
  }

  async function mailTo(
    destination: DestinationRecord | null,
    held: readonly Held[],
  ): Promise<number | null> {
    const fits: { one: Held; notice: NoticePayload }[] = [];
    for (const one of held) {
      const payload = await openPayload(seal, one.row);
      if (payload === null || !('notice' in payload)) await settle.end([one], 'failed', UNREADABLE);
      else if (isOver(payload.notice)) await settle.end([one], 'dropped', null);
      else fits.push({ one, notice: payload.notice });
    }
    const [first] = fits;
    const sending = fits.map(({ one }) => one);
    if (first === undefined || mail === null) return null;
    const to = await addressOf(destination, first.one.row);
    if (to === null) {
      await settle.end(sending, 'failed', 'the person has no verified e-mail address');
      return null;
    }
    const hour = Math.floor(clock.now() / HOUR);
    if (destination !== null && !(await destinations.countMail(destination, hour, MAILS_PER_HOUR))) {
      const isFull = destination.hour === hour && destination.hour_count >= MAILS_PER_HOUR;
      const until = isFull ? (hour + 1) * HOUR : clock.now() + COUNT_AGAIN_SECONDS;
      await settle.postpone(sending, until);
      return until;
    }
    const kinds = NOTICE_KINDS.filter((kind) => fits.some(({ notice }) => notice.kind === kind));
    const off =
      destination === null || kinds.length === 0
        ? null
        : await offLink({ config, seal }, { user: destination.user_id, destination: destination.id, kinds });
    const letter = {
      to,
      ids: sending.map(({ row }) => row.id),
      notices: fits.map(({ notice }) => notice),
      off,
    };
    return note(sending, destination, await sendMail({ ...deps, mail }, letter));
  }

  async function addressOf(
    destination: DestinationRecord | null,
    row: DeliveryRecord,
  ): Promise<string | null> {
    const address = destination && (await openAddress(seal, destination));
    if (address?.channel === 'email' && address.address !== null) return address.address;
    const user = await store.users.byId(row.user_id);
    // An invitation goes to somebody who has not signed in yet.
    return user === null || (destination !== null && user.unverified_since !== null) ? null : user.email;
  }

  async function note(
    held: readonly Held[],
    destination: DestinationRecord | null,
    sent: Attempt,
  ): Promise<number | null> {
    const isNotice = destination?.purpose === 'notices';
    const quiet = isNotice && sent.kind === 'failed' ? await settings.get(destination.user_id) : null;
    return settle.settle(held, destination, sent, (at) => afterQuietHours(at, quiet));
  }

  const isOver = ({ until }: NoticePayload): boolean => until !== null && until <= clock.now();

  return {
    wake,
    async round(stop) {
      stopping = stop;
      while (await deliveries.giveUp(clock.now() - HOUR, NOBODY_SENT));
      const first = look();
      if (!isIsolated) return first;
      const began = clock.millis();
      await first;
      while (running.size > 0 && clock.millis() - began < ROUND_MS) {
        await Promise.race([...running.values()].map(({ end }) => end));
        await looking;
      }
    },
  };
}
