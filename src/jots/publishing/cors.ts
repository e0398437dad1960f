// Decides whether a jot is published with cors. A page of several files renders in its sandbox only with it. decision: 048
import type { Jot } from '../../ports/records.ts';

type Shape = Pick<Jot, 'access' | 'files'>;
type Choice = Pick<Jot, 'cors' | 'cors_chosen'>;

const needsCors = ({ access, files }: Shape): boolean => access === 'public' && files > 1;

/**
 * Without a choice, cors is turned on by the write that makes a jot public and several files, and then stays on.
 * `before` is what is kept: null for a new jot, and for one that is replaced as a whole.
 */
export function decideCors(given: boolean | undefined, next: Shape, before: (Shape & Choice) | null): Choice {
  if (given !== undefined) return { cors: given, cors_chosen: true };
  if (before === null) return { cors: needsCors(next), cors_chosen: false };
  const { cors, cors_chosen } = before;
  const becomesSo = !cors_chosen && needsCors(next) && !needsCors(before);
  return { cors: cors || becomesSo, cors_chosen };
}

const NOTE =
  'cors is on, as for every public jot of several files: without it browsers refuse the page its own scripts, styles, images and data. Other web sites can read the files too; set cors to false to forbid that.';

/** Says why cors is on where nobody has asked for it. */
export const noteOf = ({ access, cors, cors_chosen }: Choice & Pick<Shape, 'access'>): { note?: string } =>
  access === 'public' && cors && !cors_chosen ? { note: NOTE } : {};
