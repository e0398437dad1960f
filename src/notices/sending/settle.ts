// Notes how an attempt ended: for its delivery, and for its destination. decision: 062
import { shownText } from '../../kit/shown-text.ts';
import type { Notify } from '../../kit/notice.ts';
import type { DeliveryRecord, DestinationRecord } from '../../ports/outbox.ts';
import type { Ports } from '../../ports/ports.ts';
import { GIVE_UP_SECONDS, LAST_ERROR_CHARACTERS, MAX_PAUSE_SECONDS } from '../model/limits.ts';
import { delayAfter } from './backoff.ts';
import type { Attempt } from './sent.ts';

export interface Held {
  row: DeliveryRecord;
  run: string;
}

export interface Settle {
  /** Returns when the deliveries are due again, and null when they have ended. `held` were sent together. */
  settle(
    held: readonly Held[],
    destination: DestinationRecord | null,
    attempt: Attempt,
    louder: (at: number) => number,
  ): Promise<number | null>;
  end(held: readonly Held[], state: 'failed' | 'dropped', error: string | null): Promise<void>;
  postpone(held: readonly Held[], until: number): Promise<void>;
}

type Needs = Pick<Ports, 'clock' | 'log' | 'random' | 'store'> & { notify: Notify };

/** The success of each delivery is not worth a write. */
const OK_NOTED_SECONDS = 60;
/** How late after a delivery was stored its first failure may be. */
const FIRST_FAILURE_SECONDS = 3_600;
const DISABLED = 'the address was disabled';

export function createSettle({ clock, log, notify, random, store }: Needs): Settle {
  const { deliveries, destinations } = store.outbox;

  async function noteSuccess(destination: DestinationRecord, now: number): Promise<void> {
    const { failures, last_ok_at } = destination;
    if (failures === 0 && last_ok_at !== null && now - last_ok_at < OK_NOTED_SECONDS) return;
    await destinations.note(destination, {
      failures: 0,
      failing_since: null,
      last_error: null,
      last_ok_at: now,
      paused_until: 0,
      disabled_at: null,
    });
  }

  async function noteFailure(
    destination: DestinationRecord,
    error: string,
    { isGone, isLast, wait }: { isGone: boolean; isLast: boolean; wait: number },
  ): Promise<void> {
    const now = clock.now();
    const { failures, failing_since, last_ok_at } = destination;
    const since = failing_since ?? now;
    const isDisabled = isGone || now - since >= GIVE_UP_SECONDS || isLast;
    const noted = await destinations.note(destination, {
      failures: failures + 1,
      failing_since: since,
      last_error: error,
      last_ok_at,
      paused_until: now + Math.max(wait, Math.min(delayAfter(failures + 1, random), MAX_PAUSE_SECONDS)),
      disabled_at: isDisabled ? now : null,
    });
    if (!noted || !isDisabled) return;
    const { id, name, user_id: userId } = destination;
    await deliveries.failAll(id, DISABLED, now);
    log.write('info', 'a destination was disabled', { user: userId, destination: id });
    await notify({
      kind: 'destination',
      userId,
      about: `destination ${id}`,
      instance: String(now),
      page: '/settings/notices',
      name,
    });
  }

  async function end(held: readonly Held[], state: 'failed' | 'dropped', error: string | null) {
    const now = clock.now();
    for (const { row, run } of held)
      await deliveries.finish(row.id, {
        run,
        state,
        attempts: row.attempts,
        due_at: row.due_at,
        last_status: row.last_status,
        last_error: error,
        ended_at: now,
      });
  }

  return {
    end,
    async postpone(held, until) {
      for (const { row, run } of held)
        await deliveries.finish(row.id, { ...row, run, state: 'queued', due_at: until });
    },
    async settle(held, destination, attempt, louder) {
      const now = clock.now();
      if (attempt.kind === 'ok') {
        for (const { row, run } of held)
          await deliveries.finish(row.id, {
            run,
            state: 'done',
            attempts: row.attempts + 1,
            due_at: row.due_at,
            last_status: attempt.status,
            last_error: null,
            ended_at: now,
          });
        if (destination !== null) await noteSuccess(destination, now);
        return null;
      }
      const error = (shownText(attempt.error) ?? 'it failed').slice(0, LAST_ERROR_CHARACTERS);
      const wait = attempt.retryAfter ?? 0;
      let next: number | null = null;
      let isLast = false;
      for (const { row, run } of held) {
        const isOver = attempt.isFinal === true || now >= row.give_up_at;
        // Nothing was tried for long where the gateway itself was away, so the last attempt is made at the end of the time.
        const due = louder(
          Math.min(now + Math.max(delayAfter(row.attempts + 1, random), wait), row.give_up_at),
        );
        const failingFor = now - (destination?.failing_since ?? now);
        if (isOver && failingFor >= GIVE_UP_SECONDS - FIRST_FAILURE_SECONDS) isLast = true;
        await deliveries.finish(row.id, {
          run,
          state: isOver ? 'failed' : 'queued',
          attempts: row.attempts + 1,
          due_at: isOver ? row.due_at : due,
          last_status: attempt.status,
          last_error: error,
          ended_at: isOver ? now : null,
        });
        if (!isOver) next = Math.min(next ?? due, due);
      }
      if (destination !== null && attempt.isDestination)
        await noteFailure(destination, error, {
          isGone: attempt.isGone === true,
          isLast: isLast,
          wait,
        });
      return next;
    },
  };
}
