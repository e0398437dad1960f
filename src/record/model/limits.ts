// The limits of the record of calls. reference: Limits

export const AUDIT_PAGE = 50;
export const AUDIT_LOOK = 5_000;
/** Failed rows lie far apart, so each costs a read of its own. */
export const AUDIT_FAILED_LOOK = 1_000;
export const AUDIT_FAILURE_GROUPS = 100;
/** The rows that a histogram counts, and the bars that it has. */
export const AUDIT_HISTOGRAM_LOOK = 20_000;
export const AUDIT_HISTOGRAM_BARS = 72;
/** An export reads so many rows when the caller has read the rows before. */
export const AUDIT_EXPORT_ROWS = 500;
/** How long the arguments and results of calls are kept. decision: 040 */
export const CALL_DETAILS_SECONDS = 24 * 3_600;
export const CALL_ARGUMENT_CHARACTERS = 16 * 1024;
export const CALL_RESULT_CHARACTERS = 32 * 1024;
/** The limit of each person, in sealed characters. */
export const CALL_DETAILS_PER_PERSON = 500;
export const CALL_DETAILS_PERSON_CHARACTERS = 8 * 1024 * 1024;
/** Details are written together after this time. The calls of one person, and of all, that wait for it at most. */
export const CALL_DETAILS_WRITE_MS = 900;
export const CALL_DETAILS_WAITING_PER_PERSON = 50;
export const CALL_DETAILS_WAITING = 200;
export const AUDIT_SEGMENT_ROWS = 1_000;
export const AUDIT_SEGMENT_SECONDS = 600;
export const AUDIT_SEGMENTS_PER_ROUND = 100;
export const AUDIT_SEAL_ROUND_MS = 30_000;
export const AUDIT_SEGMENTS_PAGE = 100;
export const AUDIT_SEAL_LEASE_SECONDS = 300;
export const AUDIT_HEADS_PER_ROUND = 50;
export const AUDIT_HEADS_TIMEOUT_MS = 10_000;
export const AUDIT_HEADS_BACK_OFF_ROUNDS = 64;
/** A segment is one request to the collector. */
export const AUDIT_PUSH_SEGMENTS_PER_ROUND = 50;
export const AUDIT_PUSH_TIMEOUT_MS = 30_000;
export const AUDIT_PUSH_LEASE_SECONDS = 300;
export const AUDIT_DELIVERY_LEASE_SECONDS = 300;
export const AUDIT_PRUNED_PER_ROUND = 100;
export const AUDIT_PRUNE_LEASE_SECONDS = 300;
// How audit rows are counted. decision: 040
/** The rows that one step counts at most. */
export const USAGE_PORTION = 500;
/** How long a round counts, with its pauses. A database that was filled before takes several rounds. */
export const USAGE_ROUND_MS = 30_000;
export const USAGE_LEASE_SECONDS = 120;
export const USAGE_HOUR_SECONDS = 70 * 24 * 3_600;
export const USAGE_DAY_SECONDS = 400 * 24 * 3_600;
/** The rows that an answer counts itself, because no round has yet. */
export const USAGE_TAIL = 5_000;
/** The rows of each list of an answer. */
export const USAGE_LIST = 10;
export const USAGE_LIST_MOST = 50;
