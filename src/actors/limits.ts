// The limits of service keys, actors and their links. reference: Limits
export const SERVICE_KEYS = 100;
export const RETURN_ADDRESSES = 20;
export const RETURN_ADDRESS_CHARACTERS = 2_000;
/** A picture of 48 px, as the text of a `data:` address. */
export const MARK_CHARACTERS = 64 * 1024;
export const ACTORS_PER_PAGE = 100;
export const LINKS_PER_PAGE = 100;
/** Links of an actor that wait at once. */
export const LINKS_PER_ACTOR = 20;
/** How long the row of a link is kept after its end. */
export const LINK_KEPT_SECONDS = 7 * 24 * 3_600;
/** The links that one look of the maintenance ends. */
export const LINKS_AT_ONCE = 200;
