// Which settings were changed, and whether there is a way back.
import type { Jot, JotChange } from '../../api/types.ts';

export type Draft = Required<JotChange>;

/** Only what differs: what is not named stays as it is. */
export function changeOf(jot: Jot, { access, password, cors }: Draft): JotChange {
  return {
    ...(access === jot.access ? {} : { access }),
    ...(access === 'password' && password !== '' ? { password } : {}),
    ...(access === 'password' || cors === jot.cors ? {} : { cors }),
  };
}

/** Null where a password was lost on the way: nobody keeps it. */
export function wayBack(before: Jot, { access, password, cors }: JotChange): JotChange | null {
  if (before.access === 'password' && (access === 'public' || password !== undefined)) return null;
  const back: JotChange = {
    ...(access === undefined ? {} : { access: before.access }),
    ...(cors === undefined ? {} : { cors: before.cors }),
  };
  return Object.keys(back).length === 0 ? null : back;
}
