// Shows the calls over time, and how long they took.
import type { Range, Usage } from '../../api/usage.ts';
import { duration } from '../../parts/amounts.ts';
import { Lines } from '../../parts/charts/lines.tsx';
import { StackedBars } from '../../parts/charts/stacked-bars.tsx';
import { overviewTexts as words } from '../../texts/overview.ts';
import { sumOf } from './figures.ts';

const OUTCOMES = [
  { name: words.succeeded, kind: 'chart-ok' },
  { name: words.failed, kind: 'chart-failed' },
  { name: words.refused, kind: 'chart-refused', isHatched: true },
];
const PERCENTILES = [
  { name: words.p50, kind: 'chart-p50' },
  { name: words.p95, kind: 'chart-p95' },
  { name: words.p99, kind: 'chart-p99' },
];

const formats: Record<Range, { label: Intl.DateTimeFormat; title: Intl.DateTimeFormat }> = {
  '24h': {
    label: format({ hour: '2-digit', minute: '2-digit' }),
    title: format({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
  },
  '7d': {
    label: format({ weekday: 'short', day: 'numeric' }),
    title: format({ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }),
  },
  '30d': {
    label: format({ day: 'numeric', month: 'short' }),
    title: format({ weekday: 'short', day: 'numeric', month: 'short' }),
  },
};

function format(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { ...options, hourCycle: 'h23' });
}

/** Unix seconds, both included. */
export interface Span {
  from: number;
  to: number;
}

export function CallsChart({ usage, onOpen }: { usage: Usage; onOpen?: (span: Span) => void }) {
  const { range, series, totals, bucketSeconds } = usage;
  const open = (index: number) => {
    const at = series[index]?.at;
    if (at !== undefined) onOpen?.({ from: at, to: at + bucketSeconds - 1 });
  };
  const values = series.map(({ ok, failed, refused }) => [ok, failed, refused]);
  return (
    <section class="panel" aria-labelledby="calls-over-time">
      <h2 id="calls-over-time">{words.overTime}</h2>
      {sumOf(totals) === 0 ? (
        <p class="overview-quiet">{words.quiet(range)}</p>
      ) : (
        <StackedBars
          label={words.overTime}
          unit={words.units[range]}
          series={OUTCOMES}
          values={values}
          {...(onOpen === undefined ? {} : { onOpen: open })}
          moments={momentsOf(usage, (index) =>
            (values[index] ?? []).map((calls) => calls.toLocaleString('en')),
          )}
        />
      )}
    </section>
  );
}

export function LatencyChart({ usage }: { usage: Usage }) {
  const { latency, range, series } = usage;
  if (latency === null) return null;
  const values = series.map(({ latency: each }) => (each === null ? null : [each.p50, each.p95, each.p99]));
  return (
    <section class="panel" aria-labelledby="latency-over-time">
      <h2 id="latency-over-time">{words.latency}</h2>
      <Lines
        label={words.latency}
        unit={words.units[range]}
        series={PERCENTILES}
        values={values}
        showTick={showTick}
        moments={momentsOf(
          usage,
          (index) => values[index]?.map(duration) ?? PERCENTILES.map(() => words.noCalls),
        )}
      />
    </section>
  );
}

/** The lines of a chart are round numbers. */
function showTick(milliseconds: number): string {
  if (milliseconds === 0) return '0';
  return milliseconds < 1000 ? `${milliseconds} ms` : `${milliseconds / 1000} s`;
}

function momentsOf({ range, series }: Usage, valuesAt: (index: number) => readonly string[]) {
  const { label, title } = formats[range];
  return series.map(({ at }, index) => ({
    title: title.format(at * 1000),
    label: label.format(at * 1000),
    values: valuesAt(index),
  }));
}
