// Slow password hashing (bcrypt, cost 10), never on the event loop where the runtime has threads.
export interface Hasher {
  hash(secret: string): Promise<string>;
  /** False for a wrong secret and for a malformed hash alike; `$2a$`, `$2b$` and `$2y$` all verify. */
  verify(secret: string, hash: string): Promise<boolean>;
  close(): Promise<void>;
}
