// Keeps what was parsed of the texts that come most often, because the same stored text comes with many calls.
import { createLru } from './lru.ts';

const MAX_TEXTS = 1_000;

/** A text that `parse` throws for is parsed again the next time. */
export function rememberParsed<T extends object>(parse: (text: string) => T): (text: string) => T {
  const known = createLru<T>(MAX_TEXTS);
  return function read(text) {
    const kept = known.get(text);
    if (kept !== undefined) return kept;
    const parsed = parse(text);
    known.set(text, parsed, 1);
    return parsed;
  };
}
