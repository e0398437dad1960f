// Renders a list of rows. A removed row leaves a message in its place.
import type { VNode } from 'preact';
import { type Outcome, OutcomeLine } from './outcome-line.tsx';

export interface RemovedRow extends Outcome {
  /** The index that the row had in the list. */
  at: number;
}

export function Rows({
  label,
  removed,
  class: more = 'rows',
  children,
}: {
  label: string;
  removed: RemovedRow | undefined;
  /** How the list looks; absent is rows. */
  class?: string | undefined;
  children: VNode[];
}) {
  const rows = removed
    ? children.toSpliced(removed.at, 0, <RemovalMessage key="removed" removed={removed} />)
    : children;
  if (rows.length === 0) return null;
  return (
    <ul class={more} aria-label={label}>
      {rows}
    </ul>
  );
}

function RemovalMessage({ removed }: { removed: RemovedRow }) {
  return (
    <li class="row-removed">
      <OutcomeLine outcome={removed} />
    </li>
  );
}
