// The limits of the search. reference: Limits

export const SEARCH_MAX_HITS = 50;
/** The map of a weak answer, and of one that is not sure. */
export const MAP_MAX_INTEGRATIONS = 40;
export const MAP_UNSURE_INTEGRATIONS = 8;
export const MAP_MAX_BYTES = 2_000;
