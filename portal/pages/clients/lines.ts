// Makes the lines for a client: the text that the screen shows, and the text that is copied or opened.
import { HIDDEN_KEY, withKey } from './with-key.ts';

export interface Lines {
  shown: () => string;
  whole: () => string | Promise<string>;
}

/** Shows dots instead of the key, and inserts the key when the line is copied. */
export function withHiddenKey(recipe: (origin: string, key: string) => string): Lines {
  return {
    shown: () => recipe(location.origin, HIDDEN_KEY),
    whole: () => withKey((key) => recipe(location.origin, key)),
  };
}

/** Makes a line without a key, for a client that signs in. */
export function withoutKey(recipe: (origin: string, key: null) => string): Lines {
  const line = () => recipe(location.origin, null);
  return { shown: line, whole: line };
}
