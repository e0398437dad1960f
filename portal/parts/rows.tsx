// A list of rows. What has become of one that is gone stands where it was.
import type { VNode } from 'preact';
import { type Happened, Said } from './said.tsx';

export interface Gone extends Happened {
  /** The place it had in the list. */
  at: number;
}

export function Rows({
  label,
  gone,
  children,
}: {
  label: string;
  gone: Gone | undefined;
  children: VNode[];
}) {
  const rows = gone ? children.toSpliced(gone.at, 0, <GoneRow key="gone" gone={gone} />) : children;
  if (rows.length === 0) return null;
  return (
    <ul class="rows" aria-label={label}>
      {rows}
    </ul>
  );
}

function GoneRow({ gone }: { gone: Gone }) {
  return (
    <li class="row-gone">
      <Said happened={gone} />
    </li>
  );
}
