// The limits of sets. reference: Limits

export const SETS_PER_OWNER = 50;
export const TOOLS_PER_SET = 64;
export const SERVERS_PER_SET = 8;
/** How long the last use of a set by a caller is remembered. */
export const SET_USE_KEPT_SECONDS = 90 * 86_400;
/** The callers of a set that are shown. */
export const SHOWN_USES = 50;
