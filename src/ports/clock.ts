// The only maker of time: Unix seconds for records, monotonic milliseconds for durations, and waiting.
export interface Clock {
  /** Unix seconds, an integer. */
  now(): number;
  /** Monotonic milliseconds; only differences mean something. */
  millis(): number;
  /** Lets everything that is ready go first: one turn of the event loop. */
  turn(): Promise<void>;
  /** Resolves after the time, or at once when the signal aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
