// The limits of credentials and sessions. reference: Limits

export const SESSION_SECONDS = 24 * 3_600;
export const SESSION_TOLERANCE_SECONDS = 5;
export const FLOW_SECONDS = 600;
export const CURL_SESSION_DEFAULT_SECONDS = 900;
export const CURL_SESSION_MAX_SECONDS = 3_600;
export const CURL_SESSION_MAX_INTEGRATIONS = 20;
/** How long a process may not know that somebody lost their access. */
export const ENDINGS_FRESH_MS = 1_000;
/** While something runs, the list of endings is looked at this often. */
export const ENDINGS_WATCH_MS = 1_000;
/** Clocks of processes differ: work that began this soon after an ending which this process had not seen ends with it. */
export const ENDINGS_CLOCK_SECONDS = 5;
export const AGENT_KEYS_PER_PERSON = 100;
/** The last use of a key or a client is noted at most this often. */
export const AGENT_KEY_USE_SECONDS = 60;
