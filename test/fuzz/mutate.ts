// Mutates valid input: changes, drops, doubles and inserts bytes, and swaps values of JSON.
import type { Chance } from './chance.ts';

const FOREIGN = [
  '\0',
  '\r\n',
  '%',
  '%00',
  '%2e%2e%2f',
  '../',
  '\\',
  '"',
  "'",
  '{',
  '}',
  '[',
  ',',
  ':',
  '=',
  '&',
  ';',
  '.',
  '/',
  '-1',
  '1e999',
  '\u{1f4a9}',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  'null',
  'true',
  'a'.repeat(5_000),
];

export function mutateText(text: string, chance: Chance): string {
  let mutated = text;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const at = chance.below(mutated.length + 1);
    const length = chance.below(Math.min(8, mutated.length - at + 1));
    const [before, piece, after] = [
      mutated.slice(0, at),
      mutated.slice(at, at + length),
      mutated.slice(at + length),
    ];
    mutated = chance.pick([
      () => before + after,
      () => before + piece + piece + after,
      () => before + chance.pick(FOREIGN) + after,
      () => before + piece + chance.pick(FOREIGN) + after,
      () => before + String.fromCharCode(chance.below(256)) + after,
      () => mutated.slice(0, at),
    ])();
  }
  return mutated;
}

export function mutateBytes(bytes: Uint8Array, chance: Chance): Uint8Array<ArrayBuffer> {
  let mutated = Buffer.from(bytes);
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const at = chance.below(mutated.length + 1);
    const length = chance.below(Math.min(1_024, mutated.length - at + 1));
    mutated = chance.pick([
      () => {
        if (at < mutated.length) mutated[at] = chance.below(256);
        return mutated;
      },
      () => Buffer.concat([mutated.subarray(0, at), mutated.subarray(at + length)]),
      () => Buffer.concat([mutated.subarray(0, at + length), mutated.subarray(at)]),
      () => Buffer.concat([mutated.subarray(0, at), Buffer.alloc(length), mutated.subarray(at)]),
      () => mutated.subarray(0, at),
    ])();
  }
  return new Uint8Array(mutated);
}

const VALUES = [null, true, 0, -1, 1e308, 2 ** 53, '', 'x', '\0', [], {}, [[]], { a: 1 }, { __proto__: 1 }];

/** Replaces, drops, nests or doubles some values of a JSON text. The result is still JSON. */
export function mutateJson(json: string, chance: Chance): string {
  const paths: { holder: Record<string, unknown>; key: string }[] = [];
  const root: Record<string, unknown> = { value: JSON.parse(json) };
  collect(root, paths);
  for (let left = 1 + chance.below(3); left > 0; left--) {
    const { holder, key } = chance.pick(paths);
    const value = holder[key];
    chance.pick([
      () => (holder[key] = chance.pick(VALUES)),
      () => Reflect.deleteProperty(holder, key),
      () => (holder[key] = [value, value]),
      () => (holder[key] = { [key]: value }),
      () => (holder[mutateText(key, chance)] = value),
      () => (holder[key] = typeof value === 'string' ? mutateText(value, chance) : String(value)),
    ])();
  }
  return JSON.stringify(root['value'] ?? null);
}

function collect(
  holder: Record<string, unknown>,
  into: { holder: Record<string, unknown>; key: string }[],
): void {
  for (const [key, value] of Object.entries(holder)) {
    into.push({ holder, key });
    // An array is a record of its indexes.
    if (typeof value === 'object' && value !== null) collect(value as Record<string, unknown>, into);
  }
}
