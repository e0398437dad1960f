// The limits of json. reference: Limits

export const ERROR_BYTES = 2_048;
/** What the JSON of a service may hold. Parsing it stalls other requests for a tenth of a second. */
export const ANSWER_VALUES = 1_000_000;

/** The work of a `select`. A visited node, an item of a new list or some characters that are read take one unit. */
export const MAX_WORK = 1_000_000;
export const CHARACTERS_PER_UNIT = 16;
/** A comparison of two numbers takes half as long as a visit. */
export const UNITS_PER_COMPARISON = 1 / 2;
/** Other requests run after this much work: some ten milliseconds. */
export const WORK_PER_TURN = 50_000;
