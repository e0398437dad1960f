// Writes each event as one line of JSON. Callers never pass a secret to it.
/** From the least important to the most important. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The events of an audit row and of a sealed segment. */
export const AUDIT_EVENT = 'audit';
export const SEALED_EVENT = 'audit segment sealed';
/** Records, which no `LOG_LEVEL` hides. */
export const RECORDS: ReadonlySet<string> = new Set([AUDIT_EVENT, SEALED_EVENT]);

export interface Log {
  /** Whether lines of this level are written, for callers that would have to build one for nothing. */
  shows(level: LogLevel): boolean;
  write(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
}
