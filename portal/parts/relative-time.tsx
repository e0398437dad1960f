// Shows a time as "3 minutes ago", with the full time as its tooltip.
import { useState } from 'preact/hooks';
import { usePoll } from '../state/use-poll.ts';
import { texts } from '../texts/texts.ts';

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const LOOK_MS = 30_000;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

export function RelativeTime({ at }: { at: number }) {
  const [, setLooks] = useState(0);
  usePoll(true, LOOK_MS, () => setLooks((count) => count + 1), { idleMs: LOOK_MS });
  const moment = new Date(at * 1000);
  return (
    <time dateTime={moment.toISOString()} title={absolute.format(moment)}>
      {formatAge(at)}
    </time>
  );
}

// The gateway's clock may run ahead of this clock, so a time in the future is "just now" too.
export function formatAge(at: number): string {
  const seconds = Date.now() / 1000 - at;
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit === undefined ? texts.time.justNow : relative.format(-Math.floor(seconds / unit[1]), unit[0]);
}
