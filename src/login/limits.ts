// The limits of the sign-in. reference: Limits

export const ID_TOKEN_TOLERANCE_SECONDS = 60;
/** How long an identity assertion may be valid. Providers issue them for five minutes. */
export const ASSERTION_SECONDS = 600;
export const ASSERTION_CHARACTERS = 16_384;
export const PROVIDER_TIMEOUT_MS = 5_000;
export const PROVIDER_ANSWER_BYTES = 1024 * 1024;
export const REQUEST_COOKIE_CHARACTERS = 3_900;
export const USED_STATE_EXTRA_SECONDS = 60;
