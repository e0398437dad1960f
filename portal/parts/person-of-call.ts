// Names the person of a call, who may be an actor of a product. reference: Actors of a key
const ACTOR = /^actor:([^:]+):(.+)$/;

/** The gateway writes the address of an actor as its service key and what the product calls it. */
export const namePerson = (email: string): string => ACTOR.exec(email)?.[2] ?? email;

export function addressOfPerson(id: string, email: string): string {
  const [, key, externalId] = ACTOR.exec(email) ?? [];
  return key === undefined || externalId === undefined
    ? `/people/${encodeURIComponent(id)}`
    : `/products/${encodeURIComponent(key)}/actors/${encodeURIComponent(externalId)}`;
}
