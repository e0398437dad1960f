// How long a stop may take.

export const STOP_MS = 10_000;
/** Calls of local servers. Ending the programs takes three seconds more, so all is done within the ten of docker stop. */
export const STOP_LOCAL_CALLS_MS = 3_000;
export const STOP_SWEEP_MS = 1_000;
