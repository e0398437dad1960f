// The limits of the maintenance. reference: Limits

export const SWEEP_MS = 60_000;
/** How long a round deletes, with its pauses. The next round goes on. */
export const SWEEP_ROUND_MS = 20_000;
export const HEALTH_CHECK_MS = 2_000;
export const HEALTH_CACHE_MS = 1_000;
/** How long a disk that took a write counts as not full. */
export const DISK_CACHE_MS = 10_000;
export const CLOCK_JUMP_SECONDS = 3_600;
export const PURGE_SECONDS = 3_600;
