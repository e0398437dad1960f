// Tells the other processes of a gateway that something was stored for a person. A message may be lost: it only saves time.
export interface Wakes {
  tell(userId: string): void;
  /** Begins to listen, and passes on what other processes tell. */
  hear(wake: (userId: string) => void): void;
  /** Whether what is told has been seen to arrive. */
  isHeard(): boolean;
  close(): Promise<void>;
}
