// Lines for a client: what the screen shows of them, and what is copied or opened.
import { HIDDEN_KEY, withKey } from './with-key.ts';

export interface Lines {
  shown: () => string;
  whole: () => string | Promise<string>;
}

/** The key is put in when the line is asked for. */
export function withHiddenKey(recipe: (origin: string, key: string) => string): Lines {
  return {
    shown: () => recipe(location.origin, HIDDEN_KEY),
    whole: () => withKey((key) => recipe(location.origin, key)),
  };
}

/** The client signs in by itself. */
export function withoutKey(recipe: (origin: string, key: null) => string): Lines {
  const line = () => recipe(location.origin, null);
  return { shown: line, whole: line };
}
