// Names the address of a set, and finds the set that an address names. reference: Sets
export const SET_NAME = /^[a-z0-9][a-z0-9_-]{0,47}$/;
export const SET_NAME_RULE = 'must be 1 to 48 of a-z, 0-9, _ and -, and begin with a letter or a digit';

/** Says the same of a set that does not exist and of one of somebody else. */
export const NO_SET = 'There is no set of this name';

const FOLDER = '/mcp/sets/';

export const setPath = (name: string): string => `${FOLDER}${name}`;

/** The name of the set whose MCP server this is. Null for every other address. `base` is that of the gateway. */
export function setAt(address: string | null, base: string): string | null {
  const start = `${base}${FOLDER}`;
  if (address?.startsWith(start) !== true) return null;
  const name = address.slice(start.length).replace(/\/$/, '');
  return SET_NAME.test(name) ? name : null;
}
