// The limits of the memory and of what waits. reference: Limits

export const BATCH_BYTES = 128 * 1024 * 1024;
/** The part of the memory of all calls that the results of one batch may take. */
export const BATCH_PART = 8;
/** A longer text takes ten milliseconds or more to read, and gets a turn of its own. */
export const HEAVY_TEXT = 1024 * 1024;
/** A heavy step is followed by a pause of this part of its time, in which the small calls that have waited are served. */
export const HEAVY_PAUSE_PART = 1 / 4;
export const MAX_HEAVY_PAUSE_MS = 100;
export const UNCOUNTED_REQUEST_BYTES = 64 * 1024;
export const HASHES_AT_ONCE = 2;
export const HASHES_WAITING = 5;
/** What `mapInTurns` does in one turn of the event loop: the definitions of 50 tools take some ten milliseconds. */
export const ITEMS_PER_TURN = 50;
