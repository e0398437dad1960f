// Declares what is stored of the groups of people: what sign-in providers have said, and what a directory has pushed.

/** A name of a group as its provider spells it. A longer one would not fit a database index. */
export const GROUP_NAME_CHARACTERS = 255;

type Provider = 'hosted' | 'idp';

export interface Groups {
  /** The groups of a person from all sources. Null while none of them has said anything about the person. */
  of(userId: string): Promise<readonly string[] | null>;
  /** The groups that a directory has put the person into, by all their names. */
  ofDirectory(userId: string): Promise<readonly string[]>;
  /** The names that sign-ins and the directory use, in their order. Ids of a directory are no names. */
  known(limit: number): Promise<readonly string[]>;
  /**
   * Replaces what the provider has said of the person. `also` is a provider with the same issuer, which says the same.
   * Somebody whose row is gone gets nothing.
   */
  note(userId: string, by: Provider, names: readonly string[], also?: Provider): Promise<void>;
}
