// The limits of connections. reference: Limits

export const TOKEN_LEAD_SECONDS = 30;
/** The accounts of one person at one integration. */
export const MAX_ACCOUNTS = 20;
export const CAPTURE_TOLERANCE_SECONDS = 3_600;
export const CHECKED_AFTER_SECONDS = 24 * 3_600;
/** A gateway with more connections than 28,800 checks each of them less than once a day. */
export const CHECKS_PER_ROUND = 20;
export const CHECKS_AT_ONCE = 4;
export const CHECK_ROUND_MS = 5_000;
export const CHECK_LEASE_SECONDS = 120;
