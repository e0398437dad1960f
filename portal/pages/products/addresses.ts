// Knows the addresses of products and actors, and where a page leaves what the next one tells.
export const PRODUCTS = '/products';
export const addressOf = (id: string): string => `${PRODUCTS}/${encodeURIComponent(id)}`;
export const addressOfActor = (id: string, externalId: string): string =>
  `${addressOf(id)}/actors/${encodeURIComponent(externalId)}`;

/** What has become of a product or an actor whose page is left. */
export const ENDED = 'ended product';
