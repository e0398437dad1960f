// Makes the lines for a client: the text that the screen shows, and the text that is copied or opened.
import { HIDDEN_KEY, withKey } from './with-key.ts';

export interface Lines {
  shown: () => string;
  whole: () => string | Promise<string>;
}

/** Shows dots instead of the key, and inserts the key when the line is copied. */
export function withHiddenKey(
  recipe: (origin: string, key: string, set?: string) => string,
  set?: string,
): Lines {
  return {
    shown: () => recipe(location.origin, HIDDEN_KEY, set),
    whole: () => withKey((key) => recipe(location.origin, key, set)),
  };
}

/** Makes a line without a key, for a client that signs in. */
export function withoutKey(recipe: (origin: string, key: null, set?: string) => string, set?: string): Lines {
  const line = () => recipe(location.origin, null, set);
  return { shown: line, whole: line };
}
