// Writes values as the fields of a form or a query: `a[b]=1` for an object, `a[0]=1` for a list.
import { writeJson } from '../json/exact-integers.ts';

/** Yields each field with its value. Undefined values are left out; null becomes an empty text, which removes a value. */
export function* nestedFields(
  name: string,
  value: unknown,
): Generator<readonly [name: string, value: string]> {
  if (value === undefined) return;
  if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* nestedFields(`${name}[${key}]`, item);
    return;
  }
  if (value === null) return yield [name, ''];
  yield [name, typeof value === 'string' ? value : writeJson(value)];
}
