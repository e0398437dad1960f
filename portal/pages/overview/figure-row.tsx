// Shows four figures: all calls, failed ones, refused ones, and how long slow calls take.
import type { Usage } from '../../api/usage.ts';
import { duration } from '../../parts/amounts.ts';
import { overviewTexts as words } from '../../texts/overview.ts';
import { changeOf, partOf, sumOf } from './figures.ts';

export function Figures({ usage }: { usage: Usage }) {
  const { totals, latency } = usage;
  const all = sumOf(totals);
  return (
    <dl class="figures panel">
      <Figure name={words.calls} value={all.toLocaleString('en')} note={compare(usage)} />
      <Figure
        name={words.failed}
        kind="chart-failed"
        value={totals.failed.toLocaleString('en')}
        note={words.failedPart(partOf(totals.failed, all))}
      />
      <Figure
        name={words.refused}
        kind="chart-refused"
        value={totals.refused.toLocaleString('en')}
        note={words.refusedNote}
      />
      <Figure
        name={words.slowest}
        value={latency === null ? words.noLatency : duration(latency.p95)}
        note={latency === null ? words.slowestNote : words.median(duration(latency.p50))}
      />
    </dl>
  );
}

interface Props {
  name: string;
  value: string;
  note: string;
  kind?: string;
}

function Figure({ name, value, note, kind }: Props) {
  return (
    <div class="figure">
      <dt>
        {kind !== undefined && <span class={`chart-swatch ${kind}`} />}
        {name}
      </dt>
      <dd>
        <span class="figure-value">{value}</span>
        <span class="figure-note">{note}</span>
      </dd>
    </div>
  );
}

function compare({ totals, before, range }: Usage): string {
  const [now, then] = [sumOf(totals), sumOf(before)];
  const change = changeOf(now, then);
  if (change === null) return words.noneBefore(range);
  if (now === then) return words.same(range);
  if (change.isHuge) return words.upFrom(then, range);
  return change.isMore ? words.more(change.part, range) : words.fewer(change.part, range);
}
