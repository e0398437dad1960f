// Removes what says nothing from the answer of an API, so that a model reads less.

/** Leaves out members that are undefined. */
export function withoutUndefined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

/** Leaves out members that are null, and empty texts, lists and objects, at every depth. Items of lists stay. */
export function withoutEmpty(value: Readonly<Record<string, unknown>>): Record<string, unknown>;
export function withoutEmpty(value: unknown): unknown;
export function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => !isEmpty(member)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
