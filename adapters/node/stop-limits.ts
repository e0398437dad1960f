// How long a stop may take.

export const STOP_MS = 10_000;
export const STOP_SWEEP_MS = 1_000;
