// Draws lines over time. A moment without a value interrupts them.
import { ChartFrame, type Moment, type Series } from './frame.tsx';
import { ticksUpTo } from './scale.ts';

interface Props {
  label: string;
  unit: string;
  series: readonly Series[];
  /** The numbers of each moment, in the order of the series; null without any. */
  values: readonly (readonly number[] | null)[];
  moments: readonly Moment[];
  showTick: (value: number) => string;
}

export function Lines({ label, unit, series, values, moments, showTick }: Props) {
  const ticks = ticksUpTo(Math.max(0, ...values.flatMap((each) => each ?? [])), 3);
  const top = ticks.at(-1) ?? 1;
  return (
    <ChartFrame label={label} unit={unit} series={series} moments={moments} ticks={ticks} showTick={showTick}>
      {({ width, height, at }) => {
        const x = (index: number) => ((index + 0.5) * width) / values.length;
        const y = (value: number) => height - (value / top) * (height - 2);
        return (
          <>
            {at !== -1 && <path class="chart-moment" d={`M${x(at)} 0V${height}`} />}
            {series.map(({ kind }, part) => (
              <g key={kind} class={kind}>
                <path class="chart-line" d={line(values, part, x, y)} />
                {values.map((each, index) => {
                  const value = each?.[part];
                  const isAlone =
                    (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null;
                  if (value === undefined || !(isAlone || index === at)) return null;
                  return <circle key={index} class="chart-dot" cx={x(index)} cy={y(value)} r="3.5" />;
                })}
              </g>
            ))}
          </>
        );
      }}
    </ChartFrame>
  );
}

function line(
  values: Props['values'],
  part: number,
  x: (index: number) => number,
  y: (value: number) => number,
): string {
  let isDrawing = false;
  return values
    .map((each, index) => {
      const value = each?.[part];
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== undefined;
      return value === undefined ? '' : `${command}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    })
    .join('');
}
