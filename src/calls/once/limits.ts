// The limits of keys of executions. reference: Keys of executions

/** The longest key, in characters. */
export const KEY_CHARACTERS = 255;
/** How long a key holds. */
export const KEY_SECONDS = 24 * 3_600;
export const KEYS_PER_PERSON = 10_000;
/** A run that no process has kept alive for this long is lost. */
export const KEY_RUN_SECONDS = 45;
export const KEY_RUN_BEAT_MS = 15_000;
/** A larger result is not kept. Every database takes one of this size in a row, sealed. */
export const KEPT_RESULT_BYTES = 512 * 1024;
