// Writes the address of the page of a set, and says what a set may be called.
import type { ShownSet } from '../../api/sets.ts';

/** As the gateway has it. */
export const SET_NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;

export const addressOfSet = ({ name, for: whose }: Pick<ShownSet, 'name' | 'for'>): string =>
  `/sets/${encodeURIComponent(name)}${whose === 'everyone' ? '?for=everyone' : ''}`;
