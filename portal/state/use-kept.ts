// State that outlives its component: what was typed is still there when the person comes back.
import { forThisPerson, keep, useCached } from './cache.ts';

export function useKept<T>(key: string, initial: T): [T, (value: T) => void] {
  // Each key belongs to one kind of component, so what lies under it has that component's type.
  const value = useCached(key) as T | undefined;
  return [value ?? initial, forThisPerson((next) => keep(key, next))];
}
