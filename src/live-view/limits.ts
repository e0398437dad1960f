// The limits of the live view. reference: Limits

export const LIVE_VIEW_BATCH = 64;
export const LIVE_VIEW_KEEPALIVE_MS = 15_000;
export const LIVE_VIEW_REAP_MS = 120_000;
export const LIVE_VIEW_QUEUE_BYTES = 8 * 1024 * 1024;
export const LIVE_VIEW_TEXT = 64 * 1024;
