// How many calls the explorer made in this browser: they stand in the audit like everybody's, but are no client's.
const KEY = 'svc_own_runs';

export function ownRuns(): number {
  return Number(localStorage.getItem(KEY) ?? 0);
}

export function countOwnRun(): void {
  localStorage.setItem(KEY, String(ownRuns() + 1));
}

/** The next person's runs are not these. */
export function forgetOwnRuns(): void {
  localStorage.removeItem(KEY);
}
