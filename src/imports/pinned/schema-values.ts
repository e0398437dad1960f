// Copies JSON values out of a schema of others: bounded, and without cycles.
import { isObject } from '../../json/json.ts';

const MAX_DEPTH = 32;

/** `count` is called for each value and may throw. Strings go through `text`, and members stay whose names `keeps` takes. */
export function copyValue(
  value: unknown,
  count: () => void,
  text: (value: string) => string,
  keeps: (name: string) => boolean,
  depth = 0,
): unknown {
  count();
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || depth >= MAX_DEPTH) return typeof value === 'boolean' ? value : null;
  const inner = (part: unknown): unknown => copyValue(part, count, text, keeps, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, part]) => (keeps(name) ? [[name, inner(part)]] : [])),
      )
    : null;
}
