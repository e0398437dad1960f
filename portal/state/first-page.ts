// Remembers in this browser that the person has something to look at, so that the next visit begins with the overview at once.
import { keep } from './cache.ts';
import { useCached } from './use-cached.ts';

const KEY = 'svc_overview';
const SHOWN = 'first-page';

export function beginsWithOverview(): boolean {
  return localStorage.getItem(KEY) !== null;
}

export function rememberOverview(hasSomething: boolean): void {
  if (hasSomething) localStorage.setItem(KEY, '1');
  else localStorage.removeItem(KEY);
}

/** Notes which page the first one is, for the navigation. */
export function showFirst(path: string): void {
  keep(SHOWN, path);
}

export function useFirst(): string | undefined {
  // Only `showFirst` uses the key.
  return useCached(SHOWN) as string | undefined;
}
