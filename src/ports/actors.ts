// Declares what is stored of the users of other people's products: service keys, their actors and connect links. Times are
// Unix seconds. decision: 074

/** What a product's back end calls with. A row in `users` with the same id stands for it. */
export interface ServiceKey {
  id: string;
  /** The product, as its users know it. */
  name: string;
  /** The SHA-256 of the key. Null for one that is revoked. */
  key_sha: string | null;
  /** What each of its actors may do at most, as JSON. */
  limits: string;
  /** The addresses that connect links may lead back to, as JSON. */
  return_to: string;
  /** The picture of the product as a data URL. */
  mark: string | null;
  /** Its colours, as JSON. */
  colours: string | null;
  /** The destination of its events. */
  notify: string | null;
  max_actors: number;
  /** How many actors it has. */
  actors: number;
  /** The administrator who made it, or the pseudonym of one who is deleted. */
  created_by: string;
  created_at: number;
  last_used_at: number | null;
}

export type ServiceKeyChange = Partial<
  Pick<ServiceKey, 'name' | 'limits' | 'return_to' | 'mark' | 'colours' | 'notify' | 'max_actors'>
>;

/** A user of a product: a person who cannot sign in. */
export interface ServiceActor {
  /** The id of its row in `users`. */
  id: string;
  service_key_id: string;
  external_id: string;
  /** What the product calls the user. */
  external_name: string | null;
  created_at: number;
}

export interface ListedActor extends ServiceActor {
  /** How many accounts it has connected. */
  connections: number;
}

export type LinkState = 'open' | 'opened' | 'connected' | 'expired';

/** A link with which an actor's browser connects one account. */
export interface ActorLink {
  id: string;
  token_sha: string;
  user_id: string;
  service_key_id: string;
  integration: string;
  /** The label of the account. Null where the actor has no need of one. */
  account: string | null;
  return_to: string;
  state: LinkState;
  /** The SHA-256 of the binding of the browser that opened it. */
  binding: string | null;
  created_at: number;
  /** When it stops to work. */
  ends_at: number;
  ended_at: number | null;
  /** When its row goes. */
  expires_at: number;
}

export interface ServiceKeys {
  /** Returns false when there are `most`. Parallel calls never get past it. */
  add(key: ServiceKey, most: number): Promise<boolean>;
  /** Lists all, the newest first. There are never more than the limit. */
  list(): Promise<ServiceKey[]>;
  get(id: string): Promise<ServiceKey | null>;
  /** Reads with one statement what a call needs: the key, and the id of its living actor. */
  bySha(sha: string, externalId: string | null): Promise<{ key: ServiceKey; actorId: string | null } | null>;
  /** Returns the key while it is not revoked and the actor is one of it and alive. */
  acting(id: string, userId: string): Promise<ServiceKey | null>;
  /** Returns false when there is none. */
  change(id: string, change: ServiceKeyChange): Promise<boolean>;
  /** Replaces the key itself. Null revokes it. Returns false when there is none. */
  setSha(id: string, sha: string | null): Promise<boolean>;
  /** Deletes the key, and begins to delete its row among the people. Nobody can act for its actors any more. Returns false when there is no key. */
  erase(id: string, now: number): Promise<boolean>;
  /**
   * Begins to delete a portion of the actors of each of these deleted keys. Returns the ids of the keys that had some
   * left.
   */
  beginDeletions(
    keys: readonly { id: string; deleted_at: number }[],
    limit: number,
  ): Promise<ReadonlySet<string>>;
  /** Notes a use, unless a later one is noted. */
  noteUse(id: string, now: number): Promise<void>;
}

export interface ServiceActors {
  /** `known`: there is one with this id. `full`: the key has as many as it may. `gone`: the key is gone. Parallel calls never get past a rule. */
  add(actor: ServiceActor): Promise<'added' | 'known' | 'full' | 'gone'>;
  get(keyId: string, externalId: string): Promise<ListedActor | null>;
  /** Changes what the product calls the user. */
  rename(id: string, name: string | null): Promise<void>;
  /** Lists those of a key whose external id contains the text, in upper or lower case, ordered by their external ids. */
  page(query: {
    keyId: string;
    contains?: string | undefined;
    after?: string | undefined;
    limit: number;
  }): Promise<ListedActor[]>;
  /** The actor behind a person's id, with its key. Null for people and for actors that are being deleted. */
  ofUser(userId: string): Promise<{ actor: ServiceActor; key: ServiceKey } | null>;
  /** Counts those that are not erased yet, though they or their key are deleted. */
  countErasing(): Promise<number>;
  /** Begins to delete the actor as a person, and frees its external id. Returns false when it is not there. */
  beginDeletion(actor: Pick<ServiceActor, 'id' | 'service_key_id'>, now: number): Promise<boolean>;
}

export interface ActorLinks {
  /** `full`: the actor has `most` links that wait. `gone`: the actor is gone. Parallel calls never get past a rule. */
  add(link: ActorLink, most: number): Promise<'added' | 'full' | 'gone'>;
  byToken(sha: string): Promise<ActorLink | null>;
  get(id: string): Promise<ActorLink | null>;
  /**
   * Binds a link that waits to a browser, and lets it work until then. Returns false for a link that is over or belongs to
   * another browser. The same browser may open it again, and gets no more time.
   */
  open(id: string, binding: string, times: { now: number; until: number }): Promise<boolean>;
  /** Ends a link as connected. Exactly one of any number of parallel calls returns true. */
  finish(id: string, now: number): Promise<boolean>;
  /** Lists those of a key, the newest first. */
  list(query: {
    keyId: string;
    userId?: string | undefined;
    before?: Pick<ActorLink, 'created_at' | 'id'> | undefined;
    limit: number;
  }): Promise<ActorLink[]>;
  /** Lists a portion of those that wait and whose time is over. */
  due(now: number, limit: number): Promise<ActorLink[]>;
  /** Ends one as expired. Exactly one of any number of parallel calls returns true. */
  expire(id: string, now: number): Promise<boolean>;
}
