// Finds the end of a person's quiet hours. reference: Notices
import type { NoticeSettings } from '../../ports/outbox.ts';

const DAY_MINUTES = 24 * 60;
/** A change to or from summer time may move the end into the quiet hours again. */
const LOOKS = 3;

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Returns the time itself outside the quiet hours, and their end within them. Times are Unix seconds. */
export function afterQuietHours(at: number, settings: NoticeSettings | null): number {
  const { quiet_from: from = null, quiet_to: to = null } = settings ?? {};
  if (settings === null || from === null || to === null || from === to) return at;
  let time = at;
  for (let look = 0; look < LOOKS; look++) {
    const minute = minuteOf(time, settings.time_zone);
    const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isQuiet) return time;
    time += ((to - minute + DAY_MINUTES) % DAY_MINUTES) * 60 - (time % 60);
  }
  return time;
}

/** The minute of the day in a time zone. */
function minuteOf(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const [hour = '0', minute = '0'] = format.format(new Date(at * 1_000)).split(':');
  return Number(hour) * 60 + Number(minute);
}
