// Counts the calls that the explorer made in this browser. The audit lists them, but no client made them.
const KEY = 'svc_own_runs';

export function ownRuns(): number {
  return Number(localStorage.getItem(KEY) ?? 0);
}

export function countOwnRun(): void {
  localStorage.setItem(KEY, String(ownRuns() + 1));
}

/** Forgets the count, because the next person has other runs. */
export function forgetOwnRuns(): void {
  localStorage.removeItem(KEY);
}
