// The limits of the search. reference: Limits

export const SEARCH_MAX_HITS = 50;
