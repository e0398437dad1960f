// Copies plain values out of a description: defaults, constants, enumerations and examples.
import { isObject } from '../../json/json.ts';

const MAX_VALUES = 200;
const MAX_CHARACTERS = 4_000;

/** Returns undefined for a value that is large, cyclic or no JSON. YAML can make all of these. */
export function copyValue(value: unknown): unknown {
  const left = { values: MAX_VALUES, characters: MAX_CHARACTERS };
  const copy = (node: unknown): unknown => {
    if (--left.values < 0) return undefined;
    if (node === null || typeof node === 'boolean') return node;
    if (typeof node === 'number') return Number.isFinite(node) ? node : undefined;
    if (typeof node === 'string') {
      left.characters -= node.length;
      return left.characters < 0 ? undefined : node;
    }
    if (Array.isArray(node)) {
      const items: unknown[] = [];
      for (const item of node) {
        const copied = copy(item);
        if (copied === undefined) return undefined;
        items.push(copied);
      }
      return items;
    }
    if (!isObject(node)) return undefined;
    const members: [string, unknown][] = [];
    for (const [name, item] of Object.entries(node)) {
      left.characters -= name.length;
      const copied = copy(item);
      if (copied === undefined) return undefined;
      members.push([name, copied]);
    }
    return Object.fromEntries(members);
  };
  return copy(value);
}

/** Joins lines and cuts a text, and says so with an ellipsis. */
export function shorten(text: string, most: number): string {
  const tidy = text
    .slice(0, most * 4)
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
  if (tidy.length <= most) return tidy;
  const cut = tidy
    .slice(0, most - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
  return `${cut}…`;
}
