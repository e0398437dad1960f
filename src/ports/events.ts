// Declares how events of the outside are stored: subscriptions, what they brought, and what looks for it. Times are Unix seconds.
// reference: Event subscriptions; decision: 061

export type EventKind = 'webhook' | 'watch' | 'schedule';

export interface EventSubscription {
  id: string;
  user_id: string;
  /** The id of the actor that has subscribed. */
  caller: string;
  kind: EventKind;
  integration: string;
  event: string;
  account: string | null;
  /** The SHA-256 of the random part of its address. Null for what has no address. */
  address: string | null;
  /** Says why nothing comes any more. Null while it runs. */
  ended: string | null;
  created_at: number;
  delivered_at: number | null;
  /** When a delivery was last refused, and why. */
  refused_at: number | null;
  refused: string | null;
  /** The actor, the arguments and the secrets, sealed. */
  sealed: string;
}

/** What is run again and again for a watch or a schedule. */
export interface EventPoller {
  subscription_id: string;
  user_id: string;
  /** The seconds between two runs. */
  every: number;
  next_run: number;
  /** The run that holds the poller until `lease_until`. */
  holder: string | null;
  lease_until: number | null;
  /** The last run that was noted. */
  run: string | null;
  last_run: number | null;
  /** The runs that have failed since the last one that did not. */
  failures: number;
  error: string | null;
  /** What the last run has seen, sealed. */
  cursor: string | null;
}

export interface StoredEvent {
  /** Made of the subscription and the name that the sender gave to the event: the same event has the same id. */
  id: string;
  user_id: string;
  subscription_id: string;
  /** Grows with each event of the person, in the order in which readers can see them. */
  position: number;
  /** The characters of all events of the person up to this one. */
  written: number;
  received_at: number;
  expires_at: number;
  characters: number;
  sealed: string;
}

export type EventDraft = Omit<StoredEvent, 'position' | 'written'>;

/** How many events of a person are kept, and how many characters they may have together. */
export interface MostEvents {
  events: number;
  characters: number;
}

/** How a run has ended. */
export interface EndedRun extends Pick<
  EventPoller,
  'subscription_id' | 'user_id' | 'next_run' | 'failures' | 'error' | 'cursor'
> {
  holder: string;
  last_run: number;
}

/** The last position of a person, and the last one that was dropped before it was a week old or because it was. */
export interface EventStream {
  last: number;
  dropped: number;
}

export interface Events {
  /** `full`: the person has `most` of this kind. `gone`: there is no such person. Parallel calls never get past a rule. */
  subscribe(
    subscription: EventSubscription,
    poller: EventPoller | null,
    most: number,
  ): Promise<'added' | 'full' | 'gone'>;
  byAddress(address: string): Promise<EventSubscription | null>;
  get(userId: string, id: string): Promise<EventSubscription | null>;
  /** Lists the oldest first. */
  list(userId: string): Promise<EventSubscription[]>;
  /** Does nothing where there is one, or no subscription. */
  addPoller(poller: EventPoller): Promise<void>;
  poller(id: string): Promise<EventPoller | null>;
  pollers(userId: string): Promise<EventPoller[]>;
  /** Replaces the sealed text only while it still is `seen`. */
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
  /** Nothing comes for it from now on. What has come is kept. */
  end(id: string, why: string): Promise<void>;
  noteRefused(id: string, at: number, why: string): Promise<void>;
  /** Deletes the subscription with its events. Returns false when the person has no such subscription. */
  remove(userId: string, id: string): Promise<boolean>;
  /**
   * Stores the events whose subscription is there and has not ended, and none twice. They are durable when it resolves.
   * Returns the ids of those that are new. The oldest beyond `most` are dropped.
   */
  append(drafts: readonly EventDraft[], most: MostEvents): Promise<Set<string>>;
  /** Returns which of these ids are stored. */
  known(ids: readonly string[]): Promise<Set<string>>;
  /** Lists the events after a position, the oldest first, of one subscription if it is named. */
  after(userId: string, position: number, limit: number, subscription?: string): Promise<StoredEvent[]>;
  /** Lists the newest events before a position, of one subscription if it is named. */
  before(
    userId: string,
    position: number,
    limit: number,
    subscription: string | null,
  ): Promise<StoredEvent[]>;
  event(userId: string, id: string): Promise<StoredEvent | null>;
  /** The streams of these people. One who never had a subscription has none. */
  streams(userIds: readonly string[]): Promise<Map<string, EventStream>>;
  count(userId: string): Promise<number>;
  /** Lists the pollers that are due until a time and that no run holds now, the longest due first. */
  due(until: number, now: number, limit: number): Promise<EventPoller[]>;
  /** One of any number of parallel claims returns the poller. */
  claim(id: string, holder: string, now: number, until: number): Promise<EventPoller | null>;
  /**
   * Notes how a run has ended, with the events that it found, all or nothing. Null when another run has taken its place: then
   * nothing was stored.
   */
  finish(run: EndedRun, drafts: readonly EventDraft[], most: MostEvents): Promise<Set<string> | null>;
  /** Deletes a portion of the events whose time is over. Returns whether more may be left. */
  expire(now: number): Promise<boolean>;
  pageOfSubscriptions(after: string | null, limit: number): Promise<EventSubscription[]>;
  pageOfPollers(after: string | null, limit: number): Promise<EventPoller[]>;
  swapCursor(id: string, seen: string, next: string): Promise<boolean>;
  pageOfEvents(after: string | null, limit: number): Promise<StoredEvent[]>;
  swapEvent(id: string, seen: string, next: string): Promise<boolean>;
}
