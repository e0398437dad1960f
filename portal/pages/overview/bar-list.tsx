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
}

interface Props {
  label: string;
  rows: readonly BarRow[];
}

export function BarList({ label, rows }: Props) {
  const most = Math.max(1, ...rows.map(({ calls }) => calls));
  return (
    <ol class="bar-list" aria-label={label}>
      {rows.map(({ key, name, href, calls, note }) => {
        const row = (
          <>
            <span class="bar-fill" style={{ width: `${(calls / most) * 100}%` }} />
            <span class="bar-name">{name}</span>
            {note !== undefined && <span class="bar-note">{note}</span>}
            <span class="bar-count">{calls.toLocaleString('en')}</span>
          </>
        );
        return (
          <li key={key}>
            {href === undefined ? (
              <span class="bar-row">{row}</span>
            ) : (
              <Link href={href} class="bar-row">
                {row}
              </Link>
            )}
          </li>
        );
      })}
    </ol>
  );
}
