// Provides state that outlives its component, so that typed text is still there when the person returns.
import { forThisPerson, keep } from './cache.ts';
import { useCached } from './use-cached.ts';

export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  // Each key belongs to one kind of component, so its value has that component's type.
  const value = useCached(key) as T | undefined;
  return [value ?? initial, forThisPerson((next) => keep(key, next))];
}
