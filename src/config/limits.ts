// Declares every number of the contract. reference: Limits
export const RESULT_CHARACTERS = 60_000;
/** The least that a caller may ask for with maxChars. */
export const MIN_SHOWN_CHARACTERS = 1_000;
export const POOL_SIZE = 8;
export const WAIT_DEFAULT_SECONDS = 300;
export const WAIT_MAX_SECONDS = 900;
export const WAIT_POLL_MS = 1_000;
export const WAIT_KEEPALIVE_MS = 15_000;
export const SESSION_SECONDS = 24 * 3_600;
export const SESSION_TOLERANCE_SECONDS = 5;
export const FLOW_SECONDS = 600;
export const TOKEN_LEAD_SECONDS = 30;
export const ID_TOKEN_TOLERANCE_SECONDS = 60;
/** How long an identity assertion may be valid. Providers issue them for five minutes. */
export const ASSERTION_SECONDS = 600;
export const ASSERTION_CHARACTERS = 16_384;
export const CODE_SECONDS = 60;
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3_600;
export const LOGO_MAX_AGE_SECONDS = 86_400;
export const CURL_SESSION_DEFAULT_SECONDS = 900;
/** The accounts of one person at one integration. */
export const MAX_ACCOUNTS = 20;
export const CURL_SESSION_MAX_SECONDS = 3_600;
export const CURL_SESSION_MAX_INTEGRATIONS = 20;
export const SEARCH_MAX_HITS = 50;
export const SCHEMAS_AT_ONCE = 50;

export const LIVE_VIEW_BATCH = 64;
export const LIVE_VIEW_KEEPALIVE_MS = 15_000;
export const LIVE_VIEW_REAP_MS = 120_000;

export const JOT_COOKIE_SECONDS = 2_592_000;

// The contract does not set these numbers. decision: 014, 016, 020, 031, 032, 038, 040, 043, 045, 057, 060, 073, 074, 086
export const BODY_BYTES = 4 * 1024 * 1024;
export const EXECUTIONS = 10_000;
export const BODY_VALUES = 200_000;
export const BATCH_BYTES = 128 * 1024 * 1024;
/** The part of the memory of all calls that the results of one batch may take. */
export const BATCH_PART = 8;
export const UNCOUNTED_REQUEST_BYTES = 64 * 1024;
export const SEND_JSON_MS = 60_000;
export const SEND_JSON_MIN_BYTES_PER_MS = 64;
export const STORED_RESULT_SECONDS = 3_600;
export const STORED_RESULT_BYTES = 16 * 1024 * 1024;
export const HASHES_AT_ONCE = 2;
export const HASHES_WAITING = 5;
export const ERROR_BYTES = 2_048;
export const AUDIT_PAGE = 50;
export const AUDIT_LOOK = 5_000;
/** Failed rows lie far apart, so each costs a read of its own. */
export const AUDIT_FAILED_LOOK = 1_000;
export const AUDIT_FAILURE_GROUPS = 100;
/** An export reads so many rows when the caller has read the rows before. */
export const AUDIT_EXPORT_ROWS = 500;
/** How long the arguments and results of calls are kept. decision: 130 */
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
export const AUDIT_DELIVERY_LEASE_SECONDS = 300;
export const AUDIT_PRUNED_PER_ROUND = 100;
export const AUDIT_PRUNE_LEASE_SECONDS = 300;
export const STOP_MS = 10_000;
export const STOP_SWEEP_MS = 1_000;
export const SWEEP_MS = 60_000;
/** How long a round deletes, with its pauses. The next round goes on. */
export const SWEEP_ROUND_MS = 20_000;
export const HEALTH_CHECK_MS = 2_000;
export const HEALTH_CACHE_MS = 1_000;
export const CLOCK_JUMP_SECONDS = 3_600;
export const PROVIDER_TIMEOUT_MS = 5_000;
export const PROVIDER_ANSWER_BYTES = 1024 * 1024;
export const OAUTH_BODY_BYTES = 64 * 1024;
export const CLIENT_STATE_BYTES = 2_048;
export const AUTHORIZE_REQUEST_BYTES = 5_632;
export const TICKET_CHARACTERS = 1_700;
export const REQUEST_COOKIE_CHARACTERS = 3_900;
export const USED_STATE_EXTRA_SECONDS = 60;
export const REDIRECT_URIS = 20;
export const REDIRECT_URI_CHARACTERS = 2_048;
export const CLIENT_NAME_CHARACTERS = 200;
export const REUSE_GRACE_SECONDS = 60;
export const CAPTURE_TOLERANCE_SECONDS = 3_600;
/** How long every process has to end what it holds of a deleted person before the rows go. */
export const ERASE_AFTER_SECONDS = 150;
export const ERASE_LEASE_SECONDS = 600;
/** How long a process may not know that somebody lost their access. */
export const ENDINGS_FRESH_MS = 1_000;
/** While something runs, the list of endings is looked at this often. */
export const ENDINGS_WATCH_MS = 1_000;
/** Clocks of processes differ: work that began this soon after an ending which this process had not seen ends with it. */
export const ENDINGS_CLOCK_SECONDS = 5;
export const PURGE_SECONDS = 3_600;
export const CHECKED_AFTER_SECONDS = 24 * 3_600;
/** The rows of a page of people or of registered clients. */
export const ADMINISTRATION_PAGE = 100;
/** A gateway with more connections than 28,800 checks each of them less than once a day. */
export const CHECKS_PER_ROUND = 20;
export const CHECKS_AT_ONCE = 4;
export const CHECK_ROUND_MS = 5_000;
export const CHECK_LEASE_SECONDS = 120;
export const CLIENT_IDLE_SECONDS = 90 * 24 * 3_600;
export const CLIENT_UNUSED_SECONDS = 24 * 3_600;
// Every twentieth registration of a process trims the never-used clients to 9,800, so ten processes stay below 10,000.
export const UNUSED_CLIENTS_KEPT = 9_800;
export const REGISTRATIONS_BETWEEN_TRIMS = 20;
export const REGISTRATION_BYTES = 4_096;
export const ADDRESS_WINDOW_SECONDS = 60;
export const SIGN_INS_BY_ADDRESS = 60;
export const REFUSALS_BY_ADDRESS = 120;
export const CLIENT_DOCUMENT_SECONDS = 600;
export const CLIENT_DOCUMENTS = 1_000;
export const LIVE_VIEW_QUEUE_BYTES = 8 * 1024 * 1024;
export const LIVE_VIEW_TEXT = 64 * 1024;
export const UPLOAD_SECONDS = 900;
export const UPLOAD_READ_ON_MS = 30_000;
export const FILE_SECONDS = 24 * 3_600;
export const FILE_LINK_SECONDS = 3_600;
export const FILE_BYTES = 512 * 1024 * 1024;
export const FILES_PER_PERSON = 1_000;
export const FILES_PAGE = 100;
export const FILE_ARGUMENT_BYTES = 64 * 1024;
export const TOOL_FILE_BYTES = 32 * 1024 * 1024;
export const FILE_TEXT_BYTES = 50_000;
/** What a driver may hold of an upload: two parts. */
export const FILE_TRANSFER_BYTES = 16 * 1024 * 1024;
export const JOT_UNLOCK_TRIES = 5;
export const JOT_UNLOCK_WINDOW_SECONDS = 60;
export const JOT_PREFLIGHT_SECONDS = 600;

