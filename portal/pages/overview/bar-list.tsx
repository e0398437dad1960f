// Renders a list whose rows have a bar behind them, as long as their share of the first row.
import type { ComponentChildren } from 'preact';
import { Link } from '../../router/link.tsx';
import '../../styles/bar-list.css';

export interface BarRow {
  key: string;
  name: ComponentChildren;
  /** Where the row leads. Absent for a row without a page. */
  href?: string;
  calls: number;
  /** A part of the calls that is worth a word. */
  note?: string;
  /** Where the note leads, if the row leads anywhere. */
  noteHref?: string | undefined;
}

interface Props {
  label: string;
  rows: readonly BarRow[];
}

export function BarList({ label, rows }: Props) {
  const most = Math.max(1, ...rows.map(({ calls }) => calls));
  return (
    <ol class="bar-list" aria-label={label}>
      {rows.map(({ key, name, href, calls, note, noteHref }) => (
        <li key={key} class={href === undefined ? 'bar-row' : 'bar-row bar-row-link'}>
          <span class="bar-fill" style={{ width: `${(calls / most) * 100}%` }} />
          {href === undefined ? (
            <span class="bar-name">{name}</span>
          ) : (
            <Link href={href} class="bar-name bar-link">
              {name}
            </Link>
          )}
          {note !== undefined &&
            (noteHref === undefined ? (
              <span class="bar-note">{note}</span>
            ) : (
              <Link href={noteHref} class="bar-note">
                {note}
              </Link>
            ))}
          <span class="bar-count">{calls.toLocaleString('en')}</span>
        </li>
      ))}
    </ol>
  );
}
