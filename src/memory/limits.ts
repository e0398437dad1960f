// The limits of the memory and of what waits. reference: Limits

export const BATCH_BYTES = 128 * 1024 * 1024;
/** The part of the memory of all calls that the results of one batch may take. */
export const BATCH_PART = 8;
export const UNCOUNTED_REQUEST_BYTES = 64 * 1024;
export const HASHES_AT_ONCE = 2;
export const HASHES_WAITING = 5;
/** What `mapInTurns` does in one turn of the event loop: the definitions of 50 tools take some ten milliseconds. */
export const ITEMS_PER_TURN = 50;
