// Writes each event as one line of JSON. Callers never pass a secret to it.
export type LogLevel = 'info' | 'warn' | 'error';

export interface Log {
  write(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
}
