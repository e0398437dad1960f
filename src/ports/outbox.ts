// Declares how destinations and deliveries are stored. Times are Unix seconds. decision: 062

export const CHANNELS = ['webhook', 'slack', 'email', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** An address that a person has chosen. */
export interface DestinationRecord {
  id: string;
  user_id: string;
  /** `events` takes events and is no channel for notices. */
  purpose: 'notices' | 'events';
  channel: Channel;
  name: string;
  /** The kinds of notices that are switched off, as a JSON list. */
  muted: string;
  /** The address with its secret, sealed. */
  sealed: string;
  created_at: number;
  /** The attempts that failed since the last success. */
  failures: number;
  /** When the first of them was; null after a success. */
  failing_since: number | null;
  last_error: string | null;
  last_ok_at: number | null;
  /** Nothing is tried before. */
  paused_until: number;
  disabled_at: number | null;
  /** The hour in which mails are counted, and how many there were. */
  hour: number;
  hour_count: number;
}

export type DeliveryState = 'queued' | 'done' | 'failed' | 'dropped';

/** One thing on its way to one destination. */
export interface DeliveryRecord {
  /** Each attempt carries it, so that a receiver knows repeats. */
  id: string;
  user_id: string;
  /** Empty for an invitation, which goes to the address of its person. */
  destination: string;
  channel: Channel;
  /** The kind of a notice, `test`, or the type of an event. */
  kind: string;
  /** What it is about: a notice whose reason is gone is dropped. */
  about: string;
  state: DeliveryState;
  attempts: number;
  due_at: number;
  /** When the next failure is the last. */
  give_up_at: number;
  /** The attempt that holds it, and until when. */
  run: string | null;
  running_until: number | null;
  /** What the last attempt was answered. */
  last_status: number | null;
  last_error: string | null;
  created_at: number;
  /** When it was sent, failed or was dropped. */
  ended_at: number | null;
  expires_at: number;
  sealed: string;
}

/** `known`: it is stored already. `gone`: no such person, or a destination that is disabled or gone. `full`: too many wait. */
export type Sent = 'queued' | 'known' | 'gone' | 'full';

/** The most that a person has. */
export interface MostDeliveries {
  queued: number;
  rows: number;
  characters: number;
}

export interface NoticeSettings {
  user_id: string;
  /** Minutes after midnight. The hours are quiet from the first to the second, also over midnight. Null without any. */
  quiet_from: number | null;
  quiet_to: number | null;
  time_zone: string;
}

export type DestinationState = Pick<
  DestinationRecord,
  'failures' | 'failing_since' | 'last_error' | 'last_ok_at' | 'paused_until' | 'disabled_at'
>;

export interface Attempted extends Pick<
  DeliveryRecord,
  'state' | 'attempts' | 'due_at' | 'last_status' | 'last_error' | 'ended_at'
> {
  run: string;
}

export interface Destinations {
  /** Returns false when the person has `most` of this purpose, or is gone. Parallel calls never get past it. */
  add(record: DestinationRecord, most: number): Promise<boolean>;
  /** Lists those of the person, the oldest first. */
  list(userId: string): Promise<DestinationRecord[]>;
  get(userId: string, id: string): Promise<DestinationRecord | null>;
  /** Returns false when there is none. */
  change(userId: string, id: string, next: Pick<DestinationRecord, 'name' | 'muted'>): Promise<boolean>;
  /** Lets it take deliveries again. */
  enable(userId: string, id: string): Promise<boolean>;
  /** Deletes the destination with its deliveries. */
  delete(userId: string, id: string): Promise<boolean>;
  /** Notes how an attempt ended. Only while it has the failures of `seen`; exactly one of parallel calls returns true. */
  note(
    seen: Pick<DestinationRecord, 'id' | 'failures' | 'disabled_at'>,
    next: DestinationState,
  ): Promise<boolean>;
  /** Counts one mail of an hour. Returns false when there were `most`, or another process counts at this moment. */
  countMail(seen: DestinationRecord, hour: number, most: number): Promise<boolean>;
  /** Lists those of all people, ordered by id. */
  page(after: string | null, limit: number): Promise<DestinationRecord[]>;
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
}

export interface Deliveries {
  /** Stores a delivery for a destination that takes one, or an invitation, and deletes the oldest ended rows beyond `most`. */
  add(record: DeliveryRecord, most: MostDeliveries): Promise<Sent>;
  /** Lists those of the person, the newest first. */
  list(query: {
    userId: string;
    destination?: string | undefined;
    before?: Pick<DeliveryRecord, 'created_at' | 'id'> | undefined;
    limit: number;
  }): Promise<DeliveryRecord[]>;
  get(userId: string, id: string): Promise<DeliveryRecord | null>;
  /** How many wait, and how many there are. */
  count(userId: string): Promise<{ queued: number; rows: number }>;
  /** How many of a kind were stored since. */
  countSince(userId: string, kind: string, since: number): Promise<number>;
  /** Lists what is due: of each destination its first, the longest due first. `mails` tells whether mails count. */
  due(now: number, mails: boolean, limit: number): Promise<DeliveryRecord[]>;
  /** Lists what is due of one destination. */
  dueOf(destination: string, now: number, limit: number): Promise<DeliveryRecord[]>;
  /** Takes one for an attempt. Exactly one of any number of parallel calls returns true. */
  claim(id: string, run: string, now: number, until: number): Promise<boolean>;
  /** Notes how the attempt ended. Returns false when another attempt has it now. */
  finish(id: string, attempted: Attempted): Promise<boolean>;
  /** Makes one that has ended due again. Returns false for another state. */
  again(
    userId: string,
    id: string,
    due: { now: number; giveUpAt: number; expiresAt: number },
  ): Promise<boolean>;
  /** Drops what waits about one thing. */
  drop(userId: string, about: string, now: number): Promise<void>;
  /** Ends what waits for a destination. */
  failAll(destination: string, error: string, now: number): Promise<void>;
  /** Ends a portion of what nobody has sent in its time. Returns whether more may be left. */
  giveUp(now: number, error: string): Promise<boolean>;
  page(after: string | null, limit: number): Promise<DeliveryRecord[]>;
  swapSealed(id: string, seen: string, next: string): Promise<boolean>;
}

/** A key of the gateway that is drawn once. */
export interface OutboxKey {
  id: string;
  sealed: string;
}

export interface OutboxStore {
  destinations: Destinations;
  deliveries: Deliveries;
  settings: {
    get(userId: string): Promise<NoticeSettings | null>;
    /** Does nothing for a person who is gone. */
    put(settings: NoticeSettings): Promise<void>;
  };
  keys: {
    get(id: string): Promise<OutboxKey | null>;
    /** Stores the key unless there is one, and returns the stored one. */
    make(key: OutboxKey): Promise<OutboxKey>;
    list(): Promise<OutboxKey[]>;
    swapSealed(id: string, seen: string, next: string): Promise<boolean>;
  };
}
