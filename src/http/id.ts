// Tells ids of the gateway from other texts in addresses and bodies.

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** No other text is looked up: PostgreSQL fails on some of them. */
export const isId = (text: string): boolean => ID.test(text);
