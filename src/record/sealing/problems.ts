// What a check of the audit log may find.
export type ProblemKind =
  | 'nothing-sealed'
  | 'missing-segment'
  | 'unknown-key'
  | 'signature'
  | 'chain'
  | 'rows-changed'
  | 'rows-missing'
  | 'rows-extra'
  | 'rows-reordered'
  /** The index of the segment does not name the rows. */
  | 'rows-differ'
  | 'erased-by-hand'
  | 'pruned-by-hand'
  /** The row of an erasure is not signed. */
  | 'erasure'
  /** A head that was kept elsewhere is another one. */
  | 'head';

export interface Problem {
  kind: ProblemKind;
  segment: number | null;
  /** Some of the rows, as ranges. */
  ids?: string;
  text: string;
}
