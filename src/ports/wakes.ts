// Tells the other processes of a gateway that something was stored for a person. A message may be lost: it only saves time.
export interface Wakes {
  tell(userId: string): void;
  hear(wake: (userId: string) => void): void;
  close(): Promise<void>;
}
