// One line of JSON an event. Nothing secret is ever handed to it.
export type LogLevel = 'info' | 'warn' | 'error';

export interface Log {
  write(level: LogLevel, event: string, fields?: Record<string, unknown>): void;
}
