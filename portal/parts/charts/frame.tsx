// Renders what every chart over time has: lines across with their values, moments below, and the values of one moment,
// which people choose with a pointer or with arrow keys. A table has all values for screen readers.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWidth } from './use-width.ts';
import { labelled } from './scale.ts';
import '../../styles/charts.css';

export interface Series {
  name: string;
  /** The class that colours it. */
  kind: string;
}

export interface Moment {
  /** The full name of the moment. */
  title: string;
  /** The short name below the chart. */
  label: string;
  /** The text of each series. */
  values: readonly string[];
}

interface Props {
  label: string;
  /** What a moment is, as the head of the table's first column. */
  unit: string;
  series: readonly Series[];
  moments: readonly Moment[];
  ticks: readonly number[];
  showTick: (value: number) => string;
  /** A click on a moment, or Enter, opens it. */
  onOpen?: ((index: number) => void) | undefined;
  /** Draws into this width and height. */
  children: (size: Size) => ComponentChildren;
}

export interface Size {
  width: number;
  height: number;
  /** The index of the moment that people look at, or -1. */
  at: number;
}

const HEIGHT = 190;
const LABELS = 7;
const KEYS: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

export function ChartFrame({ label, unit, series, moments, ticks, showTick, onOpen, children }: Props) {
  const [place, width] = useWidth();
  const [at, setAt] = useState(-1);
  const last = moments.length - 1;
  const top = ticks.at(-1) ?? 1;
  const moment = moments[at];

  function look({ clientX, currentTarget }: PointerEvent & { currentTarget: HTMLElement }): void {
    const { left } = currentTarget.getBoundingClientRect();
    setAt(Math.max(0, Math.min(last, Math.floor(((clientX - left) / width) * moments.length))));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = KEYS[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(last, (at === -1 ? last : at) + step)));
    else if (event.key === 'Home') setAt(0);
    else if (event.key === 'End') setAt(last);
    else if (event.key === 'Escape') setAt(-1);
    else if (event.key === 'Enter' && at !== -1 && onOpen !== undefined) onOpen(at);
    else return;
    event.preventDefault();
  }

  return (
    <figure class="chart" aria-label={label}>
      <ul class="chart-legend" aria-hidden="true">
        {series.map(({ name, kind }) => (
          <li key={kind}>
            <span class={`chart-swatch ${kind}`} />
            {name}
          </li>
        ))}
      </ul>
      <div class="chart-body">
        <ol class="chart-ticks" aria-hidden="true">
          {ticks.map((value) => (
            <li key={value} style={{ bottom: `${(value / top) * 100}%` }}>
              <span>{showTick(value)}</span>
            </li>
          ))}
        </ol>
        <div
          ref={place}
          class={onOpen === undefined ? 'chart-plot' : 'chart-plot chart-plot-opens'}
          onClick={() => {
            if (at !== -1) onOpen?.(at);
          }}
          style={{ height: `${HEIGHT}px` }}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at === -1 ? last : at}
          aria-valuetext={describe(moments[at === -1 ? last : at], series)}
          onPointerMove={look}
          onPointerDown={look}
          onPointerLeave={() => setAt(-1)}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            if (at === -1 && event.currentTarget.matches(':focus-visible')) setAt(last);
          }}
          onBlur={() => setAt(-1)}
        >
          {width > 0 && (
            <svg width={width} height={HEIGHT} aria-hidden="true">
              {children({ width, height: HEIGHT, at })}
            </svg>
          )}
          {moment !== undefined && (
            <div
              class={at > moments.length / 2 ? 'chart-tip chart-tip-left' : 'chart-tip'}
              style={{ left: `${((at + 0.5) / moments.length) * 100}%` }}
              aria-hidden="true"
            >
              <p class="chart-tip-title">{moment.title}</p>
              <ul>
                {series.map(({ name, kind }, index) => (
                  <li key={kind}>
                    <span class={`chart-swatch ${kind}`} />
                    <span>{name}</span>
                    <span class="chart-tip-value">{moment.values[index]}</span>
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
        <ol class="chart-moments" aria-hidden="true">
          {labelled(moments.length, LABELS).map((index) => (
            <li key={index} style={{ left: `${((index + 0.5) / moments.length) * 100}%` }}>
              {moments[index]?.label}
            </li>
          ))}
        </ol>
      </div>
      <div class="visually-hidden">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              {series.map(({ name, kind }) => (
                <th key={kind} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {moments.map(({ title, values }) => (
              <tr key={title}>
                <th scope="row">{title}</th>
                {values.map((value, index) => (
                  <td key={series[index]?.kind}>{value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

function describe(moment: Moment | undefined, series: readonly Series[]): string {
  if (moment === undefined) return '';
  return `${moment.title}: ${series.map(({ name }, index) => `${name} ${moment.values[index]}`).join(', ')}`;
}
