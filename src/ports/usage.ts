// Declares the counted calls: how many calls of each kind ended in each hour. Times are Unix seconds.
import type { AuditEntry } from './records.ts';

/** The upper edges of the ranges that durations are counted in, in milliseconds. The last range has no edge. */
export const DURATION_EDGES = [
  1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1_024, 1_536, 2_048, 3_072, 4_096, 8_192,
  16_384, 32_768, 65_536, 262_144,
] as const;

/**
 * `total` counts all calls of an hour together. `hour` and `day` count them by integration, tool and caller: in an hour, and
 * in a day of UTC.
 */
export type UsageLevel = 'total' | 'hour' | 'day';

/** What is counted together. The first three are empty in a total. */
export interface UsageGroup {
  integration: string;
  tool: string;
  actor: string;
}

export interface UsagePlace {
  /** `EVERYONE` counts the calls of all people. */
  user_id: string;
  level: UsageLevel;
  start: number;
}

export interface UsageCount extends UsagePlace, UsageGroup {
  /** Why the calls did not succeed; empty for those that did. */
  cause: string;
  calls: number;
  /** The calls in each range of durations. A day has none. */
  durations: readonly number[];
}

/** An audit row, as far as it is counted. */
export interface UsageRow extends Pick<
  AuditEntry,
  | 'user_id'
  | 'integration'
  | 'tool'
  | 'action'
  | 'success'
  | 'duration_ms'
  | 'created_at'
  | 'actor'
  | 'outcome'
> {
  id: number;
  /** The beginning of the text. */
  error: string | null;
}

/** What is counted. An absent name counts all of its kind. */
export type UsageFilter = { [K in keyof UsageGroup]?: string | undefined };

export interface UsageAsked extends UsageFilter {
  user_id: string;
  from: number;
}

export interface UsageBucket {
  bucket: number;
  cause: string;
  calls: number;
  durations: readonly number[];
}

export interface UsageSum extends UsageGroup {
  cause: string;
  calls: number;
}

/** Audit rows are counted once each, in the order of their ids. */
export interface Usage {
  /** The id of the last row that is counted; 0 before the first. */
  counted(): Promise<number>;
  /**
   * The id of the newest row that no row with a lower id can follow any more. Null when this cannot be said now, because
   * writes have not ended.
   */
  settled(): Promise<number | null>;
  /** Lists rows after `after` and up to `to`, the oldest first. */
  rows(after: number, to: number, limit: number): Promise<UsageRow[]>;
  /** Lists rows after `after`, the newest first. */
  newest(userId: string, after: number, limit: number): Promise<UsageRow[]>;
  /** At least how many groups each place has, in the order of the places. */
  sizes(places: readonly UsagePlace[]): Promise<number[]>;
  groups(place: UsagePlace): Promise<UsageGroup[]>;
  /**
   * Adds the counts of the rows after `seen` up to `next` in one step. Returns false, and adds nothing, when another process
   * has counted them. The counts of people who are gone are left out.
   */
  add(seen: number, next: number, counts: readonly UsageCount[]): Promise<boolean>;
  /** Sums by bucket and cause: the bucket of a time is `(time + shift) / seconds`, rounded down. */
  series(asked: UsageAsked, bucket: { shift: number; seconds: number }): Promise<UsageBucket[]>;
  /** Sums by cause, up to `to`. */
  causes(asked: UsageAsked, to: number): Promise<{ cause: string; calls: number }[]>;
  /** Sums by group and cause. */
  sums(asked: UsageAsked): Promise<UsageSum[]>;
  /** Sums the calls of each service key: those from the beginning of a day on, and all that are counted. */
  ofServiceKeys(from: number): Promise<{ key: string; recent: number; all: number }[]>;
  /** Sums the hours by caller and cause. */
  hoursOfActors(asked: UsageAsked): Promise<{ actor: string; start: number; cause: string; calls: number }[]>;
  /** Deletes a portion of the hours before `hours` and of the days before `days`. Returns whether more may be left. */
  prune(before: { hours: number; days: number }): Promise<boolean>;
}
