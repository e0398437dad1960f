// Decides when something that failed is tried again.
import type { Random } from '../../ports/random.ts';

/** Seconds after the first failure, the second, and so on: about a day in all. */
const DELAYS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 3_600, 2 * 3_600, 4 * 3_600, 8 * 3_600];
/** Keeps deliveries that failed together from returning together. */
const JITTER = 0.2;

/** `failures` is at least 1. */
export function delayAfter(failures: number, random: Random): number {
  const delay = DELAYS[Math.min(failures, DELAYS.length) - 1] ?? 0;
  const [byte = 0] = random.bytes(1);
  return Math.round(delay * (1 + JITTER * (byte / 127.5 - 1)));
}
