// Finds variables of the environment that are probably misspelt names of settings. It never looks at a value.
import { editDistance } from './edit-distance.ts';

export interface Misspelt {
  variable: string;
  /** The setting that was probably meant. */
  meant: string;
  /** Whether the setting is there as well. */
  isMeantSet: boolean;
}

/** What the operator can do. */
export const hintOf = ({ meant, isMeantSet }: Misspelt): string =>
  isMeantSet ? `${meant} is set too, and this one is ignored` : `did you mean ${meant}?`;

const MAX_SLIPS = 2;
/** Shorter names, such as PORT and HOST, resemble too many variables of other software. */
const MIN_NAME_LENGTH = 8;

/** A setting that is absent was meant rather than one that is there. An empty variable counts as absent. */
export function findMisspelt(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): Misspelt[] {
  const given = Object.keys(env).filter((name) => (env[name] ?? '').trim() !== '');
  const known = new Set(settings);
  const long = settings.filter((name) => name.length >= MIN_NAME_LENGTH);
  return given.flatMap((variable) => {
    if (known.has(variable)) return [];
    const alike = long.filter((name) => isLike(variable.toUpperCase(), name));
    const meant = alike.find((name) => !given.includes(name)) ?? alike[0];
    return meant === undefined ? [] : [{ variable, meant, isMeantSet: given.includes(meant) }];
  });
}

function isLike(variable: string, name: string): boolean {
  if (Math.abs(variable.length - name.length) > MAX_SLIPS) return false;
  return sortWords(variable) === sortWords(name) || editDistance(variable, name) <= MAX_SLIPS;
}

const sortWords = (name: string): string => name.split('_').toSorted().join('_');
