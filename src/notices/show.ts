// Shows deliveries and times as people and programs read them.
import type { DeliveryRecord, NoticeSettings } from '../ports/outbox.ts';
import type { NoticesOverview, ShownDelivery } from './operations.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** `minutes` after midnight. */
const timeOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

export function showQuietHours(settings: NoticeSettings | null): NoticesOverview['quietHours'] {
  const { quiet_from: from = null, quiet_to: to = null } = settings ?? {};
  if (settings === null || from === null || to === null) return null;
  return { from: timeOf(from), to: timeOf(to), timeZone: settings.time_zone };
}

export function minutesOf(time: string): number {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

export function showDelivery(row: DeliveryRecord): ShownDelivery {
  const { id, destination, kind, state, attempts, created_at, due_at, ended_at, last_status, last_error } =
    row;
  return {
    id,
    channel: destination,
    kind,
    state,
    attempts,
    createdAt: created_at,
    ...(state === 'queued' ? { dueAt: due_at } : {}),
    ...(ended_at === null ? {} : { endedAt: ended_at }),
    ...(state === 'done' && ended_at !== null ? { lagSeconds: Math.max(0, ended_at - created_at) } : {}),
    ...(last_status === null ? {} : { lastStatus: last_status }),
    ...(last_error === null ? {} : { lastError: last_error }),
  };
}
