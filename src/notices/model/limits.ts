// The limits of notices and of the outbox. reference: Limits; decision: 062

export const CHANNELS_PER_PERSON = 10;
export const EVENT_DESTINATIONS_PER_PERSON = 20;
/** What may wait for a person, and what is kept of what has ended. */
export const DELIVERIES_PER_PERSON = { queued: 1_000, rows: 2_000, characters: 8 * 1024 ** 2 };
/** How long a delivery can be seen. Longer than a key notice is early, so that it is sent once. */
export const DELIVERY_KEPT_SECONDS = 14 * 24 * 3_600;
/** How long a delivery is tried. */
export const GIVE_UP_SECONDS = 24 * 3_600;
/** The payload of a delivery, before it is sealed. */
export const MAX_PAYLOAD_CHARACTERS = 64 * 1024;
export const TESTS_PER_HOUR = 20;
export const MAILS_PER_HOUR = 12;
/** How long a mail waits for others. */
export const MAIL_BATCH_SECONDS = 60;
export const NOTICES_PER_MAIL = 50;

/** An attempt holds its delivery for so long. Longer than any attempt takes. */
export const ATTEMPT_LEASE_SECONDS = 120;
export const ATTEMPT_MS = 10_000;
export const ANSWER_BYTES = 16 * 1024;
/** The attempts of a process at once, and those of one person among them. */
export const ATTEMPTS_AT_ONCE = 16;
export const ATTEMPTS_OF_PERSON = 4;
/** How many destinations one look at the outbox finds. */
export const LOOK_ROWS = 64;
/** How long a round on an edge runtime sends. */
export const ROUND_MS = 20_000;
/** The longest time for which nothing is tried at a destination that fails. */
export const MAX_PAUSE_SECONDS = 3_600;
export const LAST_ERROR_CHARACTERS = 300;
export const DELIVERIES_PAGE = 50;
