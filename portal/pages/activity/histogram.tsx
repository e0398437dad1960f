// Draws how many calls each span of the time had. A drag, or the keyboard, chooses a part of the time.
import { useEffect, useRef, useState } from 'preact/hooks';
import { type AuditHistogram, fetchHistogram } from '../../api/audit.ts';
import { useWidth } from '../../parts/charts/use-width.ts';
import { setQuery } from '../../router/location.ts';
import { useResource } from '../../state/use-resource.ts';
import { streamTexts } from '../../texts/stream.ts';
import { type Choice, CUSTOM, filterOf } from './choice.ts';

const words = streamTexts.histogram;
const HEIGHT = 60;
const GAP = 1;
/** A span with calls, and its failed part, are never invisible. */
const LEAST_PX = 2;
const DAY = 86_400;
const MAX_BARS = 100;
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

interface Props {
  kept: string;
  choice: Choice;
  /** The id of the newest call in the list. */
  newest: number | undefined;
}

export function Histogram({ kept, choice, newest }: Props) {
  const counted = useResource(`histogram ${kept}`, () => fetchHistogram(filterOf(choice)));
  const known = useRef(newest);
  useEffect(() => {
    // The first answer already counts the calls of the list.
    if (known.current !== undefined && known.current !== newest) counted.look();
    known.current = newest;
  }, [newest]);
  if (counted.data === undefined) return counted.error === undefined ? <div class="histogram" /> : null;
  if (counted.data.buckets.length === 0) return null;
  return <Bars key={`${counted.data.from} ${counted.data.bucketSeconds}`} counted={counted.data} />;
}

interface Selection {
  /** Where the drag, or the keyboard, began and where it is. */
  start: number;
  end: number;
}

function Bars({ counted }: { counted: AuditHistogram }) {
  const { from, until, bucketSeconds, buckets, searchedUntil } = counted;
  const [place, width] = useWidth();
  const [at, setAt] = useState<Selection | null>(null);
  const [isDragging, setDragging] = useState(false);
  const count = Math.min(MAX_BARS, Math.floor((until - from) / bucketSeconds) + 1);
  const spans: (AuditHistogram['buckets'][number] | undefined)[] = Array.from({ length: count });
  for (const bucket of buckets) spans[Math.floor((bucket.at - from) / bucketSeconds)] = bucket;
  const most = Math.max(...buckets.map(({ calls }) => calls));
  const step = width / count;
  const here = at ?? { start: count - 1, end: count - 1 };

  const spanAt = (x: number): number => {
    const { left = 0 } = place.current?.getBoundingClientRect() ?? {};
    return Math.max(0, Math.min(count - 1, Math.floor((x - left) / step)));
  };

  function choose({ start, end }: Selection): void {
    const [first, last] = [Math.min(start, end), Math.max(start, end)];
    setQuery({
      range: CUSTOM,
      from: String(from + first * bucketSeconds),
      to: String(from + (last + 1) * bucketSeconds - 1),
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const by = STEPS[event.key];
    const to = by === undefined ? { Home: 0, End: count - 1 }[event.key] : here.end + by;
    if (to !== undefined) {
      const end = Math.max(0, Math.min(count - 1, to));
      setAt({ start: event.shiftKey ? here.start : end, end });
    } else if (event.key === 'Enter' || event.key === ' ') choose(here);
    else if (event.key === 'Escape' && at !== null) setAt(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const [first, last] = at === null ? [0, 0] : [Math.min(at.start, at.end), Math.max(at.start, at.end)];
  return (
    <div class="histogram">
      <div
        ref={place}
        class="histogram-plot"
        role="slider"
        tabIndex={0}
        aria-label={words.label}
        aria-describedby="histogram-help"
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={here.end}
        aria-valuetext={describe(counted, spans, here)}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(null)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setDragging(true);
          setAt({ start: spanAt(event.clientX), end: spanAt(event.clientX) });
        }}
        onPointerMove={({ clientX }) => {
          const end = spanAt(clientX);
          setAt((now) => ({ start: isDragging && now !== null ? now.start : end, end }));
        }}
        onPointerUp={({ clientX }) => {
          if (!isDragging || at === null) return;
          setDragging(false);
          choose({ ...at, end: spanAt(clientX) });
        }}
        onPointerCancel={() => {
          setDragging(false);
          setAt(null);
        }}
        onPointerLeave={() => {
          if (!isDragging) setAt(null);
        }}
      >
        {width > 0 && (
          <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
            {at !== null && (
              <rect
                class="histogram-here"
                x={first * step}
                width={(last - first + 1) * step}
                height={HEIGHT}
              />
            )}
            {spans.map((span, index) => {
              if (span === undefined) return null;
              const high = Math.max(LEAST_PX, (span.calls / most) * (HEIGHT - 4));
              const failed = span.failed === 0 ? 0 : Math.max(LEAST_PX, (span.failed / span.calls) * high);
              const box = { x: index * step + GAP / 2, width: Math.max(1, step - GAP) };
              return (
                <g key={index}>
                  <rect
                    class="histogram-calls"
                    {...box}
                    y={HEIGHT - high}
                    height={Math.max(0, high - failed)}
                  />
                  <rect class="histogram-failed" {...box} y={HEIGHT - failed} height={failed} />
                </g>
              );
            })}
          </svg>
        )}
      </div>
      <p class="histogram-words" aria-hidden="true">
        <span>{nameOf(from, bucketSeconds)}</span>
        <span>
          {at === null
            ? searchedUntil !== undefined && words.countedSince(nameOf(searchedUntil, bucketSeconds))
            : describe(counted, spans, at)}
        </span>
        <span>{Date.now() / 1000 - until < bucketSeconds ? words.now : nameOf(until, bucketSeconds)}</span>
      </p>
      <span id="histogram-help" class="visually-hidden">
        {words.help}
      </span>
    </div>
  );
}

function describe(
  { from, bucketSeconds }: AuditHistogram,
  spans: readonly (AuditHistogram['buckets'][number] | undefined)[],
  { start, end }: Selection,
): string {
  const [first, last] = [Math.min(start, end), Math.max(start, end)];
  const chosen = spans.slice(first, last + 1);
  const sum = (part: 'calls' | 'failed') => chosen.reduce((total, span) => total + (span?.[part] ?? 0), 0);
  const begin = nameOf(from + first * bucketSeconds, bucketSeconds);
  const finish = nameOf(from + last * bucketSeconds, bucketSeconds);
  return words.at(first === last ? begin : `${begin} – ${finish}`, sum('calls'), sum('failed'));
}

const days = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const hours = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

const nameOf = (seconds: number, span: number): string =>
  (span >= DAY ? days : hours).format(new Date(seconds * 1000));
