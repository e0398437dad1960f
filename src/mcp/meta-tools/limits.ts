// The limits of the meta-tools. reference: Limits

/** The least that a caller may ask for with maxChars. */
export const MIN_SHOWN_CHARACTERS = 1_000;
export const WAIT_DEFAULT_SECONDS = 300;
export const WAIT_MAX_SECONDS = 900;
export const WAIT_POLL_MS = 1_000;
export const WAIT_KEEPALIVE_MS = 15_000;
export const SCHEMAS_AT_ONCE = 50;
/** How long one repeat of a call waits for its decision, and how often a client is asked to repeat. */
export const APPROVAL_ROUND_MS = 45_000;
export const APPROVAL_ROUNDS = 8;
