// The limits of json. reference: Limits

export const ERROR_BYTES = 2_048;
/** What the JSON of a service may hold. Parsing it stalls other requests for a tenth of a second. */
export const ANSWER_VALUES = 1_000_000;
