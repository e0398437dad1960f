// Declares how far the audit log was sent to its collectors. Times are Unix seconds. reference: Audit push

export interface AuditPush {
  /** The SHA-256 of the address of the collector. */
  place: string;
  /** The last segment whose rows the collector has taken. */
  segment: number;
  pushed_at: number | null;
  /** When the collector failed first, since it took rows last. */
  failed_at: number | null;
  error: string | null;
}

export interface AuditPushes {
  get(place: string): Promise<AuditPush | null>;
  /** Never moves back: the later of two processes that send the same rows changes nothing. */
  taken(place: string, segment: number, now: number): Promise<void>;
  failed(place: string, error: string, now: number): Promise<void>;
}
