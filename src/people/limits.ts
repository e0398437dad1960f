// The limits of the administration of people. reference: Limits

/** How long every process has to end what it holds of a deleted person before the rows go. */
export const ERASE_AFTER_SECONDS = 150;
export const ERASE_LEASE_SECONDS = 600;
/** How long a round of the maintenance deletes people. */
export const ERASURES_MS = 20_000;
/** The actors that one step erases: all of its statements run in one transaction, and others wait for it. */
export const ERASED_ACTORS = 250;
/** How long a round erases actors, with its pauses. */
export const ERASE_ACTORS_MS = 30_000;
export const ERASE_ACTORS_LEASE_SECONDS = 120;
/** The rows of a page of people or of registered clients. */
export const ADMINISTRATION_PAGE = 100;
