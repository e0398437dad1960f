// Gives guides that the program carries.
import type { ReadGuides } from '../../src/ports/guides.ts';

export function createMemoryGuides(guides: Readonly<Record<string, string>>): ReadGuides {
  const known = new Map(Object.entries(guides));
  return async () => known;
}
