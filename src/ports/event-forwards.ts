// Declares how it is stored that the events of a subscription go on to an address of their person. decision: 067

export interface EventForward {
  subscription_id: string;
  user_id: string;
  /** The destination in the outbox. */
  destination: string;
  /** The outbox has every event of the subscription up to this position. */
  position: number;
}

export interface EventForwards {
  /** Begins behind the last event of the person, in place of another address. Returns false when there is no such subscription. */
  put(forward: Omit<EventForward, 'position'>): Promise<boolean>;
  of(subscriptions: readonly string[]): Promise<EventForward[]>;
  list(userId: string): Promise<EventForward[]>;
  /** Goes on to a position, and never back. */
  move(forward: Pick<EventForward, 'subscription_id' | 'destination'>, position: number): Promise<void>;
  /** Only while it goes to this destination. Returns whether there was one. */
  remove(forward: Pick<EventForward, 'user_id' | 'subscription_id' | 'destination'>): Promise<boolean>;
  /** Lists those whose person has later events, in the order of their subscriptions. */
  behind(after: string | null, limit: number): Promise<EventForward[]>;
}
