// The limits of json. reference: Limits

export const ERROR_BYTES = 2_048;
