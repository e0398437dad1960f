// Stores the sealed segments of the audit log, and reads its rows as they are stored. Times are Unix seconds.
// decision: 039

/**
 * The columns that may say something about a person: a deletion replaces them by a commitment. A name may join only before
 * its column does, because it changes the hash of every row that has the column.
 */
export const PERSONAL_COLUMNS = [
  'user_id',
  'error',
  'account',
  'actor',
  'client_name',
  'request_id',
  'owner',
] as const;

/** The ids that the gateway gives. Every database counts from 1, and JavaScript cannot count further than this. */
export const FIRST_ROW_ID = 1;
export const LAST_ROW_ID = Number.MAX_SAFE_INTEGER;

/** The tool of the row that says which rows a deletion changed. It is no call. */
export const ERASURE_TOOL = 'gateway_erase_audit';

/** What a segment signs. */
export interface SegmentHead {
  /** The public address of the gateway that sealed it. */
  origin: string;
  /** 1, 2, 3 and so on, without gaps. */
  segment: number;
  /** The ids of its first and last row. It has every row after the last one of the segment before. */
  first: number;
  last: number;
  rows: number;
  /** The rows of this segment and of all before it. */
  size: number;
  /** The Merkle tree hash of its rows. RFC 6962 §2.1 */
  root: string;
  /** The SHA-256 of the head before; 64 zeros in the first. */
  previous: string;
  /** The time of its newest row. */
  newest: number;
  sealed: number;
  /** The id of the key that signed it. */
  key: string;
}

export interface AuditSegment extends SegmentHead {
  signature: string;
  /** Names the rows, so that a verifier can say which of them changed. Not signed. Null once the rows are deleted. */
  row_index: string | null;
  /** When the deletion of its rows began, and the signature of that. */
  pruned_at: number | null;
  pruned_key: string | null;
  pruned_signature: string | null;
  /** When its head was written elsewhere. */
  delivered_at: number | null;
}

/** Every column that the database has, also those of a newer version. */
export type RawAuditRow = Readonly<Record<string, unknown>> & { readonly id: number };

/** `last` is the newest row. Rows before it may still appear until `writers` are done. */
export interface AuditCut {
  last: number;
  writers: string;
}

/** The row of an erasure. `erasure` names the erased rows and is signed. */
export interface ErasureRow {
  created_at: number;
  erasure: string;
}

export interface AuditSegments {
  newest(): Promise<AuditSegment | null>;
  /** Lists the segments after this number, in order. */
  page(after: number, limit: number): Promise<AuditSegment[]>;
  /** Lists the segments before this number, newest first. */
  latest(before: number | undefined, limit: number): Promise<AuditSegment[]>;
  /** Returns false when there is a segment with this number, or one that follows the same segment. */
  add(segment: AuditSegment): Promise<boolean>;

  /** Reads the rows with `after` < id <= `last`, in order. */
  rows(after: number, last: number, limit: number): Promise<RawAuditRow[]>;
  /** Returns the id of the `count`th row after this one. Null when there are fewer. */
  idAfter(after: number, count: number): Promise<number | null>;
  /** Counts the rows after this one. */
  countAfter(after: number): Promise<number>;
  /** Counts the rows with an id that the gateway never gives. No other function here reads or counts them. */
  countForeign(): Promise<number>;
  /** Null while there are no rows. */
  cut(): Promise<AuditCut | null>;
  areDone(writers: string): Promise<boolean>;

  rowsOf(userIds: readonly string[], limit: number): Promise<RawAuditRow[]>;
  /** Replaces what is personal in these rows of these people by the commitments, and adds the row of the erasure. */
  erase(
    userIds: readonly string[],
    pseudonym: string,
    rows: readonly { id: number; commitment: string }[],
    erasure: ErasureRow,
  ): Promise<void>;
  /** Lists the rows of erasures, in order. */
  erasures(
    after: number,
    limit: number,
  ): Promise<{ id: number; user_id: string; created_at: number; erasure: string }[]>;

  /** Lists the segments whose heads were not written elsewhere yet, in order. */
  undelivered(limit: number): Promise<AuditSegment[]>;
  markDelivered(segment: number, now: number): Promise<void>;

  /** The first segment that has, or may have, rows. */
  oldestWithRows(): Promise<AuditSegment | null>;
  /** Returns false when the deletion has begun already. */
  beginPruning(
    segment: number,
    signed: { pruned_at: number; pruned_key: string; pruned_signature: string },
  ): Promise<boolean>;
  /** Deletes a portion of the rows with an id of at most `last`. Returns whether more may be left. */
  deleteRows(last: number): Promise<boolean>;
  endPruning(segment: number): Promise<void>;
  /** Deletes rows from the oldest on, up to the first that is not older. Returns whether more may be left. */
  deleteOlder(before: number): Promise<boolean>;
}
