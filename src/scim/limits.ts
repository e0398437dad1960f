// The limits of SCIM. reference: Limits

/** A group of 20,000 members fits. */
export const SCIM_BODY_BYTES = 2 * 1024 * 1024;
export const SCIM_PAGE = 100;
export const SCIM_MAX_PAGE = 200;
export const SCIM_OPERATIONS = 1_000;
/** A longer value would not fit a database index. */
export const SCIM_TEXT_CHARACTERS = 255;
export const SCIM_VALUES = 20;
