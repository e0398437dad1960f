// A look at the store that all who ask in one turn of the event loop share.
// No answer is older than the turn its question came in; who writes says `forget`, and the write is seen at once.
import type { Clock } from '../ports/clock.ts';

export interface Glance<T> {
  at: (key: string) => Promise<T>;
  forget: () => void;
}

export function createGlance<T>(clock: Clock, look: (key: string) => Promise<T>): Glance<T> {
  let seen = new Map<string, Promise<T>>();
  const forget = () => {
    seen = new Map();
  };

  return {
    forget,
    at(key) {
      const standing = seen.get(key);
      if (standing !== undefined) return standing;
      const looking = look(key);
      if (seen.size === 0) void clock.turn().then(forget);
      seen.set(key, looking);
      return looking;
    },
  };
}
