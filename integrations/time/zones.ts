// Time zone arithmetic over Intl, which every runtime has.
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface Moment {
  iso: string;
  unix: number;
  timeZone: string;
  offset: string;
  weekday: string;
}

export function isTimeZone(name: string): boolean {
  try {
    return formatter(name) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the local date and time of a zone at an instant (Unix seconds). */
export function moment(instant: number, timeZone: string): Moment {
  const offset = offsetAt(instant, timeZone);
  const local = new Date((instant + offset) * 1000);
  const text = offsetText(offset);
  return {
    iso: local.toISOString().replace(/\.000Z$/, text),
    unix: instant,
    timeZone,
    offset: text,
    weekday: WEEKDAYS[local.getUTCDay()] ?? '',
  };
}

/** Returns the instant of a local time in a zone. If the time names its own offset, the zone is ignored. */
export function instantOf(text: string, timeZone: string): number {
  if (/(Z|[+-]\d\d:?\d\d)$/i.test(text)) return Math.floor(Date.parse(text) / 1000);
  const local = Math.floor(Date.parse(`${text}Z`) / 1000);
  // The first guess may use the offset of the other side of a clock change, so it is corrected once.
  const guess = local - offsetAt(local, timeZone);
  return local - offsetAt(guess, timeZone);
}

function offsetAt(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const parts = Object.fromEntries(
    formatter(timeZone)
      .formatToParts(instant * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  const shown = new Date(0);
  shown.setUTCFullYear(parts['year'] ?? 0, (parts['month'] ?? 1) - 1, parts['day']);
  shown.setUTCHours(parts['hour'] ?? 0, parts['minute'], parts['second']);
  return shown.getTime() / 1000 - instant;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-gregory', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  // Zone names are case-insensitive: without a bound callers could fill this cache.
  if (formatters.size >= 1_000) formatters.clear();
  formatters.set(timeZone, made);
  return made;
}

function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
