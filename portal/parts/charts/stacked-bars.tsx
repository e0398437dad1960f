// Draws bars over time. The parts of a bar lie on each other, and differ by colour, by a gap and by a pattern.
import { useId } from 'preact/hooks';
import { ChartFrame, type Moment, type Series } from './frame.tsx';
import { ticksUpTo } from './scale.ts';

interface Props {
  label: string;
  unit: string;
  /** The lowest part first. */
  series: readonly (Series & { isHatched?: boolean })[];
  /** The numbers of each moment, in the order of the series. */
  values: readonly (readonly number[])[];
  moments: readonly Moment[];
  onOpen?: (index: number) => void;
}

const GAP = 2;
const RADIUS = 2.5;
/** The part of a step that a bar takes, and its largest width. */
const FILLED = 0.72;
const WIDEST = 34;

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export function StackedBars({ label, unit, series, values, moments, onOpen }: Props) {
  const id = useId();
  const ticks = ticksUpTo(Math.max(0, ...values.map(sum)));
  const top = ticks.at(-1) ?? 1;
  return (
    <ChartFrame
      label={label}
      unit={unit}
      series={series}
      moments={moments}
      ticks={ticks}
      onOpen={onOpen}
      showTick={(value) => compact.format(value)}
    >
      {({ width, height, at }) => {
        const step = width / Math.max(1, values.length);
        const wide = Math.min(step * FILLED, WIDEST);
        return (
          <>
            <defs>
              <pattern
                id={id}
                width="5"
                height="5"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="2.4" height="5" class="chart-hatch" />
              </pattern>
            </defs>
            {at !== -1 && <rect x={at * step} width={step} height={height} class="chart-here" />}
            {values.map((parts, index) => (
              <g key={index}>
                {stack(parts, height / top).map(({ low, high, part, isTop }) => (
                  <path
                    key={part}
                    class={series[part]?.kind}
                    {...(series[part]?.isHatched === true ? { style: { fill: `url(#${id})` } } : {})}
                    d={bar(index * step + (step - wide) / 2, height - high, wide, high - low, isTop)}
                  />
                ))}
              </g>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}

const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0);

/** Where each part begins and ends, in pixels from below. A part with calls is never invisible. */
function stack(parts: readonly number[], scale: number) {
  const drawn: { low: number; high: number; part: number; isTop: boolean }[] = [];
  let low = 0;
  for (const [part, value] of parts.entries()) {
    if (value === 0) continue;
    const high = low + Math.max(value * scale, 3);
    drawn.push({ low: drawn.length === 0 ? low : Math.min(low + GAP, high - 2), high, part, isTop: false });
    low = high;
  }
  const last = drawn.at(-1);
  if (last !== undefined) last.isTop = true;
  return drawn;
}

function bar(x: number, y: number, width: number, height: number, isRound: boolean): string {
  const radius = isRound ? Math.min(RADIUS, width / 2, height) : 0;
  return `M${x} ${y + height}V${y + radius}q0 ${-radius} ${radius} ${-radius}h${width - 2 * radius}q${radius} 0 ${radius} ${radius}V${y + height}z`;
}
