// Writes JSON in its one canonical form, so that equal values have equal digests. RFC 8785

const MAX_DEPTH = 500;

/** Throws a TypeError for what JSON cannot say: a lone surrogate, a number that is not finite, a Date, or a value too deep. */
export function canonicalJson(value: unknown, depth = 0): string {
  if (depth > MAX_DEPTH) throw new TypeError('The value is nested too deeply');
  if (typeof value === 'string' || typeof value === 'number') return primitive(value);
  // An integer that a number cannot hold keeps its digits: another integer is another value.
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') throw new TypeError(`JSON has no ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  if (!isPlain(value)) throw new TypeError('JSON has only plain objects');
  // Strings compare by their UTF-16 units, as the RFC wants it.
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => `${primitive(key)}:${canonicalJson(member, depth + 1)}`);
  return `{${members.join(',')}}`;
}

/** The RFC writes strings and numbers as ECMAScript does. */
function primitive(value: string | number): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError('A number is not finite');
  if (typeof value === 'string' && !value.isWellFormed()) throw new TypeError('A text has a lone surrogate');
  return JSON.stringify(value);
}

/** A Date or a Map has no members that tell it from another one. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