// The times of collecting jot blobs. A deploy ends long before the sweep may take its staged blobs. A blob that left a
// jot is kept for readers that have just read where it is. docs/storage.md
export const JOT_DEPLOY_SECONDS = 1_800;
export const JOT_STAGED_SECONDS = 24 * 3_600;
export const JOT_RETIRED_SECONDS = 3_600;
export const JOT_SWEEP_SECONDS = 3_600;

/** How many versions of a jot are kept, with the live one. */
export const JOT_VERSIONS = 10;
/** The part of a person's bytes that earlier versions may take. */
export const JOT_VERSIONS_PART = 1 / 4;
/** How long views are recent, and how long counted views wait for their write. */
export const JOT_VIEW_DAYS = 30;
export const JOT_VIEWS_FLUSH_SECONDS = 60;

export const AGENT_KEYS_PER_PERSON = 100;
/** The last use of a key or a client is noted at most this often. */
export const AGENT_KEY_USE_SECONDS = 60;
export const RULES_PER_LIST = 500;
export const LIMITED_INTEGRATIONS = 200;
export const APPROVALS_PER_CALLER = 100;
export const APPROVAL_ARGUMENT_CHARACTERS = 256 * 1024;
export const APPROVALS_PAGE = 200;
/** How long finished approvals are kept for the person to look at. */
export const APPROVAL_KEPT_SECONDS = 7 * 24 * 3_600;
/** A run that no process has kept alive for this long is lost. */
export const APPROVAL_RUN_SECONDS = 45;
export const APPROVAL_RUN_BEAT_MS = 15_000;
export const APPROVAL_POLL_MS = 1_000;
/** How long one repeat of a call waits for its decision, and how often a client is asked to repeat. */
export const APPROVAL_ROUND_MS = 45_000;
export const APPROVAL_ROUNDS = 8;

// How audit rows are counted. decision: 127
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
