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
export const STOP_MS = 10_000;
export const STOP_SWEEP_MS = 1_000;
export const SWEEP_MS = 60_000;
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
export const PURGE_SECONDS = 3_600;
export const CHECKED_AFTER_SECONDS = 24 * 3_600;
/** A gateway with more connections than 28,800 checks each of them less than once a day. */
export const CHECKS_PER_ROUND = 20;
export const CHECKS_AT_ONCE = 4;
export const CHECK_ROUND_MS = 5_000;
export const CHECK_LEASE_SECONDS = 120;
export const CLIENT_IDLE_SECONDS = 90 * 24 * 3_600;
export const CLIENT_UNUSED_SECONDS = 24 * 3_600;
// Every twentieth registration of a process trims the never-used clients to 9,800, so ten processes stay below 10,000.
export const UNUSED_CLIENTS = 10_000;
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
