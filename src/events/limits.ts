// Bounds events. reference: Event subscriptions
export const EVENTS_PER_PERSON = 10_000;
export const EVENT_CHARACTERS_PER_PERSON = 128 * 1024 * 1024;
export const KEPT_SECONDS = 7 * 24 * 60 * 60;
/** Webhooks, watches and schedules count each for itself. */
export const SUBSCRIPTIONS_PER_PERSON = 100;
export const HOOK_BYTES = 1024 * 1024;
export const DELIVERIES_PER_MINUTE = 10_000;
export const HOOK_TOLERANCE_SECONDS = 300;
/** A secret that was replaced is taken for so long. */
export const OLD_SECRET_SECONDS = 24 * 60 * 60;
/** A refusal is noted once in so long. */
export const REFUSAL_NOTE_SECONDS = 60;
export const MIN_EVERY_SECONDS = 60;
export const MAX_EVERY_SECONDS = 7 * 24 * 60 * 60;
export const WATCH_ITEMS = 1_000;
/** What a trial of a watch shows. */
export const TRIAL_ITEMS = 5;
export const TRIAL_CHARACTERS = 100_000;
export const ITEM_ID_CHARACTERS = 500;
export const RUN_SECONDS = 60;
export const LEASE_SECONDS = 120;
export const RUNS_AT_ONCE = 8;
export const RUNS_A_ROUND = 500;
export const ROUND_SECONDS = 60;
export const MAX_BACK_OFF_SECONDS = 60 * 60;
/** Without a run for so many intervals a subscription is stalled. */
export const STALLED_INTERVALS = 3;
export const WAIT_SECONDS = 50;
export const READ_EVENTS = 200;
export const READ_CHARACTERS = 400_000;
/** What an address gets of a payload. The outbox takes 64 KiB, with all that is around it. */
export const FORWARDED_CHARACTERS = 60_000;
export const FORWARD_EVENTS = 100;
export const FORWARDS_A_PAGE = 100;
/** How long nothing is sent on for a subscription whose person has as much waiting as the outbox takes. */
export const FULL_WAIT_MS = 5_000;
export const WRITE_EVENTS = 500;
export const WRITE_CHARACTERS = 8 * 1024 * 1024;
/** How often those who wait are looked after where no process can wake another, and where one can. */
export const LOOK_MS = 1_000;
export const SLOW_LOOK_MS = 5_000;
