// Counts the days until a time.
const DAY_MS = 24 * 3600 * 1000;

/** Days from now until the time in Unix seconds, rounded. */
export function daysUntil(seconds: number): number {
  return Math.max(0, Math.round((seconds * 1000 - Date.now()) / DAY_MS));
}
