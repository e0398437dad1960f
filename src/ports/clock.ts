// Makes all time: Unix seconds for records, monotonic milliseconds for durations, sleep and time limits.
export interface Clock {
  /** Returns Unix seconds, an integer. */
  now(): number;
  /** Returns monotonic milliseconds. Only differences have a meaning. */
  millis(): number;
  /** Waits for one turn of the event loop. */
  turn(): Promise<void>;
  /** Resolves after the time, or at once when the signal aborts. It never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Runs a function after the time, unless what is returned is called before. It keeps no process alive. */
  later(milliseconds: number, run: () => void): () => void;
}
