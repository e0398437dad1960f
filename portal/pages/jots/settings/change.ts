// Finds out which settings of a jot changed, and how to undo the change.
import type { Jot, JotChange } from '../../../api/jots.ts';

export interface Draft extends Pick<Jot, 'access' | 'cors'> {
  password: string;
}

/** Returns only the settings that differ. */
export function changeOf(jot: Jot, { access, password, cors }: Draft): JotChange {
  return {
    ...(access === jot.access ? {} : { access }),
    ...(access === 'password' && password !== '' ? { password } : {}),
    ...(access === 'password' || cors === jot.cors ? {} : { cors }),
  };
}

/** Returns the change that restores the settings, or null when it would need the old password, which nobody has. */
export function undoOf(before: Jot, { access, password, cors }: JotChange): JotChange | null {
  if (before.access === 'password' && (access === 'public' || password !== undefined)) return null;
  const back: JotChange = {
    ...(access === undefined ? {} : { access: before.access }),
    ...(cors === undefined ? {} : { cors: before.cors }),
  };
  return Object.keys(back).length === 0 ? null : back;
}
