// The limits of long results. reference: Limits

export const RESULT_CHARACTERS = 60_000;
export const STORED_RESULT_SECONDS = 3_600;
export const STORED_RESULT_BYTES = 16 * 1024 * 1024;
