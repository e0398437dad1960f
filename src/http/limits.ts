// The limits of requests and answers. reference: Limits

export const LOGO_MAX_AGE_SECONDS = 86_400;
export const BODY_BYTES = 4 * 1024 * 1024;
export const BODY_VALUES = 200_000;
export const SEND_JSON_MS = 60_000;
export const SEND_JSON_MIN_BYTES_PER_MS = 64;
export const OAUTH_BODY_BYTES = 64 * 1024;
export const ADDRESS_WINDOW_SECONDS = 60;
export const SIGN_INS_BY_ADDRESS = 60;
export const REFUSALS_BY_ADDRESS = 120;
export const UPLOAD_SECONDS = 900;
/** How many offers of an upload that nobody has used yet a person has, of jots and of files. */
export const UPLOADS_OFFERED = 100;
export const UPLOAD_READ_ON_MS = 30_000;
