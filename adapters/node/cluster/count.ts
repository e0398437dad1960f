// Reads how many processes WORKERS asks for, before anything else is loaded.
import { availableParallelism } from 'node:os';

/** A wrong value counts as 1: that process reads the whole configuration, and says what is wrong. */
export function countWorkers(given = ''): number {
  const text = given.trim();
  if (text === 'auto') return availableParallelism();
  return /^\d{1,3}$/.test(text) && Number(text) > 0 ? Number(text) : 1;
}
